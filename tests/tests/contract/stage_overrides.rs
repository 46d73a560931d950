//! `#[derive(StageOverrides)]`, as `macros.md` of the contract says.

use failure_kinds::FailureClass::{Evaluation, Model};
use failure_kinds::{
    ConfigCode, Evidence, FailureClass, FailureClassificationConfig,
    FailureClassificationOverrides, FailureKind, FailureStage, StageClassificationConfig,
    StageClassificationOverrides, StageOverrides, kinds,
};

/// Who answers for what in the browser environment.
#[derive(Debug, Clone, PartialEq, StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"))]
pub(crate) struct BrowserEnv {
    /// The episode proper.
    #[stage(default = "model", "browser_env:tab_crashed" = "evaluation", "provider_oom_killed" = "evaluation")]
    agent: StageClassificationConfig,
    #[stage(default = "evaluation")]
    verification: StageClassificationConfig,
}

fn entries(stage: &StageClassificationConfig) -> Vec<(&str, Option<FailureClass>)> {
    stage.kinds().map(|(kind, class)| (kind.as_str(), class)).collect()
}

#[test]
fn the_default_comes_from_the_attributes_alone() {
    let env = BrowserEnv::default();
    assert_eq!(env.agent.default_class(), Some(Model));
    assert_eq!(
        entries(&env.agent),
        [("browser_env:tab_crashed", Some(Evaluation)), ("provider_oom_killed", Some(Evaluation))]
    );
    assert_eq!(env.verification.default_class(), Some(Evaluation));
    assert_eq!(entries(&env.verification), []);
}

#[test]
fn declared_names_are_known() {
    const IN_A_CONSTANT: FailureKind = BrowserEnv::CAPTCHA_WALL;
    assert_eq!(BrowserEnv::SERVER, Some("browser_env"));
    assert_eq!(BrowserEnv::STAGES, [FailureStage::Agent, FailureStage::Verification]);
    assert_eq!(BrowserEnv::KINDS, [BrowserEnv::TAB_CRASHED, BrowserEnv::CAPTCHA_WALL]);
    assert_eq!(BrowserEnv::TAB_CRASHED, "browser_env:tab_crashed");
    assert!(IN_A_CONSTANT.is_extension());
}

#[test]
fn a_partial_override_keeps_what_it_does_not_name() {
    let overrides: BrowserEnvOverrides = serde_json::from_str(
        r#"{"agent":{"default":"none","kinds":{"cancelled":"model","provider_oom_killed":null}}}"#,
    )
    .unwrap();
    assert_eq!(overrides.verification, None);
    let env = BrowserEnv::default().with_overrides(overrides).unwrap();
    assert_eq!(env.agent.default_class(), None);
    assert_eq!(
        entries(&env.agent),
        [
            ("browser_env:tab_crashed", Some(Evaluation)),
            ("cancelled", Some(Model)),
            ("provider_oom_killed", None),
        ]
    );
    assert_eq!(env.verification, BrowserEnv::default().verification);
    let nothing = BrowserEnvOverrides::default();
    assert_eq!(BrowserEnv::default().with_overrides(nothing).unwrap(), BrowserEnv::default());
}

#[test]
fn overrides_are_built_too() {
    let mut agent = StageClassificationOverrides::new();
    agent.set_default(Evaluation);
    let overrides = BrowserEnvOverrides { agent: Some(agent), ..Default::default() };
    let json = serde_json::to_string(&overrides).unwrap();
    assert_eq!(json, r#"{"agent":{"default":"evaluation"}}"#);
    assert_eq!(serde_json::from_str::<BrowserEnvOverrides>(&json).unwrap(), overrides);
    assert_eq!(
        toml::from_str::<BrowserEnvOverrides>("agent.default = \"evaluation\"").unwrap(),
        overrides
    );
    assert_eq!(
        serde_saphyr::from_str::<BrowserEnvOverrides>("agent: { default: evaluation }").unwrap(),
        overrides
    );
}

#[test]
fn errors_carry_their_paths() {
    let overrides: BrowserEnvOverrides = serde_json::from_str(
        r#"{"agent":{"kinds":{"provider_oom_kiled":"model"}},"verification":{"default":"modle"}}"#,
    )
    .unwrap();
    let error = BrowserEnv::default().with_overrides(overrides).unwrap_err();
    assert_eq!(
        error.with_path_prefix("environments.browser").to_string(),
        "environments.browser.agent.kinds.provider_oom_kiled: `provider_oom_kiled` is not a registered failure kind; \
         a similar name is registered: `provider_oom_killed`\n\
         environments.browser.verification.default: `modle` is not a class; a similar one is `model`"
    );
}

#[test]
fn an_undeclared_extension_of_the_own_server_is_rejected() {
    let json = serde_json::json!({
        "agent": { "kinds": {
            "browser_env:tab_crashd": "model",
            "browser_env:captcha_wall": "model",
            "other_env:tab_crashd": "model",
        } },
        "verification": { "kinds": { "browser_env:proxy_died": "evaluation" } },
    });
    let overrides: BrowserEnvOverrides = serde_json::from_value(json.clone()).unwrap();
    let merged = BrowserEnv::default().with_overrides(overrides).unwrap_err();
    let from_value = BrowserEnv::from_value(json).unwrap_err();
    for error in [merged, from_value] {
        assert_eq!(
            error.to_string(),
            "agent.kinds.browser_env:tab_crashd: `browser_env:tab_crashd` is not a declared kind of \
             `browser_env`; a similar one is `browser_env:tab_crashed`\n\
             verification.kinds.browser_env:proxy_died: `browser_env:proxy_died` is not a declared kind \
             of `browser_env`; the declared kinds are `browser_env:tab_crashed` and \
             `browser_env:captcha_wall`"
        );
        assert!(error.faults().iter().all(|fault| fault.code() == ConfigCode::UndeclaredKind));
        assert_eq!(error.faults()[0].suggestion(), Some("browser_env:tab_crashed"));
    }
    // A whole configuration does not know what an environment declares.
    let whole = r#"{"kinds":{"browser_env:tab_crashd":"model"}}"#;
    assert!(FailureClassificationOverrides::from_json_str(whole).is_ok());
}

#[test]
fn unknown_keys_are_rejected() {
    let error = serde_json::from_str::<BrowserEnvOverrides>(
        r#"{"agnet":{},"cleanup":{"kind":{}},"verification":null}"#,
    )
    .unwrap_err()
    .to_string();
    for line in [
        "agnet: `agnet` is not a stage of this configuration; a similar one is `agent`",
        "cleanup: `cleanup` is not a stage of this configuration; the stages here are `agent` and `verification`",
        "cleanup.kind: `kind` is not a key here; a similar one is `kinds`",
        "verification: expected a map with `default` and `kinds`, found null",
    ] {
        assert!(error.contains(line), "{error}");
    }
}

#[test]
fn a_value_is_a_configuration_or_has_every_fault_reported() {
    let value = serde_json::json!({ "verification": { "default": "model" } });
    let env = BrowserEnv::from_value(value).unwrap();
    assert_eq!(env.verification.default_class(), Some(Model));
    assert_eq!(env.agent, BrowserEnv::default().agent);

    let value = serde_json::json!({
        "agent": { "default": 1, "kinds": { "judge_faild": "model" } },
        "seed": { "default": "evaluation" },
    });
    let error = BrowserEnv::from_value(value).unwrap_err();
    let paths: Vec<_> = error.faults().iter().map(failure_kinds::ConfigFault::path).collect();
    assert_eq!(paths, ["agent.default", "agent.kinds.judge_faild", "seed"]);
}

#[test]
fn c222_raw_identifiers_are_keys_without_their_prefix() {
    #[derive(StageOverrides)]
    struct Env {
        r#agent: StageClassificationConfig,
        #[stage(r#seed, default = "model")]
        r#type: StageClassificationConfig,
    }
    assert_eq!(Env::STAGES, [FailureStage::Agent, FailureStage::Seed]);
    let value = serde_json::json!({ "seed": { "default": "none" }, "agent": {} });
    let overrides: EnvOverrides = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&overrides).unwrap(), value);
    let env = Env::default().with_overrides(overrides).unwrap();
    assert_eq!((env.r#type.default_class(), env.r#agent.default_class()), (None, None));
    assert!(serde_json::from_str::<EnvOverrides>(r#"{"type":{}}"#).is_err());
}

#[test]
fn c225_a_field_that_is_configured_away_has_no_stage() {
    #[derive(StageOverrides)]
    struct Env {
        #[cfg(not(test))]
        agent: StageClassificationConfig,
        #[cfg(test)]
        #[stage(default = "model")]
        verification: StageClassificationConfig,
        seed: StageClassificationConfig,
    }
    assert_eq!(Env::STAGES, [FailureStage::Verification, FailureStage::Seed]);
    let overrides = EnvOverrides { verification: None, seed: None };
    let env = Env::default().with_overrides(overrides).unwrap();
    let base = FailureClassificationConfig::shared_default();
    let config = env.classification(base);
    assert_eq!(config.stage(FailureStage::Verification).default_class(), Some(Model));
    assert_eq!(config.stage(FailureStage::Seed).default_class(), None);
    assert_eq!(config.stage(FailureStage::Agent), base.stage(FailureStage::Agent));
    let error = Env::from_value(serde_json::json!({ "agent": {} })).map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "agent: `agent` is not a stage of this configuration; \
         the stages here are `verification` and `seed`"
    );
}

#[test]
fn the_partial_form_implements_what_a_configuration_needs() {
    fn implements<T>()
    where
        T: std::fmt::Debug + Clone + Default + PartialEq + Eq + Send + Sync,
        T: serde::Serialize + serde::de::DeserializeOwned + schemars::JsonSchema,
    {
    }
    implements::<BrowserEnvOverrides>();
}

#[test]
fn the_declared_stages_are_applied_over_a_base() {
    let mut base = FailureClassificationConfig::default();
    base.stage_mut(FailureStage::Verification).set_kind(kinds::CANCELLED, Model);
    base.set_unknown(Evaluation);
    let config = BrowserEnv::default().classification(&base);
    assert_eq!(config.stage(FailureStage::Agent).default_class(), Some(Model));
    let agent = entries(config.stage(FailureStage::Agent));
    for entry in [
        ("agent_timeout", Some(Model)),
        ("browser_env:tab_crashed", Some(Evaluation)),
        ("provider_oom_killed", Some(Evaluation)),
    ] {
        assert!(agent.contains(&entry), "{entry:?}");
    }
    assert_eq!(entries(config.stage(FailureStage::Verification)), [("cancelled", Some(Model))]);
    assert_eq!(config.stage(FailureStage::Seed), base.stage(FailureStage::Seed));
    assert_eq!(config.unknown(), Evaluation);

    // A declared stage without a default has none.
    let overrides = BrowserEnvOverrides {
        verification: Some({
            let mut cleared = StageClassificationOverrides::new();
            cleared.set_default(None);
            cleared
        }),
        ..Default::default()
    };
    let env = BrowserEnv::default().with_overrides(overrides).unwrap();
    assert_eq!(env.classification(&base).stage(FailureStage::Verification).default_class(), None);

    let kind = BrowserEnv::TAB_CRASHED;
    let crashed = Evidence::new().kind(kind.as_str()).stage(FailureStage::Agent).admit_stage();
    let classification = config.classify(&crashed);
    assert_eq!(classification.rule.to_string(), "stage agent: browser_env:tab_crashed");
    assert_eq!(classification.class, Evaluation);
}
