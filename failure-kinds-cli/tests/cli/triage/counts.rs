//! Real runs against counts that an independent script made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{report, report_with};
use crate::repository;

const RUNS: [&str; 8] =
    ["attempts", "enospc", "gateway", "judge", "policy_obs", "quota", "repeats", "sat"];

fn data() -> PathBuf {
    repository().join("examples/data")
}

fn counts() -> Vec<Value> {
    let path = repository().join("tests/data/triage/counts.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Counts by (kind, stage, status).
type Combinations = BTreeMap<(Text, Text, Option<u64>), u64>;
/// A text or null.
type Text = Option<String>;

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn expected_combinations(run: &str) -> Combinations {
    let mut combinations = Combinations::new();
    for file in counts() {
        if file["file"].as_str().unwrap().split('/').next() != Some(run) {
            continue;
        }
        for failure in file["failures"].as_array().unwrap() {
            let key =
                (text(&failure["kind"]), text(&failure["stage"]), failure["http_status"].as_u64());
            *combinations.entry(key).or_default() += failure["count"].as_u64().unwrap();
        }
    }
    combinations
}

fn combinations(report: &Value) -> Combinations {
    let mut combinations = Combinations::new();
    let mut add = |group: &Value, status, count| {
        let key = (text(&group["kind"]), text(&group["stage"]), status);
        *combinations.entry(key).or_default() += count;
    };
    for group in report["groups"].as_array().unwrap() {
        let mut without = group["count"].as_u64().unwrap();
        for (status, count) in group["http_statuses"].as_object().unwrap() {
            let count = count.as_u64().unwrap();
            add(group, Some(status.parse().unwrap()), count);
            without -= count;
        }
        if without > 0 {
            add(group, None, without);
        }
    }
    combinations
}

#[test]
fn kinds_stages_and_statuses_agree() {
    let mut all = Combinations::new();
    for run in RUNS {
        let expected = expected_combinations(run);
        assert!(!expected.is_empty());
        let report = report(&[&data().join(run)]);
        assert_eq!(combinations(&report), expected, "{run}");
        for (key, count) in expected {
            *all.entry(key).or_default() += count;
        }
    }
    assert_eq!(combinations(&report(&[&data()])), all);
    // What decides a side moves no count.
    assert_eq!(combinations(&report_with(&[&data()], &["--no-admit-stage"])), all);
}

#[test]
fn files_agree() {
    let report = report(&[&data()]);
    let files = report["files"].as_array().unwrap();
    let mut seen = 0;
    for expected in counts() {
        let name = expected["file"].as_str().unwrap();
        let path = data().join(name);
        let listed = files.iter().find(|file| file["path"] == path.to_str().unwrap());
        if name.ends_with("_materialized_inputs.jsonl") {
            assert!(listed.is_none(), "an inventory is not a file of rows: {name}");
            continue;
        }
        seen += 1;
        let listed = listed.unwrap();
        let failures: u64 = expected["failures"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|f| f["count"].as_u64())
            .sum();
        let rows = expected["rows"].as_u64().unwrap();
        assert_eq!(listed["rows"], rows, "{name}");
        assert_eq!(listed["failures"], failures, "{name}");
        assert_eq!(listed["results"], rows - failures, "{name}");
        assert_eq!(listed["masked"], expected["masked"], "{name}");
        assert_eq!(listed["malformed"], expected["malformed"], "{name}");
        assert_eq!(listed["truncated_last_line"], expected["truncated"], "{name}");
    }
    assert_eq!(seen, files.len());
    let terminal = |list: &Value, key: &str| -> u64 {
        list.as_array().unwrap().iter().filter_map(|item| item[key].as_u64()).sum()
    };
    assert_eq!(
        terminal(&report["groups"], "terminal"),
        terminal(&Value::Array(counts()), "terminal")
    );
}

/// The rows of a file, read whole.
fn rows(run: &str, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(data().join(run).join(file)).unwrap();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn identity(row: &Value) -> (i64, i64) {
    let index = |key: &str| row[key].as_i64().unwrap();
    (index("_ng_task_index"), index("_ng_rollout_index"))
}

/// What became of the rollouts of a run, counted rollout by rollout.
fn rollouts(run: &str) -> Value {
    let expected: BTreeSet<_> =
        rows(run, "rollouts_materialized_inputs.jsonl").iter().map(identity).collect();
    let sidecar = rows(run, "rollouts_failures.jsonl");
    let results = rows(run, "rollouts.jsonl");
    // The sidecar first: on equal attempts the later one of this list decides.
    let mut attempts: BTreeMap<(i64, i64), Vec<(i64, &Value)>> = BTreeMap::new();
    for row in sidecar.iter().chain(&results) {
        let attempt = row["_ng_attempt_index"].as_i64().unwrap_or(0);
        attempts.entry(identity(row)).or_default().push((attempt, row));
    }
    let is_failure = |row: &Value| {
        ["_ng_failure_record", "_ng_failure_kind", "failure_kind", "_ng_failure_class"]
            .iter()
            .any(|key| !row[key].is_null())
    };
    let is_degraded = |row: &Value| {
        is_failure(row)
            && row["reward"].is_number()
            && row["_ng_failure_class"].is_null()
            && row["mask_sample"] != true
    };
    let (mut failed, mut degraded, mut recovered) = (0, 0, 0);
    for attempts in attempts.values_mut() {
        attempts.sort_by_key(|(attempt, _)| *attempt);
        let ((_, last), earlier) = attempts.split_last().unwrap();
        let last_failed = is_failure(last) && !is_degraded(last);
        let earlier_failed = earlier.iter().any(|(_, row)| is_failure(row) && !is_degraded(row));
        failed += u64::from(last_failed);
        degraded += u64::from(is_degraded(last));
        recovered += u64::from(!last_failed && earlier_failed);
    }
    json!({
        "expected": expected.len(),
        "seen": attempts.len(),
        "missing": expected.iter().filter(|rollout| !attempts.contains_key(rollout)).count(),
        "unexpected": attempts.keys().filter(|rollout| !expected.contains(rollout)).count(),
        "omitted": 0,
        "failed": failed,
        "degraded": degraded,
        "recovered": recovered,
    })
}

#[test]
fn rollouts_agree() {
    let report = report(&[&data()]);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), RUNS.len());
    let mut all: BTreeMap<String, u64> = BTreeMap::new();
    for (run, name) in runs.iter().zip(RUNS) {
        let mut run = run.clone();
        let captures = run.as_object_mut().unwrap().remove("captures").unwrap();
        assert_eq!(captures.is_null(), name != "policy_obs");
        let path = run.as_object_mut().unwrap().remove("path").unwrap();
        assert_eq!(path, data().join(name).join("rollouts").to_str().unwrap());
        let expected = rollouts(name);
        assert_eq!(run, expected, "{name}");
        for (key, count) in expected.as_object().unwrap() {
            *all.entry(key.clone()).or_default() += count.as_u64().unwrap();
        }
    }
    assert_eq!(report["rollouts"], json!(all));
    // The data has something of everything but these two.
    let others = all.iter().filter(|(key, _)| !["unexpected", "omitted"].contains(&&***key));
    assert!(others.into_iter().all(|(_, count)| *count > 0), "{all:?}");
}

#[test]
fn c125_fewer_rollouts_came_back_than_were_asked() {
    let report = report(&[&data().join("enospc")]);
    assert_eq!(report["rollouts"]["expected"], 46);
    assert_eq!(report["rollouts"]["missing"], 25);
    // Missing rows have no kind.
    assert_eq!(report["totals"]["rows"], 21);
    assert_eq!(report["totals"]["failures"], 10);
}

#[test]
fn latest_counts_each_rollout_once() {
    let all = report(&[&data().join("repeats")]);
    let latest = report_with(&[&data().join("repeats")], &["--latest"]);
    let count = |report: &Value| -> u64 {
        report["groups"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|group| group["count"].as_u64())
            .sum()
    };
    // Nine rollouts failed twice each.
    assert_eq!(count(&all), 18);
    assert_eq!(count(&latest), 9);
    assert_eq!(all["totals"], latest["totals"]);
    assert_eq!(all["rollouts"], latest["rollouts"]);
}
