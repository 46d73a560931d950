//! Labels and rows that producers wrote.

use serde_json::{Value, json};

use crate::support::Folder;
use crate::triage::{fault, groups, report, report_of, report_with};

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
fn c2_a_policy_word_is_not_a_kind_and_the_status_is_kept() {
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
fn c3_a_stale_class_with_a_reward_is_on_no_side_and_is_reported() {
    let report = report_of(&[
        r#"{"reward":1.0,"_ng_failure_class":"remote_agent_error","error":"from an earlier run"}"#,
    ]);
    assert_eq!(report["totals"]["failures"], 1);
    // A row with `_ng_failure_class` was routed to the sidecar: its reward is not a measurement.
    assert_eq!(report["totals"]["degraded"], 0);
    assert_eq!(report["legacy"][0]["name"], "remote_agent_error");
}

#[test]
fn c5_the_kind_stays_and_the_status_gets_a_label() {
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
fn c6_a_label_of_several_meanings_has_no_successor() {
    let report = report_of(&[
        r#"{"_ng_task_index":3,"_ng_rollout_index":0,"_ng_failure_class":"timeout","_ng_failure_terminal":true}"#,
    ]);
    assert_eq!(
        report["legacy"],
        json!([{
            "name": "timeout",
            "count": 1,
            "state": "split",
            "successor": null,
            "hint": "agent_timeout or transport_timeout"
        }])
    );
    assert_eq!(report["groups"][0]["kind"], "timeout");
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
    let latest = report_with(&[&sidecar, &results], &["--latest"]);
    assert_eq!(
        groups(&latest),
        [json!(["unknown", "timeout_exceeded", null, null, "fallback", 1])]
    );
}

#[test]
fn c11_a_list_in_a_kind_field_is_not_a_label() {
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
        r#"{"failure_kind":null,"agent_error_kind":"other","error_kind":null,"mask_sample":false,"reward":1.0,"resolved":true}"#,
    ]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(report["totals"]["failures"], 0);
}

#[test]
fn c13_success_is_not_a_property_of_a_kind() {
    let report = report_of(&[
        r#"{"trial_name":"t.1-of-5","is_resolved":true,"reward":1.0,"failure_kind":"agent_timeout"}"#,
        r#"{"trial_name":"t.2-of-5","is_resolved":false,"reward":0.0,"failure_kind":"agent_timeout"}"#,
        r#"{"trial_name":"t.3-of-5","is_resolved":true,"failure_mode":"agent_timeout"}"#,
    ]);
    assert_eq!(groups(&report), [json!(["unknown", "agent_timeout", null, null, "fallback", 2])]);
    assert_eq!(
        [&report["totals"]["failures"], &report["totals"]["degraded"]],
        [&json!(2), &json!(2)]
    );
    // Another key is another vocabulary.
    assert_eq!(report["totals"]["results"], 1);
}

#[test]
fn c15_a_null_outcome_is_not_a_zero() {
    let report = report_of(&[
        r#"{"is_resolved":null,"reward":null,"failure_kind":"parse_error","_ng_failure_stage":"verification"}"#,
        r#"{"is_resolved":null,"reward":null,"failure_kind":"test_timeout","_ng_failure_stage":"verification"}"#,
    ]);
    assert_eq!(
        groups(&report),
        [
            json!(["evaluation", "parse_error", "verification", null, "stage_default", 1]),
            json!(["evaluation", "test_timeout", "verification", null, "stage_default", 1]),
        ]
    );
    assert_eq!(report["totals"]["degraded"], 0);
    assert_eq!(
        report["unregistered"],
        json!([
            {"name": "parse_error", "count": 1, "suggestion": null},
            {"name": "test_timeout", "count": 1, "suggestion": null},
        ])
    );
}

#[test]
fn c16_a_file_that_repeats_the_rows_of_trials_is_not_a_run() {
    let folder = Folder::new();
    let trial = r#"{"trial_name":"a","failure_kind":"agent_timeout"}"#;
    folder.write("run1/results.json", format!(r#"{{"results":[{trial}]}}"#));
    folder.write("run1/a/a.1-of-1/results.json", trial);
    assert!(fault(&[folder.path()]).contains("holds no run"));
    folder.rows("run1/trials_failures.jsonl", &[trial]);
    let report = report(&[folder.path()]);
    assert_eq!(report["totals"]["rows"], 1);
    assert_eq!(report["skipped_files"].as_array().unwrap().len(), 2);
}

#[test]
fn c20_an_unrecorded_status_is_not_evidence() {
    let report = report_of(&[
        r#"{"failure_kind":"transport_unreachable","type":"ProviderError","message":"Connection error.","status_code":503}"#,
    ]);
    assert_eq!(
        groups(&report),
        [json!(["evaluation", "transport_unreachable", null, null, "kind", 1])]
    );
    assert_eq!(report["groups"][0]["http_statuses"], json!({}));
}

#[test]
fn c21_null_text_or_object() {
    let report = report_of(&[
        r#"{"failure_kind":null}"#,
        r#"{"failure_kind":"some error"}"#,
        r#"{"failure_kind":{"error":"InfraError","message":"tunnel died"}}"#,
        r#"{"failure_kind":"session_lost"}"#,
    ]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(
        groups(&report),
        [
            json!(["evaluation", "session_lost", null, null, "kind", 1]),
            json!(["unknown", null, null, null, "fallback", 1]),
            json!(["unknown", "some error", null, null, "fallback", 1]),
        ]
    );
    assert_eq!(report["ignored"], json!([{"field": "kind", "type": "object", "count": 1}]));
}

#[test]
fn c29_a_sidecar_of_another_name_is_read_when_it_is_named() {
    let folder = Folder::new();
    let row = r#"{"failure_kind":null,"instance_id":"t1","error":"{'exception_type': 'AgentTimeoutError'}","test_result":{}}"#;
    let errors = folder.rows("output_errors.jsonl", &[row]);
    folder.rows("output_failures.jsonl", &[r#"{"failure_kind":"judge_failed"}"#]);
    let searched = report(&[folder.path()]);
    assert_eq!(searched["totals"]["rows"], 1);
    assert_eq!(searched["skipped_files"][0]["path"], errors.to_str().unwrap());
    // The text of an exception is not a kind.
    assert_eq!(report(&[&errors])["totals"]["results"], 1);
}

#[test]
fn c30_a_reward_with_an_exception_stays_a_result() {
    let report = report_of(&[
        r#"{"failure_kind":null,"trial_name":"t__1","reward":1.0,"verifier_result":{"rewards":{"reward":1.0}},"exception_info":{"exception_type":"AgentTimeoutError"}}"#,
    ]);
    assert_eq!(
        [&report["totals"]["results"], &report["totals"]["failures"]],
        [&json!(1), &json!(0)]
    );
}
