//! Absent, cleared and set; key by key; validated as a whole.

use failure_kinds::FailureClass::{Evaluation, Model, Unknown};
use failure_kinds::{
    Evidence, FailureClassificationConfig, FailureClassificationOverrides, FailureStage,
    HttpEvidence, HttpStatusKey, StageClassificationConfig, StageClassificationOverrides, kinds,
};

use super::{config, decided, overrides};

#[test]
fn nothing_changes_nothing() {
    for json in ["{}", r#"{"stages":{}}"#, r#"{"stages":{"agent":{"kinds":{}}},"kinds":{}}"#] {
        assert_eq!(config(json), FailureClassificationConfig::default());
        assert!(overrides(json).is_empty());
    }
}

#[test]
fn c231_a_partial_stage_keeps_what_it_does_not_name() {
    let changed =
        config(r#"{"stages":{"verification":{"kinds":{"provider_unavailable":"model"}}}}"#);
    let verification = Evidence::new().stage(FailureStage::Verification).admit_stage();
    let at = |kind| decided(&changed, &verification.kind(kind)).1;
    assert_eq!(at("provider_unavailable"), "stage verification: provider_unavailable");
    assert_eq!(at("judge_failed"), "stage verification: default");
    for &stage in FailureStage::ALL {
        if stage != FailureStage::Verification {
            let default = FailureClassificationConfig::shared_default();
            assert_eq!(changed.stage(stage), default.stage(stage));
        }
    }
    // Null is neither absence nor a cleared stage.
    let error =
        FailureClassificationOverrides::from_json_str(r#"{"stages":{"verification":null}}"#);
    assert_eq!(error.unwrap_err().faults()[0].path(), "stages.verification");
}

#[test]
fn a_cleared_exact_status_lets_its_pattern_apply() {
    let json = r#"{"class_by_http_status":{"5xx":"evaluation","503":"model"}}"#;
    let http_503 = Evidence::new().kind("agent_run_error").http_status(&503);
    let set = FailureClassificationConfig::default().with_overrides(overrides(json)).unwrap();
    assert_eq!(decided(&set, &http_503), ("model".into(), "http status 503".into()));
    for cleared in ["null", r#""none""#] {
        let cleared = overrides(&format!(r#"{{"class_by_http_status":{{"503":{cleared}}}}}"#));
        let cleared = set.clone().with_overrides(cleared).unwrap();
        assert_eq!(decided(&cleared, &http_503), ("evaluation".into(), "http status 5xx".into()));
    }
}

#[test]
fn a_cleared_kind_of_a_stage_lets_the_default_apply() {
    let timeout = Evidence::new().kind("agent_timeout").stage(FailureStage::Agent).admit_stage();
    let cleared = r#"{"stages":{"agent":{"default":"evaluation","kinds":{"agent_timeout":null}}}}"#;
    assert_eq!(decided(&config(cleared), &timeout).1, "stage agent: default");
    let cleared = r#"{"stages":{"agent":{"kinds":{"agent_timeout":"none"}}}}"#;
    assert_eq!(decided(&config(cleared), &timeout).1, "fallback");
}

#[test]
fn a_cleared_stage_default_falls_back() {
    let cleared = config(r#"{"stages":{"seed":{"default":"none"}}}"#);
    let seed = Evidence::new().kind("judge_failed").stage(FailureStage::Seed).admit_stage();
    assert_eq!(decided(&cleared, &seed).1, "kind judge_failed");
}

#[test]
fn a_cleared_label_falls_back_to_the_kind() {
    let cleared = config(r#"{"http_evidence":{"http_rate_limited":"none"}}"#);
    let limited = Evidence::new().kind("provider_unavailable").http_status(&429);
    assert_eq!(decided(&cleared, &limited).1, "kind provider_unavailable");
    assert_eq!(cleared.http_evidence(HttpEvidence::Timeout), Some(Evaluation));
}

#[test]
fn a_cleared_kind_hides_the_default_of_the_vocabulary() {
    let failed = Evidence::new().kind("judge_failed");
    let cleared = config(r#"{"kinds":{"judge_failed":null},"unknown":"model"}"#);
    assert_eq!(decided(&cleared, &failed), ("model".into(), "fallback".into()));
    // `unknown` would stop the search.
    let stopped = config(r#"{"kinds":{"judge_failed":"unknown"},"unknown":"model"}"#);
    assert_eq!(decided(&stopped, &failed), ("unknown".into(), "kind judge_failed".into()));
}

#[test]
fn later_overrides_take_precedence() {
    let first = overrides(
        r#"{"stages":{"agent":{"default":"model","kinds":{"cancelled":"model"}}},
            "kinds":{"judge_failed":"model"},"unknown":"model"}"#,
    );
    let later = overrides(
        r#"{"stages":{"agent":{"kinds":{"cancelled":"none","shutdown":"model"}}},
            "kinds":{"judge_failed":"evaluation"}}"#,
    );
    let merged = FailureClassificationConfig::default().with_overrides(first.merge(later)).unwrap();
    let agent = merged.stage(FailureStage::Agent);
    assert_eq!(agent.default_class(), Some(Model));
    let class = |name| agent.kinds().find(|(kind, _)| *kind == name).map(|(_, class)| class);
    assert_eq!(class("agent_timeout"), Some(Some(Model)), "what is not named stays");
    assert_eq!(class("cancelled"), Some(None));
    assert_eq!(class("shutdown"), Some(Some(Model)));
    assert_eq!(merged.kinds().collect::<Vec<_>>(), [(&kinds::JUDGE_FAILED, Some(Evaluation))]);
    assert_eq!(merged.unknown(), Model);
}

#[test]
fn merging_comes_before_validation() {
    let wrong: FailureClassificationOverrides =
        serde_json::from_str(r#"{"stages":{"agent":{"default":"modle"}}}"#).unwrap();
    let error = FailureClassificationConfig::default().with_overrides(wrong.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "stages.agent.default: `modle` is not a class; a similar one is `model`"
    );
    let right = overrides(r#"{"stages":{"agent":{"default":"model"}}}"#);
    let config = FailureClassificationConfig::default().with_overrides(wrong.merge(right)).unwrap();
    assert_eq!(config.stage(FailureStage::Agent).default_class(), Some(Model));
}

#[test]
fn overrides_can_be_built() {
    let mut built = FailureClassificationOverrides::new();
    built
        .set_http_status(HttpStatusKey::parse("5xx").unwrap(), Evaluation)
        .set_http_evidence(HttpEvidence::Auth, None)
        .set_kind(&kinds::CANCELLED, Unknown)
        .set_unknown(Model)
        .stage_mut(FailureStage::Agent)
        .set_default(Model)
        .set_kind(&kinds::AGENT_TIMEOUT, None);
    let read = overrides(
        r#"{"class_by_http_status":{"5xx":"evaluation"},
            "stages":{"agent":{"default":"model","kinds":{"agent_timeout":null}}},
            "http_evidence":{"http_auth":"none"},"kinds":{"cancelled":"unknown"},"unknown":"model"}"#,
    );
    assert_eq!(built, read);
    assert!(!built.is_empty());
}

#[test]
fn one_stage_has_overrides_of_its_own() {
    let mut agent = StageClassificationConfig::new();
    agent.set_default(Model).set_kind(kinds::CANCELLED, Evaluation);
    let mut overrides = StageClassificationOverrides::new();
    overrides.set_kind(&kinds::CANCELLED, None);
    let agent = agent.with_overrides(overrides).unwrap();
    assert_eq!(agent.default_class(), Some(Model));

    let wrong: StageClassificationOverrides =
        serde_json::from_str(r#"{"kinds":{"provider_oom_kiled":"model"}}"#).unwrap();
    let error = StageClassificationConfig::new().with_overrides(wrong).unwrap_err();
    assert_eq!(
        error.with_path_prefix("environments.browser.agent").faults()[0].path(),
        "environments.browser.agent.kinds.provider_oom_kiled"
    );
}

#[test]
fn c166_a_kind_implies_no_stage() {
    // A row without a stage keeps none, whatever its kind: stage rules do not apply.
    let config = config(r#"{"stages":{"agent":{"kinds":{"transport_timeout":"model"}}}}"#);
    let row = Evidence::new().kind("transport_timeout").admit_stage();
    assert_eq!(decided(&config, &row), ("evaluation".into(), "kind transport_timeout".into()));
}

#[test]
fn c91_an_operator_decides_out_of_memory_by_stage() {
    let config = config(r#"{"stages":{"agent":{"kinds":{"provider_oom_killed":"evaluation"}}}}"#);
    let oom = Evidence::new().kind("provider_oom_killed");
    assert_eq!(decided(&config, &oom), ("unknown".into(), "fallback".into()));
    let agent = oom.stage(FailureStage::Agent);
    assert_eq!(decided(&config, &agent), ("unknown".into(), "fallback".into()), "not admitted");
    assert_eq!(
        decided(&config, &agent.admit_stage()),
        ("evaluation".into(), "stage agent: provider_oom_killed".into())
    );
}

#[test]
fn c97_a_configured_502_wins_over_out_of_memory() {
    let config = config(r#"{"class_by_http_status":{"502":"evaluation"}}"#);
    let evidence = Evidence::new()
        .kind("provider_oom_killed")
        .stage(FailureStage::Agent)
        .admit_stage()
        .http_status(&502);
    assert_eq!(decided(&config, &evidence), ("evaluation".into(), "http status 502".into()));
}

#[test]
fn c159_a_fallback_other_than_unknown_is_a_choice() {
    let odd = Evidence::new().kind("my_server:odd_case");
    let default = FailureClassificationConfig::default();
    assert_eq!(decided(&default, &odd), ("unknown".into(), "fallback".into()));
    assert_eq!(decided(&config(r#"{"unknown":"evaluation"}"#), &odd).0, "evaluation");
}

#[test]
fn c160_only_supplied_evidence_counts() {
    // The handled 429 of an inner retry is not given, so no rule for it applies: there is no
    // place for an error value or its causes.
    let config = config(r#"{"class_by_http_status":{"429":"model"}}"#);
    let outer = Evidence::new().kind("my_server:key_error");
    assert_eq!(decided(&config, &outer), ("unknown".into(), "fallback".into()));
}
