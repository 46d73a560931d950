//! The vocabulary of the contract, stated a second time: the only test that changes when a kind, a
//! stage, a class, an HTTP label or a rule is added.

use std::fs;

use failure_kinds::{
    Classification, Evidence, FAILURE_KINDS, FailureClass, FailureClassificationConfig,
    FailureKind, FailureStage, GATE_DERIVED_KINDS, HttpEvidence, HttpStatusKey, ObservedKind,
    PROVIDER_KINDS, REJUDGE_KINDS, Rule, is_gate_derived, is_provider_kind, is_registered,
    is_rejudged, is_server_subcategory, kinds,
};
use serde_json::{Value, json};

use crate::repository::root;

/// Name, domain, class with no stage and no HTTP evidence, server subcategory.
const KINDS: &[(&str, &str, Option<&str>, bool)] = &[
    ("transport_unreachable", "transport", Some("evaluation"), true),
    ("transport_peer_drop", "transport", Some("evaluation"), true),
    ("transport_timeout", "transport", Some("evaluation"), true),
    ("transport_local_resource", "transport", Some("evaluation"), false),
    ("agent_run_error", "agent", None, false),
    ("agent_request_failed", "agent", Some("evaluation"), true),
    ("agent_timeout", "agent", None, false),
    ("agent_command_not_allowed", "agent", Some("model"), false),
    ("environment_server_failed", "environment", Some("evaluation"), true),
    ("environment_protocol_violation", "environment", Some("evaluation"), false),
    ("harness_termination_unconfirmed", "harness", Some("evaluation"), false),
    ("judge_failed", "judge", Some("evaluation"), false),
    ("judge_unparseable", "judge", Some("evaluation"), false),
    ("verifier_error", "verifier", Some("evaluation"), false),
    ("provider_unavailable", "provider", Some("evaluation"), true),
    ("provider_quota_exhausted", "provider", Some("evaluation"), false),
    ("provider_oom_killed", "provider", None, true),
    ("provider_command_outcome_unknown", "provider", None, false),
    ("session_lost", "session", Some("evaluation"), true),
    ("session_expired", "session", Some("evaluation"), true),
    ("session_release_failed", "session", Some("evaluation"), false),
    ("cancelled", "lifecycle", None, false),
    ("kill_shaped", "lifecycle", Some("evaluation"), false),
    ("shutdown", "lifecycle", Some("evaluation"), false),
    ("persistence_failed", "persistence", Some("evaluation"), false),
    ("cohort_incomplete", "cohort", Some("evaluation"), false),
];

/// The judge failures that are judged again.
const REJUDGED: [&str; 3] = ["judge_failed", "judge_unparseable", "judge_invalid"];

/// A stage: name, default, and the kinds with an entry of their own.
type Stage = (&'static str, Option<&'static str>, &'static [(&'static str, &'static str)]);

/// All stages.
const STAGES: &[Stage] = &[
    ("admission", Some("evaluation"), &[]),
    ("seed", Some("evaluation"), &[]),
    ("agent", None, &[("agent_timeout", "model"), ("provider_oom_killed", "model")]),
    ("verification", Some("evaluation"), &[]),
    ("cleanup", Some("evaluation"), &[]),
];

const CLASSES: &[&str] = &["model", "evaluation", "unknown"];

/// The rules that decide a class, in their order.
const RULES: [&str; 7] = [
    "http_status_override",
    "stage_kind",
    "stage_default",
    "http_evidence",
    "call_evidence",
    "kind",
    "fallback",
];

/// HTTP labels: statuses, label, class.
const LABELS: &[(&[u16], &str, Option<&str>)] = &[
    (&[401, 403], "http_auth", Some("evaluation")),
    (&[408, 504], "http_timeout", Some("evaluation")),
    (&[413], "http_payload_too_large", None),
    (&[429], "http_rate_limited", Some("evaluation")),
    (&[502, 503], "http_gateway", Some("evaluation")),
    (&[400, 404, 409, 422, 499], "http_client_error", None),
    (&[500, 501, 505, 529, 599], "http_server_error", None),
];

const GATE_DERIVED: [(&str, Option<&str>); 8] = [
    ("answer_cut_off", Some("model")),
    ("answer_incomplete", Some("model")),
    ("answer_empty", Some("model")),
    ("context_window_exceeded", Some("model")),
    ("final_request_failed", None),
    ("judge_reply_cut_off", Some("evaluation")),
    ("grading_sandbox_failed", Some("evaluation")),
    ("grading_unrecorded", Some("evaluation")),
];

/// Renamed labels with their successors.
const RENAMED: [(&str, &str); 11] = [
    ("protocol_violation", "environment_protocol_violation"),
    ("timeout_exceeded", "agent_timeout"),
    ("judge_invalid", "judge_unparseable"),
    ("oom_killed", "provider_oom_killed"),
    ("unreachable", "transport_unreachable"),
    ("peer_drop", "transport_peer_drop"),
    ("resource", "transport_local_resource"),
    ("reference_missing", "gdpval:reference_missing"),
    ("eval_missing", "gdpval:eval_missing"),
    ("transport_ineligible", "gdpval:transport_ineligible"),
    ("tau2_malformed_tool_call", "tau2:malformed_tool_call"),
];

/// Labels that meant several things.
const SPLIT: [&str; 17] = [
    "tau2_agent_error",
    "remote_agent_error",
    "harbor_failed",
    "legitimate",
    "transient",
    "infrastructure_error",
    "timeout",
    "sandbox",
    "eval_timeout",
    "verify_request_failed",
    "permanent",
    "skipped",
    "incomplete",
    "fatal",
    "cohort_timeout",
    "no_comparisons",
    "aggregation_failed",
];

/// Why a list of these does not match.
const BOTH: &str = "the list in this test is the contract's: add a new row here too";

fn read(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(root().join(path)).unwrap()).unwrap()
}

fn classified(evidence: &Evidence<'_>) -> Classification {
    FailureClassificationConfig::shared_default().classify(evidence)
}

/// The class of the row and the text of the rule, or what the fallback gives.
fn expected(class: Option<&str>, rule: String) -> (FailureClass, String) {
    match class {
        Some(class) => (class.parse().unwrap(), rule),
        None => (FailureClass::Unknown, "fallback".to_owned()),
    }
}

fn decided(evidence: &Evidence<'_>) -> (FailureClass, String) {
    let Classification { class, rule, .. } = classified(evidence);
    (class, rule.to_string())
}

#[test]
fn c240_the_registered_kinds_are_those_of_the_contract() {
    let names: Vec<_> = FAILURE_KINDS.iter().map(FailureKind::as_str).collect();
    assert_eq!(names, KINDS.iter().map(|kind| kind.0).collect::<Vec<_>>(), "{BOTH}");
    for (kind, &(name, domain, class, server)) in FAILURE_KINDS.iter().zip(KINDS) {
        assert_eq!(kind.domain(), Some(domain), "{name}");
        let alone = Evidence::new().kind(name);
        assert_eq!(decided(&alone), expected(class, format!("kind {name}")), "{name}");
        assert_eq!(classified(&alone).server, server && class == Some("evaluation"), "{name}");
        assert_eq!(is_server_subcategory(FailureClass::Evaluation, name), server, "{name}");
        assert!(is_registered(name), "{name}");
    }
}

#[test]
fn the_sets_are_those_of_the_contract() {
    let providers: Vec<_> =
        KINDS.iter().filter(|kind| kind.1 == "provider").map(|kind| kind.0).collect();
    assert_eq!(PROVIDER_KINDS, providers);
    assert_eq!(REJUDGE_KINDS, REJUDGED);
    assert_eq!(GATE_DERIVED_KINDS, GATE_DERIVED.map(|(name, _)| name));
    for &(name, domain, ..) in KINDS {
        assert_eq!(is_provider_kind(name), domain == "provider", "{name}");
        assert_eq!(is_rejudged(name), REJUDGED.contains(&name), "{name}");
        assert!(!is_gate_derived(name), "{name}");
    }
}

#[test]
fn the_stages_and_their_classes_are_those_of_the_contract() {
    let names: Vec<_> = FailureStage::ALL.iter().map(|stage| stage.as_str()).collect();
    assert_eq!(names, STAGES.iter().map(|stage| stage.0).collect::<Vec<_>>(), "{BOTH}");
    for (&stage, (name, default, entries)) in FailureStage::ALL.iter().zip(STAGES) {
        let at = |kind| decided(&Evidence::new().kind(kind).stage(stage).admit_stage());
        assert_eq!(at("oops"), expected(*default, format!("stage {name}: default")));
        let config = FailureClassificationConfig::shared_default().stage(stage);
        let found: Vec<_> =
            config.kinds().map(|(kind, class)| (kind.as_str(), class.unwrap().as_str())).collect();
        assert_eq!(found, *entries, "{name}");
        for (kind, class) in *entries {
            assert_eq!(at(kind), expected(Some(class), format!("stage {name}: {kind}")));
        }
    }
}

#[test]
fn the_classes_are_those_of_the_contract() {
    let names: Vec<_> = FailureClass::ALL.iter().map(|class| class.as_str()).collect();
    assert_eq!(names, CLASSES, "{BOTH}");
}

#[test]
fn the_rules_are_those_of_the_contract() {
    let label = HttpEvidence::RateLimited;
    let rules = [
        Rule::HttpStatusOverride(HttpStatusKey::exact(500).unwrap()),
        Rule::StageKind { stage: FailureStage::Agent, kind: kinds::CANCELLED },
        Rule::StageDefault { stage: FailureStage::Agent },
        Rule::HttpEvidence(label),
        Rule::CallEvidence(label),
        Rule::Kind(kinds::CANCELLED),
        Rule::Fallback,
    ];
    assert_eq!(rules.each_ref().map(Rule::as_str), RULES, "{BOTH}");
    assert_eq!(Rule::GateDerivedKind("answer_empty").as_str(), "kind");
}

#[test]
fn the_http_labels_and_their_classes_are_those_of_the_contract() {
    let names: Vec<_> = HttpEvidence::ALL.iter().map(|label| label.as_str()).collect();
    assert_eq!(names, LABELS.iter().map(|label| label.1).collect::<Vec<_>>(), "{BOTH}");
    for &(statuses, label, class) in LABELS {
        for status in statuses {
            let evidence = Evidence::new().http_status(status);
            assert_eq!(classified(&evidence).http.map(HttpEvidence::as_str), Some(label));
            assert_eq!(decided(&evidence), expected(class, format!("http evidence {label}")));
        }
    }
    // The two labels that hold the rest have every other status from 400 to 599.
    for status in 0..=700_u16 {
        let label = HttpEvidence::project(&status);
        assert_eq!(label.is_some(), (400..=599).contains(&status), "{status}");
        let rest = ["http_client_error", "http_server_error"];
        let listed = LABELS.iter().find(|(statuses, ..)| statuses.contains(&status));
        match (label.map(HttpEvidence::as_str), listed) {
            (Some(label), None) => assert_eq!(label, rest[usize::from(status >= 500)]),
            (label, listed) => assert_eq!(label, listed.map(|listed| listed.1), "{status}"),
        }
    }
}

#[test]
fn gate_derived_classes_and_legacy_labels_are_those_of_the_contract() {
    for (name, class) in GATE_DERIVED {
        let evidence = Evidence::new().kind(name);
        assert_eq!(decided(&evidence), expected(class, format!("kind {name}")));
    }
    let label = |label: &str| match ObservedKind::new(label) {
        ObservedKind::Legacy(label) => label,
        other => panic!("{other:?}"),
    };
    for (old, successor) in RENAMED {
        assert_eq!((label(old).successor(), label(old).hint()), (Some(successor), None), "{old}");
    }
    for old in SPLIT {
        assert!(label(old).successor().is_none() && label(old).hint().is_some(), "{old}");
    }
}

#[test]
fn c240_the_registry_file_holds_the_contract() {
    let registry = read("registry.json");
    assert_eq!((&registry["schema_version"], &registry["version"]), (&json!(1), &json!("0.1.0")));

    let rows = |key: &str| registry[key].as_array().unwrap().clone();
    let kinds: Vec<_> = rows("kinds")
        .iter()
        .map(|row| json!([row["name"], row["domain"], row["default"], row["server"]]))
        .collect();
    assert_eq!(kinds, KINDS.iter().map(|kind| json!(kind)).collect::<Vec<_>>(), "{BOTH}");
    for (row, kind) in rows("kinds").iter().zip(FAILURE_KINDS) {
        assert_eq!(row["summary"], kind.summary().unwrap());
    }

    let classes: Vec<_> =
        rows("gate_derived").iter().map(|row| json!([row["name"], row["class"]])).collect();
    assert_eq!(classes, GATE_DERIVED.map(|class| json!(class)));

    let labels: Vec<_> = rows("legacy")
        .iter()
        .map(|row| json!([row["name"], row["state"], row["successor"], row["hint"].is_string()]))
        .collect();
    let renamed = RENAMED.map(|(name, successor)| json!([name, "renamed", successor, false]));
    let split = SPLIT.map(|name| json!([name, "split", null, true]));
    assert_eq!(labels, [&renamed[..], &split[..]].concat(), "{BOTH}");

    let sets = &registry["sets"];
    let names: Vec<_> = KINDS.iter().map(|kind| kind.0).collect();
    assert_eq!(sets["failure_kinds"], json!(names));
    assert_eq!(sets["provider_kinds"], json!(PROVIDER_KINDS));
    assert_eq!(sets["rejudge_kinds"], json!(REJUDGED));
    assert_eq!(sets["gate_derived_kinds"], json!(GATE_DERIVED_KINDS));
    let stages: Vec<_> = STAGES.iter().map(|stage| stage.0).collect();
    assert_eq!(registry["stages"], json!(stages));
    assert_eq!(registry["classes"], json!(CLASSES));
}

#[test]
fn the_registry_file_is_valid_under_its_schema() {
    let validator = jsonschema::validator_for(&read("registry.schema.json")).unwrap();
    let registry = read("registry.json");
    let errors: Vec<_> = validator.iter_errors(&registry).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());

    // The schema rejects what is not a registry.
    for (pointer, wrong) in [
        ("/schema_version", json!(2)),
        ("/kinds/0/name", json!("Judge failed")),
        ("/kinds/0/default", json!("environment")),
        ("/kinds/0/server", json!("yes")),
        ("/legacy/0/state", json!("deleted")),
        ("/sets", json!([])),
    ] {
        let mut registry = registry.clone();
        *registry.pointer_mut(pointer).unwrap() = wrong;
        assert!(!validator.is_valid(&registry), "{pointer}");
    }
}
