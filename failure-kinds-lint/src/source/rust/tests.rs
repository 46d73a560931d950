use super::super::testing::{self, positions};
use crate::position::{Form, Value};

fn rust(text: &str) -> Vec<String> {
    positions("a.rs", text)
}

/// The positions of statements.
fn body(text: &str) -> Vec<String> {
    rust(&format!("fn f() {{ {text} }}"))
}

#[test]
fn fields_variables_and_entries() {
    assert_eq!(body(r#"let r = Row { failure_kind: "a", kind: "x" };"#), ["failure_kind=a"]);
    assert_eq!(body(r#"let failure_kind: &str = "a"; let kind = "x";"#), ["failure_kind=a"]);
    assert_eq!(
        body(r#"row.failure_class = "a".to_owned(); row["failure_kind"] = "b".into();"#),
        ["failure_class=a", "failure_kind=b"]
    );
    assert_eq!(
        body(r#"row.insert("failure_kind".into(), Value::from("a")); row.insert("k", "x");"#),
        ["failure_kind=a"]
    );
    assert_eq!(
        body(r#"let m = HashMap::from([("failure_kind", "a"), ("k", "x")]);"#),
        ["failure_kind=a"]
    );
    assert_eq!(
        body(r#"KeyValue::new("failure_kind", "a"); f("failure_kind", "x");"#),
        ["failure_kind=a"]
    );
    assert_eq!(body(r#"row.get("failure_kind"); row.replace("failure_kind", "x");"#), [""; 0]);
}

#[test]
fn texts_that_the_compiler_concatenates() {
    assert_eq!(body(r#"r.failure_kind = concat!("a_", "b");"#), ["failure_kind=a_b"]);
    assert_eq!(
        body(r#"r.failure_kind = ["a", x].concat(); r.failure_kind = parts.join("_");"#),
        [
            r#"failure_kind=?formatted ["a", x].concat()"#,
            r#"failure_kind=?formatted parts.join("_")"#
        ]
    );
}

#[test]
fn constants() {
    assert_eq!(
        rust(
            r#"const FAILURE_CLASS_KEY: &str = "_ng_failure_class"; const JUDGE_FAILURE_CLASS: &str = "a";"#
        ),
        ["JUDGE_FAILURE_CLASS=a"]
    );
    assert_eq!(
        rust(
            r#"const LABEL: &str = "failure_kind"; fn f() { row[LABEL] = "a"; row[OTHER] = "x"; }"#
        ),
        ["failure_kind=a"]
    );
}

#[test]
fn each_value_that_an_expression_may_take() {
    assert_eq!(
        body(r#"let failure_kind = if c { "a" } else { "b" };"#),
        ["failure_kind=a", "failure_kind=b"]
    );
    assert_eq!(
        body(r#"r.failure_kind = match c { 1 => Some("a"), _ => None };"#),
        ["failure_kind=a"]
    );
    assert_eq!(
        body(r#"r.failure_kind = format!("http_{x}");"#),
        ["failure_kind=?formatted format!(\"http_{x}\")"]
    );
    assert_eq!(
        body(r#"r.failure_kind = "http_".to_owned() + x;"#),
        ["failure_kind=?formatted \"http_\".to_owned() + x"]
    );
    assert_eq!(
        body("r.failure_kind = classify(error);"),
        ["failure_kind=?dynamic classify(error)"]
    );
    assert_eq!(body("r.failure_kind = kinds::JUDGE_FAILED; r.failure_kind = None;"), [""; 0]);
}

#[test]
fn comparisons_and_patterns() {
    assert_eq!(
        body(r#"row.failure_kind == "a" || "b" != failure_class"#),
        ["failure_kind~a", "failure_class~b"]
    );
    assert_eq!(
        body(r#"row.get("failure_kind").and_then(|v| v.as_str()) == Some("a")"#),
        ["failure_kind~a"]
    );
    assert_eq!(
        body(
            r#"match row.failure_kind.as_deref() { Some("a" | "b") => "x", Some(_) => "y", None => "z" };"#
        ),
        ["failure_kind~a", "failure_kind~b"]
    );
    assert_eq!(body(r#"if let Some("a") = row.failure_kind() {}"#), ["failure_kind~a"]);
    assert_eq!(
        body(r#"match (failure_kind, stage) { ("a", "x") => 1, _ => 2 };"#),
        ["failure_kind~a"]
    );
    assert_eq!(
        body(r#"matches!(row.failure_kind.as_str(), "a" | "b" if true)"#),
        ["failure_kind~a", "failure_kind~b"]
    );
    assert_eq!(
        body(r#"match row { Row { failure_kind: "a", kind: "x" } => 1, _ => 2 };"#),
        ["failure_kind~a"]
    );
    assert_eq!(body(r#"match kind { "x" => 1, _ => 2 };"#), [""; 0]);
}

#[test]
fn macros_by_their_tokens() {
    assert_eq!(body(r#"tracing::warn!(failure_kind = "a", "text {}", x);"#), ["failure_kind=a"]);
    assert_eq!(body(r#"warn!(target: "t", failure_kind = %"a", kind = "x");"#), ["failure_kind=a"]);
    assert_eq!(
        body(r#"json!({ "failure_kind": "a", "x": [{ "failure_class": "b" }], "k": "y" });"#),
        ["failure_kind=a", "failure_class=b"]
    );
    assert_eq!(body(r#"counter!("failures", "failure_kind" => "a");"#), ["failure_kind=a"]);
    assert_eq!(
        body(r#"vec![Row { failure_kind: "a" }, Row { failure_kind: format!("x{y}") }];"#),
        ["failure_kind=a", "failure_kind=?formatted format!(\"x{y}\")"]
    );
    assert_eq!(
        body(r#"assert_eq!(row.failure_kind, "a"); assert_ne!("b", failure_class);"#),
        ["failure_kind~a", "failure_class~b"]
    );
    assert_eq!(
        body(r#"json!({ "failure_kind": failure_kind!("a"), "n": null });"#),
        ["failure_kind!=a"]
    );
    assert_eq!(
        rust("#[tracing::instrument(fields(failure_kind = \"a\"))] fn f() {}"),
        ["failure_kind=a"]
    );
}

#[test]
fn the_macro_counts_as_a_use() {
    assert_eq!(
        body(r#"failure_kind!("s:a"); FailureKind::from_static("b"); other!("x");"#),
        ["failure_kind!=s:a", "from_static=b"]
    );
    let found = testing::scan("a.rs", r#"fn f() { let failure_kind = failure_kind!("a"); }"#);
    assert!(found.positions.iter().all(|position| position.bare.is_none()));
}

#[test]
fn attributes_mark_test_code() {
    let text = r#"
        fn a() { let failure_kind = "a"; }
        #[test] fn b() { let failure_kind = "b"; }
        #[cfg(test)] mod tests { fn c() { let failure_kind = "c"; } }
        #[cfg(all(unix, test))] mod more { fn d() { let failure_kind = "d"; } }
        #[cfg(not(test))] fn e() { let failure_kind = "e"; }
        mod m { #[tokio::test(flavor = "multi_thread")] async fn g() { let failure_kind = "g"; } }
    "#;
    let tests: Vec<_> =
        testing::scan("a.rs", text).positions.iter().map(|position| position.test).collect();
    assert_eq!(tests, [false, true, true, true, false, true]);
}

#[test]
fn the_derive_declares() {
    let text = r#"
        #[derive(StageOverrides)]
        #[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"), crate = "x::y")]
        struct BrowserEnv { agent: StageClassificationConfig }
    "#;
    let declared = testing::scan("a.rs", text).declared;
    let declared: Vec<_> =
        declared.iter().map(|(server, kind)| (server.as_str(), kind.as_str())).collect();
    assert_eq!(declared, [("browser_env", "tab_crashed"), ("browser_env", "captcha_wall")]);
}

#[test]
fn c190_directives_in_strings_are_text() {
    let text =
        "let s = \"// failure-kinds: ignore-file\"; let r = r#\"/* failure-kinds: ignore */\"#;\n";
    assert!(testing::scan("a.rs", &format!("fn f() {{ {text} }}")).comments.is_empty());
}

#[test]
fn comments_are_between_tokens() {
    let text = "/// failure-kinds: ignore[x] in docs\nfn f(a: u8 /* failure-kinds: ignore[a] /* in */ */) {\n    \
                '/'; // failure-kinds: ignore[b]\n}\n//! doc\n";
    let found = testing::scan("a.rs", text.trim_end_matches("//! doc\n"));
    let comments: Vec<_> = found.comments.iter().map(|comment| comment.text.trim()).collect();
    assert_eq!(comments, ["failure-kinds: ignore[a] /* in */", "failure-kinds: ignore[b]"]);
    for comment in &found.comments {
        assert!(text[comment.span.clone()].starts_with('/'));
    }
}

#[test]
fn places_in_scripts_and_beyond_ascii() {
    let text = "#!/usr/bin/env run\nfn f() { let é = \"ß\"; let failure_kind = \"a\"; }\n";
    let found = testing::scan("a.rs", text);
    let [position] = &found.positions[..] else { panic!() };
    assert_eq!(&text[position.span.clone()], "\"a\"");
    let Value::Text { inside: Some(inside), .. } = &position.value else { panic!() };
    assert_eq!(&text[inside.clone()], "a");
}

#[test]
fn deep_nesting_is_refused_with_its_location() {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("fn f() {{ let x = {}1{}; }}", open.repeat(depth), close.repeat(depth))
    };
    let call = "a(1, b < c, &d, |x, y| x | y)";
    for text in [
        nested("(", ")", 100),
        nested("Box::<Vec<u8>>::new(", ")", 100),
        nested("", ".b(1)?", 1_000),
        nested("", " + 1", 5_000),
        format!("fn f() {{ [{}] }}", format!("{call}, ").repeat(5_000)),
        format!(
            "fn f() {{ {} }}",
            "if a { b } else { c } *d = &e; match x { A => {} _ => {} } ".repeat(5_000)
        ),
        "/// Docs.\n#[a] #[b] pub fn f(a: &A<B>) -> C { !d }\n".repeat(5_000),
        "// a\n".repeat(50_000),
        format!("fn f() {{ match a {{ {} }} }}", "'a' | 'b' | 'c'..='d' => 1, ".repeat(5_000)),
    ] {
        // With a key, so that the tokens are parsed.
        let unparsed = testing::scan("a.rs", &format!("{text}// failure_kind\n")).unparsed;
        assert!(unparsed.is_none(), "{} {unparsed:?}", &text[..60]);
    }
    for text in [
        nested("(", ")", 100_000),
        nested("!", "", 100_000),
        nested("&", "", 100_000),
        nested("||", "", 100_000),
        nested("|a, b|", "", 100_000),
        nested("|a|", "", 100_000),
        nested("return ", "", 100_000),
        nested("a = ", "", 100_000),
        nested(".. ", "", 100_000),
        nested("", "()", 100_000),
        nested("", " as A", 100_000),
        nested("if a {} else ", "", 100_000),
        nested("a(", ")", 100_000),
        format!("fn f(a: {}u8{}) {{}}", "Box<".repeat(100_000), ">".repeat(100_000)),
        format!("fn f(a: {}u8) {{}}", "Box<A, ".repeat(100_000)),
        format!("fn f(a: {}u8) {{}}", "&".repeat(100_000)),
        format!("fn f(a: {}u8) {{}}", "for<'a, 'b> fn(A, B) -> ".repeat(100_000)),
        format!("fn f() {}{{}}", "-> impl Fn() ".repeat(100_000)),
        format!("use {}b;", "a::".repeat(100_000)),
    ] {
        let unparsed = testing::scan("a.rs", &text).unparsed.expect(&text[..60]);
        assert_eq!(unparsed.why, "nested too deeply");
        assert!(unparsed.at > 5, "{}", &text[..60]);
    }
}

#[test]
fn examples_in_documentation_are_code() {
    let text = "//! ```\n//! # use x;\n//! # fn f() {\n//! r.failure_kind = \"a\";\n//! # }\n//! ```\n\n\
                /// Text `failure_kind: x`.\n///\n/// ```no_run\n/// failure_kind == \"b\"\n/// ```\n\
                /// ```text\n/// failure_kind = \"x\"\n/// ```\n\
                /// ```compile_fail\n/// f.failure_kind = \"x\";\n/// ```\nfn f() {}\n\n\
                /** ```rust\n * let failure_kind = \"c\";\n * ``` */\nmod m {}\n";
    assert_eq!(rust(text), ["failure_kind=a", "failure_kind~b", "failure_kind=c"]);
}

#[test]
fn calls_and_loops() {
    assert_eq!(
        body(r#"for failure_kind in ["a", "b"] {} for failure_kind in kinds {}"#),
        ["failure_kind=a", "failure_kind=b"]
    );
    assert_eq!(body(r#"Row::builder().failure_kind("a").kind("x").build();"#), ["failure_kind=a"]);
    assert_eq!(
        body(r#"row.failure_kind.eq("a"); ["b", "c"].contains(&row.failure_kind);"#),
        ["failure_kind~a", "failure_kind~b", "failure_kind~c"]
    );
    assert_eq!(body(r#"row.get("failure_kind").unwrap_or("a");"#), ["failure_kind|a"]);
}

#[test]
fn tables_that_give_columns_a_type_or_a_title() {
    for text in [
        r#"let pair = ("failure_kind", "stage");"#,
        r#"Column::new("failure_kind", "TEXT NOT NULL");"#,
        r#"let columns = [("failure_kind", "VARCHAR")];"#,
        r#"schema.field("failure_kind", "keyword");"#,
    ] {
        assert_eq!(body(text), [""; 0], "{text}");
    }
}

/// The text with the import of the first position inserted, up to that place.
fn import(text: &str) -> Option<String> {
    let found = testing::scan("a.rs", text);
    let bare = found.positions[0].bare.as_ref().unwrap();
    assert_eq!(bare.form, Form::Kind);
    let (at, insert) = bare.import.as_ref()?;
    Some(format!("{}{insert}{}", &text[..*at], &text[*at..]))
}

#[test]
fn the_import_goes_where_imports_are() {
    let code = "fn f() { let failure_kind = \"a\"; }\n";
    let imported = "use failure_kinds::failure_kind;";
    assert_eq!(import(code).unwrap(), format!("{imported}\n\n{code}"));
    assert_eq!(
        import(&format!("//! Docs.\n\nuse a::b;\n\n{code}")).unwrap(),
        format!("//! Docs.\n\n{imported}\nuse a::b;\n\n{code}")
    );
    assert_eq!(
        import(&format!("//! Docs.\n#![allow(x)]\n\n{code}")).unwrap(),
        format!("//! Docs.\n#![allow(x)]\n\n{imported}\n\n{code}")
    );
    assert_eq!(
        import(&format!("// Licence.\n\n{code}")).unwrap(),
        format!("// Licence.\n\n{imported}\n\n{code}")
    );
    assert_eq!(
        import(&format!("mod m {{\n    {code}}}\n")).unwrap(),
        format!("mod m {{\n    {imported}\n\n    {code}}}\n")
    );
    for there in [
        "use failure_kinds::failure_kind;\n",
        "use failure_kinds::{FailureKind, failure_kind};\n",
        "use failure_kinds::*;\n",
        "use prelude::failure_kind;\n",
        "#[macro_use] extern crate failure_kinds;\n",
    ] {
        assert_eq!(import(&format!("{there}{code}")), None, "{there}");
    }
}

/// How each bare string of a function's body would be fixed.
fn forms(text: &str) -> Vec<Form> {
    let found = testing::scan("a.rs", &format!("fn f() {{ {text} }}"));
    found.positions.iter().map(|position| position.bare.as_ref().unwrap().form).collect()
}

#[test]
fn the_form_of_a_fix_follows_its_place() {
    use Form::{Kind, Report, Text};
    assert_eq!(forms(r#"let failure_kind = "a"; Row { failure_kind: Some("b") };"#), [Kind, Kind]);
    assert_eq!(forms(r#"failure_kind == "a"; "b" != row.failure_kind;"#), [Text, Text]);
    assert_eq!(
        forms(r#"r.failure_kind = "a".to_owned(); r.failure_kind = String::from("b");"#),
        [Text, Text]
    );
    assert_eq!(
        forms(r#"json!({ "failure_kind": "a" }); warn!(failure_kind = "b", "text");"#),
        [Text, Text]
    );
    assert_eq!(
        forms(r#"span.record("failure_kind", "a"); map.insert("failure_kind", "b");"#),
        [Text, Report]
    );
    assert_eq!(
        forms(
            r#"map.insert("failure_kind", "a".to_owned()); HashMap::from([("failure_kind", "b")]);"#
        ),
        [Text, Report]
    );
    assert_eq!(
        forms(r#"counter!("n", "failure_kind" => "a"); m!(x y Row { failure_kind: "b" });"#),
        [Report, Report]
    );
    assert_eq!(
        forms(r#"r.failure_kind = &"a"; r.failure_kind = Cow::Borrowed("b");"#),
        [Report, Report]
    );
    assert_eq!(forms(r#"match failure_kind { "a" => 1, _ => 2 };"#), [Report]);
}

#[test]
fn a_file_without_a_key_is_only_split_into_tokens() {
    let unparsed = |text| testing::scan("a.rs", text).unparsed.is_some();
    assert!(unparsed("fn f( {}"));
    assert!(unparsed("const A: &str = \"a;"));
    assert!(!unparsed("fn f() { let = ; }"));
    assert!(unparsed("fn f() { let = ; /* failure_kind */ }"));
}

#[test]
fn a_key_that_is_spelled_with_escapes_is_a_key() {
    for key in ["failure\\x5fkind", "failure\\u{5f}kind", "failure_\\\n  kind"] {
        let text = format!("fn f() {{ row.insert(\"{key}\", \"a\"); }}");
        assert_eq!(rust(&text), ["failure_kind=a"], "{key}");
    }
}
