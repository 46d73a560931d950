//! Rows like those of the benchmarks: the report beside a plain reading of the same rows.
//!
//! The plain reading makes a tree of each whole row with `serde_json`, and goes by the contract's
//! table for the keys that these rows have. Classification is the runtime's, which has tests of
//! its own.

use std::collections::BTreeMap;

use failure_kinds::{
    Evidence, FailureClassificationConfig, FailureStage, HttpEvidence, REJUDGE_KINDS,
    RecordedStatus as _,
};
use failure_kinds_benchmarks::rows::{Rows, SHAPES};
use failure_kinds_core::{Entry, resolve, suggest};
use serde_json::{Value, json};

use super::{Folder, report_with};

/// Several reads of the fast reader in each shape, so that borders of reads fall into rows.
const BYTES: usize = 3 << 20;

fn lines(shape: &str, seed: u64) -> String {
    let mut rows = Rows::new(shape, seed).unwrap();
    let mut text = Vec::new();
    while text.len() < BYTES {
        text.extend_from_slice(rows.next_row());
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn the_report_matches_a_naive_implementation() {
    for (shape, _) in SHAPES {
        for seed in [1, 2] {
            let text = lines(shape, seed);
            let folder = Folder::new();
            let path = folder.write("rows.jsonl", &text);
            let path_text = path.to_str().unwrap();
            let plain = plain_report(&text, path_text);
            assert!(plain["totals"]["failures"] != 0 && plain["totals"]["results"] != 0, "{plain}");
            for args in [&[][..], &["--strict"]] {
                let mut report = report_with(&[&path], args);
                report.as_object_mut().unwrap().remove("classification");
                assert_eq!(report, plain, "{shape}, {seed}, {args:?}");
            }
        }
    }
}

/// The fields of a group in the order in which groups of one size are sorted.
type Key = (&'static str, Option<String>, Option<&'static str>, Option<&'static str>, &'static str);

#[derive(Default)]
struct Group {
    registry: &'static str,
    server: bool,
    count: u64,
    terminal: u64,
    rejudgeable: u64,
    statuses: BTreeMap<u16, u64>,
}

/// What a row says, as far as generated rows say anything.
struct Row {
    /// `None` of a result.
    kind: Option<String>,
    stage: Option<FailureStage>,
    /// Whether there is a stage that nobody knows.
    unknown_stage: bool,
    status: Option<u16>,
    terminal: bool,
    answer: bool,
    rollout: (i64, i64),
}

impl Row {
    fn read(line: &str) -> Self {
        let row: Value = serde_json::from_str(line).unwrap();
        let index = |key: &str| row[key].as_i64().unwrap();
        let stage = row["_ng_failure_stage"].as_str();
        Self {
            kind: row["_ng_failure_class"].as_str().map(str::to_owned),
            stage: stage.and_then(|stage| stage.parse().ok()),
            unknown_stage: stage.is_some_and(|stage| stage.parse::<FailureStage>().is_err()),
            status: row["_ng_failure_http_status"].as_i64().and_then(|s| s.recorded_status()),
            terminal: row["_ng_failure_terminal"] == true,
            answer: row["response"].is_object(),
            rollout: (index("_ng_task_index"), index("_ng_rollout_index")),
        }
    }
}

fn plain_report(text: &str, path: &str) -> Value {
    let config = FailureClassificationConfig::default();
    let mut groups = BTreeMap::<Key, Group>::new();
    let mut names = BTreeMap::<String, u64>::new();
    let mut rollouts = BTreeMap::new();
    let (mut rows, mut unknown_stages) = (0, 0);
    for row in text.lines().map(Row::read) {
        rows += 1;
        unknown_stages += u64::from(row.unknown_stage);
        let failed = row.kind.is_some();
        assert_eq!(rollouts.insert(row.rollout, failed), None, "one attempt of each rollout");
        let Some(kind) = row.kind else { continue };
        *names.entry(kind.clone()).or_default() += 1;
        let rejudgeable = row.answer && REJUDGE_KINDS.contains(&&*kind);
        let evidence =
            Evidence::new().kind(&*kind).stage(row.stage).http_status(&row.status).admit_stage();
        let class = config.classify(&evidence);
        let registry = resolve(&kind).as_str();
        let key = (
            class.class.as_str(),
            Some(kind),
            row.stage.map(FailureStage::as_str),
            class.http.map(HttpEvidence::as_str),
            class.rule.as_str(),
        );
        let group = groups.entry(key).or_default();
        group.registry = registry;
        group.server = class.server;
        group.count += 1;
        group.terminal += u64::from(row.terminal);
        group.rejudgeable += u64::from(rejudgeable);
        if let Some(status) = row.status {
            *group.statuses.entry(status).or_default() += 1;
        }
    }
    let failures: u64 = groups.values().map(|group| group.count).sum();
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.count));
    let counts = json!({
        "rows": rows, "failures": failures, "results": rows - failures, "omitted": 0,
        "masked": 0, "degraded": 0, "conflicts": 0, "malformed": 0,
    });
    let rollouts = json!({
        "expected": null, "seen": rollouts.len(), "missing": null, "unexpected": null,
        "omitted": 0,
        "failed": rollouts.values().filter(|failed| **failed).count(),
        "degraded": 0, "recovered": 0,
    });
    json!({
        "schema_version": 1,
        "files": [with(
            &counts,
            &json!({"path": path, "truncated_last_line": false, "recognised": true}),
        )],
        "skipped_files": [],
        "totals": with(&counts, &json!({"unrouted": 0})),
        "runs": [with(&rollouts, &json!({"path": path.strip_suffix(".jsonl"), "captures": null}))],
        "rollouts": rollouts,
        "ignored": match unknown_stages {
            0 => json!([]),
            count => json!([{"field": "stage", "type": "string", "count": count}]),
        },
        "groups": groups.into_iter().map(group).collect::<Value>(),
        "unregistered": unregistered(&names),
        "legacy": legacy(&names),
        "quota_resets": [],
        "more_groups": {"groups": 0, "count": 0, "rollouts": 0},
        "more_unregistered": {"names": 0, "count": 0},
        "conflicts": [],
    })
}

fn with(one: &Value, other: &Value) -> Value {
    let members = [one, other].map(|value| value.as_object().unwrap().clone());
    Value::Object(members.into_iter().flatten().collect())
}

fn group(((class, kind, stage, http_label, rule), group): (Key, Group)) -> Value {
    let statuses: Value = group
        .statuses
        .iter()
        .map(|(status, count)| (status.to_string(), json!(count)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    json!({
        "class": class, "kind": kind, "registry": group.registry, "stage": stage,
        "http_label": http_label, "rule": rule, "server": group.server, "count": group.count,
        "rollouts": group.count, "terminal": group.terminal, "final": 0, "rejudgeable": group.rejudgeable,
        "http_statuses": statuses,
        "last_call": {
            "observed": 0, "unobserved": group.count, "failed": 0, "statuses": {}, "categories": {},
            "models": {},
        },
    })
}

/// With a single name the order does not matter.
fn unregistered(names: &BTreeMap<String, u64>) -> Value {
    let names = names.iter().filter(|(name, _)| matches!(resolve(name), Entry::Unregistered));
    names
        .map(|(name, count)| json!({"name": name, "count": count, "suggestion": suggest(name).map(|suggestion| suggestion.name)}))
        .collect()
}

fn legacy(names: &BTreeMap<String, u64>) -> Value {
    let legacy = names.iter().filter_map(|(name, count)| {
        let Entry::Legacy(legacy) = resolve(name) else { return None };
        Some(json!({
            "name": name, "count": count, "state": legacy.state(),
            "successor": legacy.successor(),
            "hint": legacy.hint(),
        }))
    });
    legacy.collect()
}
