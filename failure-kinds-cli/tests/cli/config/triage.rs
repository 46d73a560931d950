use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::data;
use crate::{failure_kinds, repository};

/// Two failures, and how an operator attributes them.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows = r#"{"_ng_failure_record":{"failure":{"failure_kind":"provider_oom_killed","stage":"agent"}}}
{"_ng_failure_record":{"failure":{"failure_kind":"judge_failed","stage":"verification"},"http_status":503}}
"#;
    fs::write(folder.path().join("rows.jsonl"), rows).unwrap();
    let stage = "[stages.agent.kinds]\nprovider_oom_killed = \"evaluation\"\n";
    fs::write(folder.path().join("stage.toml"), stage).unwrap();
    let status = "class_by_http_status: { 5xx: model }\n";
    fs::write(folder.path().join("status.yaml"), status).unwrap();
    let cleared = r#"{"class_by_http_status":{"5xx":null},"unknown":"model"}"#;
    fs::write(folder.path().join("cleared.json"), cleared).unwrap();
    folder
}

/// Kind, class and rule of each group.
fn groups(folder: &Path, configs: &[&str]) -> Vec<String> {
    let mut command = failure_kinds().current_dir(folder);
    command = command.args(["triage", "rows.jsonl", "--format", "json"]);
    for config in configs {
        command = command.args(["--config", config]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut groups: Vec<_> = report["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| format!("{} {} {}", group["kind"], group["class"], group["rule"]))
        .map(|group| group.replace('"', ""))
        .collect();
    groups.sort();
    groups
}

#[test]
fn a_classification_file_changes_the_report() {
    let folder = folder();
    assert_eq!(
        groups(folder.path(), &[]),
        ["judge_failed evaluation stage_default", "provider_oom_killed model stage_kind"]
    );
    assert_eq!(
        groups(folder.path(), &["stage.toml"]),
        ["judge_failed evaluation stage_default", "provider_oom_killed evaluation stage_kind"]
    );
}

#[test]
fn later_files_override_earlier_ones() {
    let folder = folder();
    assert_eq!(
        groups(folder.path(), &["stage.toml", "status.yaml"]),
        ["judge_failed model http_status_override", "provider_oom_killed evaluation stage_kind"]
    );
    assert_eq!(
        groups(folder.path(), &["status.yaml", "stage.toml", "cleared.json"]),
        ["judge_failed evaluation stage_default", "provider_oom_killed evaluation stage_kind"]
    );
    assert_eq!(
        groups(folder.path(), &["cleared.json", "status.yaml"])[0],
        "judge_failed model http_status_override"
    );
}

#[test]
fn every_error_in_a_classification_file_is_reported() {
    let folder = folder();
    let output = failure_kinds()
        .current_dir(folder.path())
        .args(["triage", "rows.jsonl", "--config", "stage.toml", "--config"])
        .arg(data().join("bad/seven.toml"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.matches("error: ").count(), 8, "{stderr}");
    assert!(stderr.contains("\nerror: cannot classify by `"), "{stderr}");
}

#[test]
fn no_report_is_written_over_a_classification_file() {
    let folder = folder();
    failure_kinds()
        .current_dir(folder.path())
        .args(["triage", "rows.jsonl", "--config", "stage.toml", "--out", "stage.toml"])
        .assert()
        .code(2)
        .stderr_eq("error: `stage.toml` is read, so no report is written to it\n");
}

#[test]
fn the_files_of_the_example_drive_triage() {
    let folder = repository().join("examples/browser_env");
    let sides = |configs: &[&str]| groups(&folder, configs);
    // What the default says, what the environment declares, and what the operator sees.
    assert_eq!(
        sides(&[]),
        [
            "browser_env:captcha_wall unknown fallback",
            "browser_env:tab_crashed unknown fallback",
            "judge_failed evaluation stage_default",
            "provider_oom_killed model stage_kind",
            "provider_unavailable evaluation stage_default",
        ]
    );
    assert_eq!(
        sides(&["classification.json"]),
        [
            "browser_env:captcha_wall model stage_kind",
            "browser_env:tab_crashed evaluation stage_kind",
            "judge_failed evaluation stage_default",
            "provider_oom_killed model stage_kind",
            "provider_unavailable evaluation stage_default",
        ]
    );
    for operator in ["operator.toml", "operator.yaml"] {
        assert_eq!(
            sides(&["classification.json", operator]),
            [
                "browser_env:captcha_wall model stage_kind",
                "browser_env:tab_crashed evaluation stage_kind",
                "judge_failed unknown http_status_override",
                "provider_oom_killed evaluation stage_kind",
                "provider_unavailable evaluation stage_default",
            ]
        );
    }
}
