//! JSON as it is found in practice.

use serde_json::json;

use crate::support::Folder;
use crate::triage::{report, report_of};

#[test]
fn c161_a_number_that_json_does_not_know_loses_no_row() {
    let report = report_of(&[
        r#"{"failure_kind":"agent_run_error","score":NaN}"#,
        r#"{"failure_kind":"agent_run_error","reward":NaN}"#,
        r#"{"failure_kind":"agent_run_error"}"#,
    ]);
    assert_eq!([&report["totals"]["rows"], &report["totals"]["malformed"]], [&json!(2), &json!(1)]);
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
fn c182_booleans_are_not_integers() {
    let report = report_of(&[
        r#"{"failure_kind":"agent_run_error","_ng_failure_http_status":true}"#,
        r#"{"failure_kind":"agent_run_error","_ng_failure_http_status":null}"#,
    ]);
    assert_eq!(report["groups"][0]["http_statuses"], json!({}));
    assert_eq!(report["ignored"], json!([{"field": "http_status", "type": "boolean", "count": 1}]));
}

#[test]
fn c183_a_float_is_not_a_status() {
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
fn c186_lone_surrogates_nan_and_bytes_that_are_not_text() {
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
