use failure_kinds::FailureClass::{Evaluation, Model, Unknown};
use failure_kinds::{
    Classification, Evidence, FailureClass, FailureClassificationConfig,
    FailureClassificationOverrides, FailureKind, FailureStage, HttpEvidence, HttpStatusKey,
    StageClassificationConfig, is_namespaced, is_registered, is_rejudged, kinds,
};
use serde_json::{Value, json};

fn default(evidence: &Evidence<'_>) -> Classification {
    FailureClassificationConfig::shared_default().classify(evidence)
}

fn decided(classification: &Classification) -> (FailureClass, &'static str, String) {
    (classification.class, classification.rule.as_str(), classification.rule.to_string())
}

/// A configuration that has or lacks each rule for one failure.
fn config([status, stage, default, http, call, kind]: [bool; 6]) -> FailureClassificationConfig {
    let mut config = FailureClassificationConfig::default();
    *config.stage_mut(FailureStage::Agent) = StageClassificationConfig::new();
    if status {
        config.set_http_status(HttpStatusKey::parse("502").unwrap(), Unknown);
    }
    if stage {
        config.stage_mut(FailureStage::Agent).set_kind(kinds::AGENT_RUN_ERROR, Model);
    }
    config.stage_mut(FailureStage::Agent).set_default(default.then_some(Evaluation));
    config.set_http_evidence(HttpEvidence::Gateway, http.then_some(Evaluation));
    config.set_http_evidence(HttpEvidence::ServerError, call.then_some(Unknown));
    config.set_kind(kinds::AGENT_RUN_ERROR, kind.then_some(Model));
    config
}

#[test]
fn precedence_holds_for_every_combination() {
    for bits in 0..1 << 9_u32 {
        let [status, stage, default, http, call, kind, admitted, own_status, call_status] =
            core::array::from_fn(|bit| bits >> bit & 1 == 1);
        let mut evidence = Evidence::new()
            .kind("agent_run_error")
            .stage(FailureStage::Agent)
            .http_status(&own_status.then_some(502))
            .call_status(&call_status.then_some(500));
        if admitted {
            evidence = evidence.admit_stage();
        }
        let classification = config([status, stage, default, http, call, kind]).classify(&evidence);
        let expected = if status && own_status {
            (Unknown, "http_status_override", "http status 502")
        } else if stage && admitted {
            (Model, "stage_kind", "stage agent: agent_run_error")
        } else if default && admitted {
            (Evaluation, "stage_default", "stage agent: default")
        } else if http && own_status {
            (Evaluation, "http_evidence", "http evidence http_gateway")
        } else if call && call_status {
            (Unknown, "call_evidence", "call evidence http_server_error")
        } else if kind {
            (Model, "kind", "kind agent_run_error")
        } else {
            (Unknown, "fallback", "fallback")
        };
        let (class, rule, shown) = decided(&classification);
        assert_eq!((class, rule, shown.as_str()), expected, "{bits:09b}");
        assert_eq!(classification.http, own_status.then_some(HttpEvidence::Gateway));
        assert!(!classification.via_legacy && !classification.server);
    }
}

#[test]
fn the_last_call_decides_where_the_own_label_has_no_class() {
    let failed = Evidence::new().kind("agent_run_error").http_status(&500);
    for (status, expected) in [
        (401, (Evaluation, "call evidence http_auth")),
        (408, (Evaluation, "call evidence http_timeout")),
        (413, (Unknown, "fallback")),
        (429, (Evaluation, "call evidence http_rate_limited")),
        (503, (Evaluation, "call evidence http_gateway")),
        (404, (Unknown, "fallback")),
        (500, (Unknown, "fallback")),
        (200, (Unknown, "fallback")),
    ] {
        let classification = default(&failed.call_status(&status));
        let (class, _, rule) = decided(&classification);
        assert_eq!((class, rule.as_str()), expected, "{status}");
        assert_eq!(classification.http, Some(HttpEvidence::ServerError), "{status}");
    }
    // A label of the row that has a class comes first.
    let gateway = default(&failed.http_status(&502).call_status(&429));
    assert_eq!(decided(&gateway).2, "http evidence http_gateway");
    // `http_evidence` governs both, and a cleared label falls through to the kind.
    let mut config = FailureClassificationConfig::default();
    config
        .set_http_evidence(HttpEvidence::RateLimited, None)
        .set_kind(kinds::AGENT_RUN_ERROR, Model);
    let cleared = config.classify(&failed.call_status(&429));
    assert_eq!(decided(&cleared).2, "kind agent_run_error");
}

#[test]
fn a_class_by_http_status_does_not_apply_to_the_last_call() {
    let mut config = FailureClassificationConfig::default();
    config.set_http_status(HttpStatusKey::parse("4xx").unwrap(), Model);
    let evidence = Evidence::new().kind("agent_run_error").call_status(&429);
    assert_eq!(decided(&config.classify(&evidence)).2, "call evidence http_rate_limited");
    assert_eq!(config.classify(&evidence).http, None);
}

#[test]
fn a_call_status_that_is_not_an_integer_is_not_evidence() {
    for status in [json!("429"), json!(429.0), json!(null), json!(4290), json!(-429)] {
        let evidence = Evidence::new().kind("agent_run_error").call_status(&status);
        assert_eq!(decided(&default(&evidence)).1, "fallback", "{status}");
    }
}

#[test]
fn an_admitted_stage_decides_before_the_kind() {
    let at =
        |stage, kind| decided(&default(&Evidence::new().kind(kind).stage(stage).admit_stage()));
    for kind in ["agent_timeout", "judge_failed", "oops", "my_server:odd"] {
        let expected = (Evaluation, "stage_default", "stage seed: default".to_owned());
        assert_eq!(at(FailureStage::Seed, kind), expected);
    }
    let oom = (Model, "stage_kind", "stage agent: provider_oom_killed".to_owned());
    assert_eq!(at(FailureStage::Agent, "provider_oom_killed"), oom);
    // Neither an entry nor a default: later rules decide.
    let judge = (Evaluation, "kind", "kind judge_failed".to_owned());
    assert_eq!(at(FailureStage::Agent, "judge_failed"), judge);
    assert_eq!(at(FailureStage::Agent, "oops"), (Unknown, "fallback", "fallback".to_owned()));
}

#[test]
fn an_observed_stage_that_was_not_admitted_decides_nothing() {
    let evidence = Evidence::new().kind("provider_oom_killed").stage(FailureStage::Agent);
    assert_eq!(decided(&default(&evidence)).0, Unknown);
    assert_eq!(decided(&default(&evidence.admit_stage())).0, Model);
}

#[test]
fn a_pattern_applies_where_no_exact_status_does() {
    let key = |text| HttpStatusKey::parse(text).unwrap();
    let mut config = FailureClassificationConfig::default();
    config.set_http_status(key("5xx"), Model).set_http_status(key("503"), Evaluation);
    let class = |config: &FailureClassificationConfig, status: u16| {
        let classification = config.classify(&Evidence::new().http_status(&status));
        (classification.class, classification.rule.to_string())
    };
    assert_eq!(class(&config, 503), (Evaluation, "http status 503".to_owned()));
    assert_eq!(class(&config, 500), (Model, "http status 5xx".to_owned()));
    assert_eq!(class(&config, 404), (Unknown, "fallback".to_owned()));
    config.set_http_status(key("503"), None);
    assert_eq!(class(&config, 503), (Model, "http status 5xx".to_owned()));
}

#[test]
fn status_keys_are_three_digits_or_a_pattern() {
    for text in ["100", "429", "599", "1xx", "5xx"] {
        assert_eq!(HttpStatusKey::parse(text).unwrap().to_string(), text);
    }
    for text in ["", "99", "099", "600", "0xx", "6xx", "5XX", "50x", "5xxx", " 429", "+29", "503.0"]
    {
        assert_eq!(HttpStatusKey::parse(text), None, "{text:?}");
    }
}

#[test]
fn a_cleared_entry_counts_as_missing() {
    let mut config = FailureClassificationConfig::default();
    let timeout = Evidence::new().kind("agent_timeout").stage(FailureStage::Agent).admit_stage();
    config
        .stage_mut(FailureStage::Agent)
        .set_kind(kinds::AGENT_TIMEOUT, None)
        .set_default(Evaluation);
    assert_eq!(decided(&config.classify(&timeout)).1, "stage_default");
    config.stage_mut(FailureStage::Agent).set_default(None);
    assert_eq!(decided(&config.classify(&timeout)).1, "fallback");

    config.set_kind(kinds::JUDGE_FAILED, None);
    assert_eq!(decided(&config.classify(&Evidence::new().kind("judge_failed"))).1, "fallback");

    config.set_http_evidence(HttpEvidence::RateLimited, None);
    let limited = Evidence::new().kind("provider_unavailable").http_status(&429);
    assert_eq!(decided(&config.classify(&limited)).2, "kind provider_unavailable");
}

#[test]
fn an_explicit_unknown_stops_the_search_and_keeps_its_rule() {
    let mut config = FailureClassificationConfig::default();
    config.set_http_evidence(HttpEvidence::Gateway, Unknown).set_unknown(Model);
    let evidence = Evidence::new().kind("judge_failed").http_status(&502);
    assert_eq!(
        decided(&config.classify(&evidence)),
        (Unknown, "http_evidence", "http evidence http_gateway".to_owned())
    );
    assert_eq!(decided(&config.classify(&Evidence::new())).0, Model);
}

#[test]
fn a_renamed_label_is_looked_up_under_its_successor() {
    let oom = default(&Evidence::new().kind("oom_killed").stage(FailureStage::Agent).admit_stage());
    assert_eq!(decided(&oom).2, "stage agent: provider_oom_killed");
    assert!(oom.via_legacy && !oom.server);

    let unreachable = default(&Evidence::new().kind("unreachable"));
    assert_eq!(decided(&unreachable).2, "kind transport_unreachable");
    assert!(unreachable.via_legacy && unreachable.server);

    // Decided by the stage's default: the successor was not what was found.
    let seed =
        default(&Evidence::new().kind("unreachable").stage(FailureStage::Seed).admit_stage());
    assert_eq!(decided(&seed).1, "stage_default");
    assert!(!seed.via_legacy && seed.server);

    let mut config = FailureClassificationConfig::default();
    config.set_kind(FailureKind::from_static("gdpval:eval_missing"), Evaluation);
    let missing = config.classify(&Evidence::new().kind("eval_missing"));
    assert_eq!(decided(&missing).2, "kind gdpval:eval_missing");
    assert!(missing.via_legacy);

    let split = default(&Evidence::new().kind("timeout"));
    assert_eq!(decided(&split).1, "fallback");
    assert!(!split.via_legacy);
}

#[test]
fn c139_no_evidence_is_unknown() {
    let nothing = default(&Evidence::new());
    assert_eq!(decided(&nothing), (Unknown, "fallback", "fallback".to_owned()));
    assert_eq!(nothing.http, None);
}

#[test]
fn c20_without_a_received_status_there_is_no_http_evidence() {
    let unreachable =
        default(&Evidence::new().kind("transport_unreachable").http_status(&None::<u16>));
    assert_eq!(decided(&unreachable).2, "kind transport_unreachable");
    assert_eq!(unreachable.http, None);
}

#[test]
fn c24_c28_a_name_of_another_vocabulary_has_no_side() {
    for kind in ["missing_module", "no_tests_collected", "tests_timed_out", "server_error"] {
        let classification = default(&Evidence::new().kind(kind));
        assert_eq!(
            decided(&classification),
            (Unknown, "fallback", "fallback".to_owned()),
            "{kind}"
        );
    }
}

#[test]
fn c84_a_cap_of_the_provider_is_the_evaluations() {
    let capped = Evidence::new().kind("provider_quota_exhausted");
    assert_eq!(default(&capped).class, Evaluation);
    assert_eq!(default(&capped.http_status(&429)).class, Evaluation);
}

#[test]
fn c96_a_kill_is_not_the_models() {
    for stage in FailureStage::ALL {
        let killed = Evidence::new().kind("kill_shaped").stage(*stage).admit_stage();
        assert_eq!(default(&killed).class, Evaluation, "{stage}");
    }
}

#[test]
fn c101_an_unparseable_verdict_is_judged_again() {
    assert!(is_rejudged("judge_unparseable"));
    assert_eq!(default(&Evidence::new().kind("judge_unparseable")).class, Evaluation);
}

#[test]
fn c103_a_refused_request_has_a_label_and_no_class() {
    let refused = default(&Evidence::new().kind("agent_run_error").http_status(&400));
    assert_eq!(refused.http, Some(HttpEvidence::ClientError));
    assert_eq!(decided(&refused).1, "fallback");
}

#[test]
fn c119_a_status_of_success_is_not_evidence() {
    let classification = default(&Evidence::new().kind("judge_failed").http_status(&200));
    assert_eq!(decided(&classification).2, "kind judge_failed");
    assert!(!classification.server && classification.http.is_none());
}

#[test]
fn c91_out_of_memory_depends_on_the_admitted_stage() {
    let oom = Evidence::new().kind("provider_oom_killed");
    assert_eq!(default(&oom).class, Unknown);
    assert_eq!(default(&oom.stage(FailureStage::Agent).admit_stage()).class, Model);
    let verification = default(&oom.stage(FailureStage::Verification).admit_stage());
    assert!(verification.class == Evaluation && verification.server);
}

#[test]
fn what_is_not_a_status_is_not_evidence() {
    let mut config = FailureClassificationConfig::default();
    for pattern in ["1xx", "2xx", "3xx", "4xx", "5xx"] {
        config.set_http_status(HttpStatusKey::parse(pattern).unwrap(), Model);
    }
    let rule = |status: &Value| {
        let classification = config.classify(&Evidence::new().http_status(status));
        (classification.rule.to_string(), classification.http.is_some())
    };
    for status in [json!(99), json!(600), json!(-429), json!(4290), json!(u64::MAX)] {
        assert_eq!(rule(&status), ("fallback".to_owned(), false), "{status}");
    }
    for status in [json!("429"), json!(429.0), json!(true), json!(null), json!([429]), json!({})] {
        assert_eq!(rule(&status), ("fallback".to_owned(), false), "{status}");
    }
    assert_eq!(rule(&json!(100)), ("http status 1xx".to_owned(), false));
    assert_eq!(rule(&json!(599)), ("http status 5xx".to_owned(), true));
}

#[test]
fn c97_an_override_by_status_wins_over_stage_and_kind() {
    let mut config = FailureClassificationConfig::default();
    config.set_http_status(HttpStatusKey::parse("502").unwrap(), Evaluation);
    let evidence = Evidence::new()
        .kind("provider_oom_killed")
        .stage(FailureStage::Agent)
        .admit_stage()
        .http_status(&502);
    assert_eq!(decided(&config.classify(&evidence)).2, "http status 502");
    assert_eq!(decided(&default(&evidence)).2, "stage agent: provider_oom_killed");
}

#[test]
fn c155_a_spent_budget_is_an_extension_without_a_shared_class() {
    assert!(is_namespaced("my_agent:turn_budget") && !is_registered("turn_budget"));
    assert_eq!(default(&Evidence::new().kind("my_agent:turn_budget")).class, Unknown);
}

#[test]
fn c159_unknown_failures_stay_unknown() {
    for kind in ["my_server:odd_case", "oops", ""] {
        assert_eq!(default(&Evidence::new().kind(kind)).class, Unknown, "{kind:?}");
    }
}

#[test]
fn c183_a_float_is_not_a_key_of_a_configuration() {
    let text = r#"{"class_by_http_status":{"503.0":"evaluation"}}"#;
    let error = FailureClassificationOverrides::from_json_str(text).unwrap_err();
    let paths: Vec<_> = error.faults().iter().map(failure_kinds::ConfigFault::path).collect();
    assert_eq!(paths, [r#"class_by_http_status."503.0""#]);
}

#[test]
fn c193_a_429_never_becomes_a_quota() {
    let limited = default(&Evidence::new().kind("provider_unavailable").http_status(&429));
    assert_eq!(decided(&limited).2, "http evidence http_rate_limited");
    assert_eq!(limited.class, Evaluation);
}

#[test]
fn a_callers_configuration_never_changes_the_shared_default() {
    let mut config = FailureClassificationConfig::default();
    config.set_kind(kinds::JUDGE_FAILED, Model);
    config.stage_mut(FailureStage::Agent).set_default(Model);
    assert_ne!(config, *FailureClassificationConfig::shared_default());
    assert_eq!(
        FailureClassificationConfig::default(),
        *FailureClassificationConfig::shared_default()
    );
}
