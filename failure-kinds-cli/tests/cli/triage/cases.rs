//! Cases from practice, each a row or a file that people met.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Folder, groups, report, report_of, triage};

#[test]
fn c1_routing_classes_of_an_agent() {
    let report = report_of(&[
        r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_failure_class":"legitimate","notes":"run failed: RuntimeError: sandbox exploded"}"#,
        r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_failure_class":"kill_shaped","_ng_no_persist":true,"notes":"direct apptainer exec killed (rc=-15)"}"#,
        r#"{"_ng_task_index":2,"_ng_rollout_index":0,"_ng_failure_class":"timeout_exceeded","_ng_failure_terminal":true}"#,
    ]);
    let names: Vec<_> = report["legacy"].as_array().unwrap().iter().map(|l| &l["name"]).collect();
    assert_eq!(names, ["legitimate", "timeout_exceeded"]);
    // Shown as they were observed.
    let kinds: Vec<_> = report["groups"].as_array().unwrap().iter().map(|g| &g["kind"]).collect();
    assert_eq!(kinds, ["kill_shaped", "legitimate", "timeout_exceeded"]);
    assert_eq!(report["groups"][0]["registry"], "registered");
}

#[test]
fn c2_a_policy_word_is_no_kind_and_the_status_stands_beside_it() {
    let report = report_of(&[
        r#"{"_ng_failure_class":"transient","_ng_failure_http_status":502}"#,
        r#"{"_ng_failure_class":"transient","_ng_failure_http_status":null}"#,
        r#"{"_ng_failure_class":"skipped","_ng_failure_terminal":true}"#,
    ]);
    assert_eq!(
        groups(&report),
        [
            json!(["evaluation", "transient", null, "http_gateway", "http_evidence", 1]),
            json!(["unknown", "skipped", null, null, "fallback", 1]),
            json!(["unknown", "transient", null, null, "fallback", 1]),
        ]
    );
}

#[test]
fn c3_a_stale_class_beside_a_reward_counts_on_no_side_in_silence() {
    let report = report_of(&[
        r#"{"reward":1.0,"_ng_failure_class":"remote_agent_error","error":"from an earlier run"}"#,
    ]);
    assert_eq!(report["totals"]["failures"], 1);
    // A row with `_ng_failure_class` was routed to the sidecar: its reward is not a measurement.
    assert_eq!(report["totals"]["degraded"], 0);
    assert_eq!(report["legacy"][0]["name"], "remote_agent_error");
}

#[test]
fn c5_the_kind_stays_and_the_status_is_projected_beside_it() {
    let report = report_of(&[
        r#"{"_ng_failure_class":"agent_run_error","_ng_failure_type":"ClientResponseError","_ng_failure_message":"503 service unavailable","_ng_failure_http_status":503,"_ng_task_index":4,"_ng_rollout_index":0}"#,
    ]);
    assert_eq!(
        groups(&report),
        [json!(["evaluation", "agent_run_error", null, "http_gateway", "http_evidence", 1])]
    );
    assert_eq!(report["groups"][0]["http_statuses"], json!({"503": 1}));
}

#[test]
fn c7_the_latest_attempt_decides_a_rollout() {
    let folder = Folder::new();
    let sidecar = folder.rows(
        "out_failures.jsonl",
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_failure_class":"agent_request_failed"}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_failure_class":"agent_request_failed"}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_attempt_index":1,"_ng_failure_class":"timeout_exceeded"}"#,
        ],
    );
    let alone = report(&[&sidecar]);
    assert_eq!(alone["totals"]["failures"], 3);
    assert_eq!(alone["rollouts"]["failed"], 2);
    let results = folder.rows(
        "out.jsonl",
        &[r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_attempt_index":1,"reward":1.0}"#],
    );
    let both = report(&[&sidecar, &results]);
    assert_eq!(both["rollouts"]["failed"], 1);
    assert_eq!(both["rollouts"]["recovered"], 1);
    let latest = super::report_with(&[&sidecar, &results], &["--latest"]);
    assert_eq!(
        groups(&latest),
        [json!(["unknown", "timeout_exceeded", null, null, "fallback", 1])]
    );
}

#[test]
fn c11_a_list_in_a_kind_field_is_no_label() {
    let report = report_of(&[
        r#"{"reward":0,"failure_labels":["user_failure"],"trajectory_invalid_reasons":["no_reward_user_message"]}"#,
        r#"{"failure_kind":["user_failure"]}"#,
    ]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(report["groups"][0]["kind"], Value::Null);
    assert_eq!(report["ignored"], json!([{"field": "kind", "type": "array", "count": 1}]));
}

#[test]
fn c12_other_error_fields_do_not_make_a_failure() {
    let report = report_of(&[
        r#"{"agent_error_kind":"other","error_kind":null,"mask_sample":false,"reward":1.0,"resolved":true}"#,
    ]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(report["totals"]["failures"], 0);
}

#[test]
fn c115_a_failed_row_with_a_reward_of_zero_is_no_measured_zero() {
    let folder = Folder::new();
    let inventory: Vec<String> = (0..4)
        .map(|task| format!(r#"{{"_ng_task_index":{task},"_ng_rollout_index":0}}"#))
        .collect();
    let inventory: Vec<&str> = inventory.iter().map(|line| &**line).collect();
    folder.rows("r_materialized_inputs.jsonl", &inventory);
    folder.rows("r_failures.jsonl", &[]);
    folder.rows(
        "r.jsonl",
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"reward":0.0}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"reward":0.0,"_ng_failure_class":"environment_server_failed"}"#,
            r#"{"_ng_task_index":2,"_ng_rollout_index":0,"reward":0.0,"mask_sample":true}"#,
        ],
    );
    let report = report(&[folder.path()]);
    assert_eq!(
        report["rollouts"],
        json!({"expected": 4, "seen": 3, "missing": 1, "failed": 1, "degraded": 0, "recovered": 0})
    );
    assert_eq!(report["totals"]["masked"], 1);
    assert_eq!(report["groups"][0]["class"], "evaluation");
}

#[test]
fn c119_a_status_of_200_is_no_evidence_of_anything() {
    let report = report_of(&[
        r#"{"_ng_failure_class":"judge_failed","_ng_failure_http_status":200,"reward":0.0,"mask_sample":true}"#,
    ]);
    assert_eq!(groups(&report), [json!(["evaluation", "judge_failed", null, null, "kind", 1])]);
    assert_eq!(report["groups"][0]["server"], false);
    assert_eq!(report["totals"]["failures"], 1);
}

#[test]
fn c131_a_timeout_with_a_reward_is_measured() {
    let report = report_of(&[
        r#"{"reward":1.0,"failure_kind":"agent_timeout","_ng_failure_stage":"agent"}"#,
        r#"{"reward":null,"failure_kind":"agent_timeout","_ng_failure_stage":"agent"}"#,
    ]);
    assert_eq!(report["totals"]["degraded"], 1);
    assert_eq!(
        groups(&report),
        [json!(["model", "agent_timeout", "agent", null, "stage_kind", 2])]
    );
}

#[test]
fn c153_shares_are_over_rollouts_not_over_tasks() {
    let folder = Folder::new();
    let rows = |rollouts: std::ops::Range<u32>, more: &str| {
        let row =
            |n| format!("{{\"_ng_task_index\":{},\"_ng_rollout_index\":{}{more}}}\n", n / 4, n % 4);
        rollouts.map(row).collect::<Vec<_>>().concat()
    };
    folder.write("r_materialized_inputs.jsonl", rows(0..40, ""));
    folder.write("r_failures.jsonl", rows(0..5, r#","_ng_failure_class":"judge_failed""#));
    folder.write("r.jsonl", rows(5..40, r#","reward":1"#));
    let ran = triage([folder.path()]);
    assert!(ran.stdout.contains("5 of 40 seen failed (12.5%)"), "{}", ran.stdout);
}

#[test]
fn c162_digits_in_text_are_no_status() {
    for text in [
        "at handler (server.mjs:429:15)",
        "pid=429 exited",
        "processed 429 tokens",
        "/srv/out.json",
        "request 6a83baf1-cc335504 failed",
        "503 service unavailable",
    ] {
        let line =
            json!({"failure_kind": "agent_run_error", "failure_reason": text, "error": text});
        let report = report_of(&[&line.to_string()]);
        assert_eq!(
            groups(&report),
            [json!(["unknown", "agent_run_error", null, null, "fallback", 1])]
        );
    }
}

#[test]
fn c172_white_space_around_a_name_is_another_name() {
    for name in [
        "judge_failed\n",
        "my_server:odd_case\n",
        "judge_failed\r\n",
        "judge_failed ",
        "\u{feff}judge_failed",
    ] {
        let line = json!({ "failure_kind": name });
        let report = report_of(&[&line.to_string()]);
        assert_eq!(report["unregistered"][0]["name"], name);
        assert_eq!(report["groups"][0]["registry"], "unregistered");
    }
}

#[test]
fn c182_booleans_are_no_integers() {
    let report = report_of(&[
        r#"{"failure_kind":"agent_run_error","_ng_failure_http_status":true}"#,
        r#"{"failure_kind":"agent_run_error","_ng_failure_http_status":null}"#,
    ]);
    assert_eq!(report["groups"][0]["http_statuses"], json!({}));
    assert_eq!(report["ignored"], json!([{"field": "http_status", "type": "boolean", "count": 1}]));
}

#[test]
fn c183_a_float_is_no_status() {
    let report = report_of(&[
        r#"{"failure_kind":"agent_run_error","_ng_failure_http_status":503.0}"#,
        r#"{"failure_kind":"agent_run_error","_ng_failure_http_status":503.9}"#,
    ]);
    assert_eq!(report["groups"][0]["http_statuses"], json!({}));
    assert_eq!(report["ignored"], json!([{"field": "http_status", "type": "float", "count": 2}]));
}

#[test]
fn c184_unicode_line_separators_split_no_row() {
    let folder = Folder::new();
    let file = folder.write(
        "rows.jsonl",
        "{\"failure_kind\":\"judge_failed\",\"notes\":\"a\u{85}b\u{2028}c\u{2029}d\\u000be\"}\r\n",
    );
    let report = report(&[&file]);
    assert_eq!(report["totals"]["rows"], 1);
    assert_eq!(report["totals"]["malformed"], 0);
}

#[test]
fn c186_lone_surrogates_nan_and_bytes_that_are_no_text() {
    let folder = Folder::new();
    let mut text = b"{\"failure_kind\":\"judge_failed\",\"notes\":\"\\ud83d\"}\n".to_vec();
    // A key that is read must hold JSON, which knows no NaN: counted and shown, never lost.
    text.extend(b"{\"failure_kind\":\"judge_failed\",\"reward\":NaN}\n");
    // Elsewhere nobody looks.
    text.extend(b"{\"failure_kind\":\"judge_failed\",\"score\":NaN}\n");
    text.extend(b"\xff\xfe bytes\n");
    let report = report(&[&folder.write("rows.jsonl", text)]);
    assert_eq!(report["totals"]["rows"], 2);
    assert_eq!(report["totals"]["malformed"], 2);
}

#[test]
fn c187_of_a_key_given_twice_the_last_counts() {
    let report = report_of(&[r#"{"failure_kind":"judge_failed","failure_kind":"agent_timeout"}"#]);
    assert_eq!(report["groups"][0]["kind"], "agent_timeout");
    assert_eq!(report["totals"]["rows"], 1);
}

/// A row of practice, in short: task, attempt, kind, status.
fn row() -> impl Strategy<Value = (u8, u8, usize, usize)> {
    (0_u8..4, 0_u8..3, 0..KINDS.len(), 0..STATUSES.len())
}

const KINDS: [&str; 6] =
    ["null", "\"judge_failed\"", "\"agent_timeout\"", "\"timeout_exceeded\"", "\"x\"", "3"];
const STATUSES: [&str; 4] = ["null", "503", "500", "\"503\""];

fn line((task, attempt, kind, status): (u8, u8, usize, usize)) -> String {
    format!(
        r#"{{"_ng_task_index":{task},"_ng_rollout_index":0,"_ng_attempt_index":{attempt},"failure_kind":{},"_ng_failure_http_status":{}}}"#,
        KINDS[kind], STATUSES[status]
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn c134_one_row_one_kind_one_count(rows in prop::collection::vec(row(), 0..20)) {
        let lines: Vec<String> = rows.into_iter().map(line).collect();
        let report = report_of(&lines.iter().map(|line| &**line).collect::<Vec<_>>());
        let counts = report["groups"].as_array().unwrap().iter();
        let sum: u64 = counts.filter_map(|group| group["count"].as_u64()).sum();
        prop_assert_eq!(&report["totals"]["failures"], sum);
        prop_assert_eq!(&report["totals"]["rows"], lines.len());
    }

    #[test]
    fn c157_the_order_of_lines_changes_no_total(
        rows in prop::collection::hash_map((0_u8..4, 0_u8..3), (0..KINDS.len(), 0..STATUSES.len()), 0..12),
        rotation in any::<prop::sample::Index>(),
    ) {
        let mut lines: Vec<String> = rows
            .into_iter()
            .map(|((task, attempt), (kind, status))| line((task, attempt, kind, status)))
            .collect();
        let before = report_of(&lines.iter().map(|line| &**line).collect::<Vec<_>>());
        lines.reverse();
        let rotation = rotation.index(lines.len().max(1));
        lines.rotate_left(rotation);
        let mut after = report_of(&lines.iter().map(|line| &**line).collect::<Vec<_>>());
        // The folders differ, and nothing else.
        after["files"][0]["path"] = before["files"][0]["path"].clone();
        after["runs"][0]["path"] = before["runs"][0]["path"].clone();
        prop_assert_eq!(before, after);
    }
}
