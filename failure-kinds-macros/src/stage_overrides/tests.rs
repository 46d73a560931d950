use proc_macro2::TokenStream;
use quote::quote;

/// The expansion, as rustfmt would lay it out.
fn expanded(item: TokenStream) -> String {
    let input = syn::parse2(item).unwrap();
    prettyplease::unparse(&syn::parse2(super::derive(&input)).unwrap())
}

#[test]
fn the_example_of_the_documentation() {
    let expanded = expanded(quote! {
        /// Who answers for what in the browser environment.
        #[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"))]
        pub struct BrowserEnv {
            /// The episode proper.
            #[stage(
                default = "model",
                "browser_env:tab_crashed" = "evaluation",
                "agent_timeout" = "none",
            )]
            agent: StageClassificationConfig,
            #[stage(default = "evaluation")]
            verification: StageClassificationConfig,
        }
    });
    snapbox::assert_data_eq!(expanded, snapbox::file!["browser_env.expanded.rs": Text]);
}

#[test]
fn a_rejected_item_has_its_skeleton() {
    let expanded = expanded(quote! {
        #[stage_overrides(server = "browser_env", kinds("tab_crashed", "judge_failed"))]
        struct BrowserEnv {
            agent: StageClassificationConfig,
            retries: u32,
        }
    });
    for part in [
        "::core::compile_error!",
        "const TAB_CRASHED:",
        "const JUDGE_FAILED:",
        "struct BrowserEnvOverrides {",
        "    retries: ::core::option::Option<",
        "impl ::failure_kinds::StageOverrides for BrowserEnv {",
        "impl ::core::default::Default for BrowserEnv {",
    ] {
        assert!(expanded.contains(part), "{part} is missing:\n{expanded}");
    }
}

#[test]
fn the_expansion_uses_the_given_path_of_the_crate() {
    let expanded = expanded(quote! {
        #[stage_overrides(crate = "my::kinds")]
        struct Env {
            agent: StageClassificationConfig,
        }
    });
    assert!(!expanded.contains("failure_kinds::"), "{expanded}");
    assert!(expanded.contains("impl my::kinds::StageOverrides for Env"), "{expanded}");
}

#[test]
fn c234_documentation_is_forwarded_as_it_is() {
    let expanded = expanded(quote! {
        struct Env {
            /// The episode proper.
            /// It has two lines.
            ///
            /// More.
            agent: StageClassificationConfig,
            #[doc = include_str!("seed.md")]
            seed: StageClassificationConfig,
        }
    });
    assert!(expanded.contains(" /// The episode proper.\n"), "{expanded}");
    assert!(expanded.contains(" /// More.\n"), "{expanded}");
    assert!(expanded.contains("#[doc = include_str!(\"seed.md\")]"), "{expanded}");
    assert!(
        expanded.contains(r#"("agent", "The episode proper.\nIt has two lines.")"#),
        "{expanded}"
    );
    assert!(expanded.contains(r#"("seed", "")"#), "{expanded}");
}

#[test]
fn c225_conditions_stay_on_what_is_made_of_a_field() {
    let expanded = expanded(quote! {
        struct Env {
            #[cfg(windows)]
            agent: StageClassificationConfig,
        }
    });
    // Default, two arms, the stages twice, the type, two arms, the schema.
    assert_eq!(expanded.matches("#[cfg(windows)]").count(), 9, "{expanded}");
}

#[test]
fn c222_raw_identifiers_lose_their_prefix() {
    let expanded = expanded(quote! {
        struct Env {
            r#agent: StageClassificationConfig,
            #[stage(r#seed)]
            r#type: StageClassificationConfig,
        }
    });
    assert!(expanded.contains("FailureStage::Agent => "), "{expanded}");
    assert!(expanded.contains("r#type:"), "{expanded}");
    assert!(expanded.contains(r#"("seed", "")"#), "{expanded}");
}

#[test]
fn c235_blanks_and_trailing_commas_change_nothing() {
    let of = |item: &str| expanded(item.parse().unwrap());
    assert_eq!(
        of("#[ stage_overrides ( server = \"a\" , kinds ( \"b\" , ) , ) ] struct Env {
                #[ stage ( agent , default = \"model\" , \"a:b\" = \"none\" , ) ]
                x : fk :: StageClassificationConfig ,
            }"),
        of("#[stage_overrides(server=\"a\",kinds(\"b\"))]struct Env{\
            #[stage(agent,default=\"model\",\"a:b\"=\"none\")]x:fk::StageClassificationConfig}"),
    );
}

#[test]
fn c282_another_name_of_the_crate_is_read_from_the_arguments_of_the_compiler() {
    let renamed = |arguments: &[&str]| {
        super::validate::renamed(arguments.iter().map(|argument| (*argument).to_owned()))
    };
    let fk = "fk=/target/debug/deps/libfailure_kinds-0123456789abcdef.rmeta";
    assert_eq!(renamed(&["rustc", "--extern", fk]).as_deref(), Some("fk"));
    assert_eq!(renamed(&[&format!("--extern={fk}")]).as_deref(), Some("fk"));
    assert_eq!(renamed(&["--extern", &format!("priv:{fk}")]).as_deref(), Some("fk"));
    let own = "failure_kinds=/target/debug/deps/libfailure_kinds-0123456789abcdef.rmeta";
    assert_eq!(renamed(&["--extern", fk, "--extern", own]), None);
    let core = "x=/target/debug/deps/libfailure_kinds_core-0123456789abcdef.rmeta";
    assert_eq!(renamed(&["--extern", core, "--extern", "proc_macro", fk]), None);
}
