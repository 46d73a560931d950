//! The vocabulary of the contract, beside the table, the registry file and the tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use failure_kinds::{
    Evidence, FAILURE_KINDS, FailureClass, FailureClassificationConfig, GATE_DERIVED_KINDS,
    ObservedKind, is_server_subcategory,
};
use serde_json::{Value, json};

use crate::repository::{root, sources};

/// Name, domain, class with no stage and no HTTP evidence, server subcategory.
const KINDS: [(&str, &str, Option<&str>, bool); 26] = [
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

/// Why a list of these does not agree.
const BOTH: &str = "the list in this test is the contract's: a new row stands in both";

fn read(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(root().join(path)).unwrap()).unwrap()
}

fn class_of(name: &str) -> FailureClass {
    FailureClassificationConfig::shared_default().classify(&Evidence::new().kind(name)).class
}

fn class_named(name: Option<&str>) -> FailureClass {
    name.unwrap_or("unknown").parse().unwrap()
}

#[test]
fn c240_the_registered_kinds_are_those_of_the_contract() {
    assert_eq!(FAILURE_KINDS.len(), KINDS.len(), "{BOTH}");
    for (kind, (name, domain, class, server)) in FAILURE_KINDS.iter().zip(KINDS) {
        assert_eq!(kind.as_str(), name);
        assert_eq!(kind.domain(), Some(domain), "{name}");
        assert_eq!(class_of(name), class_named(class), "{name}");
        assert_eq!(is_server_subcategory(FailureClass::Evaluation, name), server, "{name}");
    }
}

#[test]
fn gate_derived_classes_and_legacy_labels_are_those_of_the_contract() {
    assert_eq!(GATE_DERIVED_KINDS, GATE_DERIVED.map(|(name, _)| name));
    for (name, class) in GATE_DERIVED {
        assert_eq!(class_of(name), class_named(class), "{name}");
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
    assert_eq!(kinds, KINDS.map(|kind| json!(kind)), "{BOTH}");
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
    assert_eq!(sets["failure_kinds"], json!(KINDS.map(|(name, ..)| name)));
    assert_eq!(sets["gate_derived_kinds"], json!(GATE_DERIVED_KINDS));
    let provider = KINDS.iter().filter(|kind| kind.1 == "provider").map(|kind| kind.0);
    assert_eq!(sets["provider_kinds"], json!(provider.collect::<Vec<_>>()));
    assert_eq!(
        sets["rejudge_kinds"],
        json!(["judge_failed", "judge_unparseable", "judge_invalid"])
    );
    assert_eq!(
        registry["stages"],
        json!(["admission", "seed", "agent", "verification", "cleanup"])
    );
    assert_eq!(registry["classes"], json!(["model", "evaluation", "unknown"]));
}

#[test]
fn the_registry_file_is_valid_under_its_schema() {
    let validator = jsonschema::validator_for(&read("registry.schema.json")).unwrap();
    let registry = read("registry.json");
    let errors: Vec<_> = validator.iter_errors(&registry).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());

    // The schema refuses what is no registry.
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

#[test]
fn every_registered_name_is_used_by_a_test_of_its_meaning() {
    let folders = ["tests", "ui-tests", "failure-kinds-cli/tests"];
    let mut files: Vec<_> =
        folders.iter().flat_map(|folder| sources(&root().join(folder))).collect();
    // This file lists all names, which says nothing of any of them.
    files.retain(|file| !file.ends_with(Path::new(file!()).file_name().unwrap()));
    assert!(files.len() > 10, "{files:?}");
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let words: BTreeSet<&str> =
        text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_').collect();
    let unused: Vec<_> = KINDS
        .iter()
        .map(|(name, ..)| *name)
        .filter(|name| !words.contains(name) && !words.contains(&*name.to_uppercase()))
        .collect();
    assert_eq!(unused, Vec::<&str>::new());
}
