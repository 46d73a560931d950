//! What a row says.

use serde_json::{Value, json};

use super::{Folder, groups, report, report_of, report_with};

/// The one group of one row, as (class, kind, stage, label, rule).
fn group(line: &str) -> Value {
    let report = report_of(&[line]);
    let groups = groups(&report);
    assert_eq!(groups.len(), 1, "{line}: {report}");
    let mut group = groups[0].clone();
    group.as_array_mut().unwrap().pop();
    group
}

fn kind(line: &str) -> Value {
    group(line)[1].clone()
}

fn ignored(lines: &[&str]) -> Value {
    report_of(lines)["ignored"].clone()
}

#[test]
fn the_first_kind_that_is_a_string_counts() {
    let record = r#""_ng_failure_record":{"failure":{"failure_kind":"session_lost"}}"#;
    assert_eq!(
        kind(&format!(
            r#"{{"_ng_failure_class":"a","failure_kind":"b","_ng_failure_kind":"c",{record}}}"#
        )),
        "session_lost"
    );
    assert_eq!(kind(r#"{"_ng_failure_class":"a","failure_kind":"b","_ng_failure_kind":"c"}"#), "c");
    assert_eq!(
        kind(r#"{"_ng_failure_class":"a","failure_kind":"b","_ng_failure_kind":null}"#),
        "b"
    );
    assert_eq!(kind(r#"{"_ng_failure_class":"a","failure_kind":7,"_ng_failure_kind":[]}"#), "a");
    // The empty string is a wrong name like any other.
    assert_eq!(kind(r#"{"_ng_failure_class":"a","failure_kind":""}"#), "");
    assert_eq!(kind(r#"{"_ng_failure_class":17}"#), Value::Null);
}

#[test]
fn a_record_without_a_kind_uses_its_source() {
    let record = |source: &str| kind(&format!(r#"{{"_ng_failure_record":{{"source":{source}}}}}"#));
    assert_eq!(record(r#""environment""#), "environment_server_failed");
    assert_eq!(record(r#""collector""#), "agent_request_failed");
    assert_eq!(record(r#""other""#), Value::Null);
    assert_eq!(record("1"), Value::Null);
    assert_eq!(
        kind(r#"{"_ng_failure_record":{"source":"collector"},"_ng_failure_class":"judge_failed"}"#),
        "judge_failed"
    );
    // Only an object has a source.
    assert_eq!(kind(r#"{"_ng_failure_record":"environment"}"#), Value::Null);
}

#[test]
fn the_first_valid_stage_counts() {
    let stage = |line: &str| group(line)[2].clone();
    assert_eq!(
        stage(
            r#"{"_ng_failure_record":{"failure":{"stage":"seed"}},"_ng_failure_stage":"agent","failure_kind":"x"}"#
        ),
        "seed"
    );
    assert_eq!(
        stage(
            r#"{"_ng_failure_record":{"failure":{"stage":"verify"}},"_ng_failure_stage":"agent","failure_kind":"x"}"#
        ),
        "agent"
    );
    assert_eq!(stage(r#"{"_ng_failure_stage":null,"failure_kind":"x"}"#), Value::Null);
    assert_eq!(stage(r#"{"_ng_failure_stage":"Agent","failure_kind":"x"}"#), Value::Null);
}

#[test]
fn the_first_status_that_is_an_integer_counts() {
    let statuses = |line: &str| report_of(&[line])["groups"][0]["http_statuses"].clone();
    assert_eq!(
        statuses(
            r#"{"failure_kind":"x","_ng_failure_record":{"http_status":429},"_ng_failure_http_status":500}"#
        ),
        json!({"429": 1})
    );
    assert_eq!(
        statuses(
            r#"{"failure_kind":"x","_ng_failure_record":{"http_status":"429"},"_ng_failure_http_status":500}"#
        ),
        json!({"500": 1})
    );
    for status in ["100", "599"] {
        let line = format!(r#"{{"failure_kind":"x","_ng_failure_http_status":{status}}}"#);
        assert_eq!(statuses(&line), json!({ status: 1 }));
    }
    for status in
        ["99", "600", "-503", "503.0", "5.03e2", "\"503\"", "true", "null", "[503]", "5030"]
    {
        let line = format!(r#"{{"failure_kind":"x","_ng_failure_http_status":{status}}}"#);
        assert_eq!(statuses(&line), json!({}), "{status}");
    }
}

#[test]
fn keys_count_at_the_top_level_only() {
    let report = report_of(&[
        r#"{"payload":{"failure_kind":"judge_failed","_ng_failure_class":"x"},"list":[{"failure_kind":"y"}],"text":"\"failure_kind\":\"z\""}"#,
        r#"{"payload":{"_ng_failure_http_status":503},"failure_kind":"judge_failed","more":{"failure_kind":"x","}":"\\\""}}"#,
    ]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(groups(&report), [json!(["evaluation", "judge_failed", null, null, "kind", 1])]);
}

#[test]
fn a_key_spelled_with_escapes_is_that_key() {
    assert_eq!(kind(r#"{"\u0066ailure\u005fkind":"judge_failed"}"#), "judge_failed");
    assert_eq!(kind(r#"{"failure_kind":"judge\u005ffailed"}"#), "judge_failed");
}

#[test]
fn results_and_failures() {
    let report = report_of(&[
        "{}",
        r#"{"reward":1.0}"#,
        r#"{"_ng_failure_record":null,"_ng_failure_kind":null,"failure_kind":null,"_ng_failure_class":null}"#,
        r#"{"error":"Traceback","_ng_failure_http_status":500,"_ng_failure_stage":"agent"}"#,
        r#"{"_ng_failure_record":{}}"#,
        r#"{"failure_kind":false}"#,
    ]);
    assert_eq!(report["totals"]["rows"], 6);
    assert_eq!(report["totals"]["results"], 4);
    assert_eq!(report["totals"]["failures"], 2);
    assert_eq!(report["groups"][0]["registry"], "absent");
}

#[test]
fn degraded_but_measured() {
    let degraded = |line: &str| report_of(&[line])["totals"]["degraded"].clone();
    for (line, expected) in [
        (r#"{"failure_kind":"agent_timeout","reward":0}"#, 1),
        (r#"{"failure_kind":"agent_timeout","reward":-0.5e1}"#, 1),
        (r#"{"_ng_failure_record":{},"reward":1,"_ng_failure_class":null}"#, 1),
        (r#"{"failure_kind":"agent_timeout"}"#, 0),
        (r#"{"failure_kind":"agent_timeout","reward":null}"#, 0),
        (r#"{"failure_kind":"agent_timeout","reward":true}"#, 0),
        (r#"{"failure_kind":"agent_timeout","reward":"1.0"}"#, 0),
        (r#"{"failure_kind":"agent_timeout","reward":1,"mask_sample":true}"#, 0),
        (
            r#"{"failure_kind":"agent_timeout","reward":1,"instance_config":{"mask_sample":true}}"#,
            0,
        ),
        (r#"{"_ng_failure_class":"agent_timeout","reward":1}"#, 0),
        (r#"{"failure_kind":null,"reward":1}"#, 0),
    ] {
        assert_eq!(degraded(line), expected, "{line}");
    }
    // A degraded row stays in the groups.
    let report = report_of(&[r#"{"failure_kind":"agent_timeout","reward":0}"#]);
    assert_eq!(report["groups"][0]["count"], 1);
}

#[test]
fn masked_is_true_and_nothing_else() {
    let report = report_of(&[
        r#"{"failure_kind":null,"mask_sample":true}"#,
        r#"{"instance_config":{"mask_sample":true}}"#,
        r#"{"mask_sample":false,"instance_config":{"mask_sample":true}}"#,
        r#"{"mask_sample":"true"}"#,
        r#"{"mask_sample":1}"#,
        r#"{"instance_config":{"inner":{"mask_sample":true}}}"#,
        r#"{"instance_config":"mask_sample"}"#,
    ]);
    assert_eq!(report["totals"]["masked"], 3);
}

#[test]
fn terminal_is_true_and_nothing_else() {
    let report = report_of(&[
        r#"{"failure_kind":"judge_failed","_ng_failure_terminal":true}"#,
        r#"{"failure_kind":"judge_failed","_ng_failure_terminal":false}"#,
        r#"{"failure_kind":"judge_failed","_ng_failure_terminal":"true"}"#,
        r#"{"failure_kind":"judge_failed","_ng_failure_terminal":1}"#,
    ]);
    assert_eq!(report["groups"][0]["terminal"], 1);
    assert_eq!(report["groups"][0]["count"], 4);
    assert_eq!(
        report["ignored"],
        json!([
            {"field": "terminal", "type": "integer", "count": 1},
            {"field": "terminal", "type": "string", "count": 1},
        ])
    );
}

#[test]
fn what_cannot_be_used_is_counted_by_field_and_type() {
    assert_eq!(
        ignored(&[
            r#"{"failure_kind":["judge_failed"],"_ng_failure_class":"judge_failed"}"#,
            r#"{"failure_kind":{"name":"judge_failed"},"_ng_failure_http_status":"503"}"#,
            r#"{"failure_kind":1.5,"_ng_failure_http_status":600,"_ng_failure_stage":"verify"}"#,
            r#"{"failure_kind":true,"_ng_failure_stage":2,"_ng_task_index":"1","_ng_rollout_index":0}"#,
            r#"{"_ng_failure_record":"text","_ng_task_index":1,"_ng_rollout_index":0.0}"#,
            r#"{"_ng_failure_record":{"failure":[],"http_status":5030}}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_attempt_index":99999999999999999999}"#,
            r#"{"_ng_task_index":9223372036854775808,"_ng_rollout_index":0}"#,
        ]),
        json!([
            {"field": "http_status", "type": "integer", "count": 2},
            {"field": "http_status", "type": "string", "count": 1},
            {"field": "identity", "type": "float", "count": 1},
            {"field": "identity", "type": "integer", "count": 2},
            {"field": "identity", "type": "string", "count": 1},
            {"field": "kind", "type": "array", "count": 1},
            {"field": "kind", "type": "boolean", "count": 1},
            {"field": "kind", "type": "float", "count": 1},
            {"field": "kind", "type": "object", "count": 1},
            {"field": "record", "type": "array", "count": 1},
            {"field": "record", "type": "string", "count": 1},
            {"field": "stage", "type": "integer", "count": 1},
            {"field": "stage", "type": "string", "count": 1},
        ])
    );
    // Null is absence.
    assert_eq!(
        ignored(&[
            r#"{"failure_kind":null,"_ng_failure_record":null,"_ng_failure_stage":null,"_ng_failure_http_status":null,"_ng_failure_terminal":null,"_ng_task_index":null,"_ng_rollout_index":null,"_ng_attempt_index":null}"#
        ]),
        json!([])
    );
}

#[test]
fn kind_keys_that_disagree_are_a_conflict() {
    let conflicts = |line: &str| report_of(&[line])["totals"]["conflicts"].clone();
    for (line, expected) in [
        (r#"{"failure_kind":"judge_failed","_ng_failure_class":"judge_failed"}"#, 0),
        (r#"{"failure_kind":"judge_failed","_ng_failure_class":"agent_run_error"}"#, 1),
        // A renamed label is its successor.
        (r#"{"failure_kind":"agent_timeout","_ng_failure_class":"timeout_exceeded"}"#, 0),
        (r#"{"failure_kind":"timeout","_ng_failure_class":"agent_timeout"}"#, 1),
        (r#"{"failure_kind":"judge_failed","_ng_failure_class":7}"#, 0),
        (
            r#"{"_ng_failure_record":{"failure":{"failure_kind":"a"}},"failure_kind":"a","_ng_failure_kind":"b"}"#,
            1,
        ),
        // A kind by source is derived, not said.
        (
            r#"{"_ng_failure_record":{"source":"environment"},"_ng_failure_class":"judge_failed"}"#,
            0,
        ),
    ] {
        assert_eq!(conflicts(line), expected, "{line}");
    }
}

#[test]
fn broken_text_is_replaced_and_the_row_counts() {
    let folder = Folder::new();
    let mut rows = br#"{"failure_kind":"judge_"#.to_vec();
    rows.extend(b"\xff\"}\n{\"failure_kind\":\"judge_\\ud83d\"}\n");
    let report = report(&[&folder.write("rows.jsonl", rows)]);
    assert_eq!(report["totals"]["malformed"], 0);
    assert_eq!(
        report["unregistered"],
        json!([{"name": "judge_\u{fffd}", "count": 2, "suggestion": null}])
    );
}

#[test]
fn the_stage_is_admitted_unless_the_caller_says_no() {
    let folder = Folder::new();
    let file = folder.rows(
        "rows.jsonl",
        &[r#"{"failure_kind":"provider_oom_killed","_ng_failure_stage":"agent"}"#],
    );
    let groups_with = |args: &[&str]| groups(&report_with(&[&file], args));
    assert_eq!(
        groups_with(&[]),
        [json!(["model", "provider_oom_killed", "agent", null, "stage_kind", 1])]
    );
    assert_eq!(
        groups_with(&["--no-admit-stage"]),
        [json!(["unknown", "provider_oom_killed", "agent", null, "fallback", 1])]
    );
}

#[test]
fn names_say_what_they_are_to_the_vocabulary() {
    let names = [
        ("judge_failed", "registered"),
        ("my_server:odd_case", "extension"),
        ("timeout_exceeded", "legacy"),
        ("answer_empty", "gate_derived"),
        ("judge_faild", "unregistered"),
    ];
    for (name, registry) in names {
        let report = report_of(&[&format!(r#"{{"failure_kind":"{name}"}}"#)]);
        assert_eq!(report["groups"][0]["registry"], registry);
        assert_eq!(report["groups"][0]["kind"], name);
    }
    let lines = names.map(|(name, _)| format!(r#"{{"failure_kind":"{name}"}}"#));
    let report = report_of(&lines.each_ref().map(|line| &**line));
    assert_eq!(
        report["unregistered"],
        json!([{"name": "judge_faild", "count": 1, "suggestion": "judge_failed"}])
    );
    assert_eq!(
        report["legacy"],
        json!([{"name": "timeout_exceeded", "count": 1, "state": "renamed", "successor": "agent_timeout", "hint": null}])
    );
}

#[test]
fn quota_resets_are_read_from_the_reason_of_that_kind_alone() {
    let report = report_of(&[
        r#"{"failure_kind":"provider_quota_exhausted","failure_reason":"quota used up, resets at 2026-10-12 05:00 UTC"}"#,
        r#"{"failure_kind":"provider_quota_exhausted","_ng_failure_message":"resets at 2026-10-12 05:00 UTC"}"#,
        r#"{"failure_kind":"provider_quota_exhausted","failure_reason":1,"_ng_failure_judge_error":"resets at 2026-10-11 05:00 UTC"}"#,
        r#"{"failure_kind":"judge_failed","failure_reason":"resets at 2026-10-12 05:00 UTC"}"#,
        r#"{"failure_kind":"provider_quota_exhausted","error":"resets at 2026-10-12 05:00 UTC"}"#,
        // The first string is the reason.
        r#"{"failure_kind":"provider_quota_exhausted","failure_reason":"","_ng_failure_message":"resets at 2026-10-12 05:00 UTC"}"#,
    ]);
    assert_eq!(
        report["quota_resets"],
        json!([
            {"at": "2026-10-11T05:00:00Z", "unix": 1_791_694_800, "count": 1},
            {"at": "2026-10-12T05:00:00Z", "unix": 1_791_781_200, "count": 2},
        ])
    );
}

#[test]
fn the_rows_of_the_readme_are_a_result_and_a_failure() {
    let readme = include_str!("../../../../README.md");
    let (_, rows) = readme.split_once("```json\n").unwrap();
    let (rows, _) = rows.split_once("\n```").unwrap();
    let report = report_of(&rows.lines().collect::<Vec<_>>());
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(report["totals"]["failures"], 1);
    assert_eq!(report["ignored"], json!([]));
    assert_eq!(groups(&report)[0][1], "judge_failed");
}
