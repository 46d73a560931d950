//! Cases from practice, each under its number.

use super::{Folder, findings, findings_of};

#[test]
fn c1_routing_classes() {
    let rows = concat!(
        r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_failure_class":"legitimate","notes":"run failed"}"#,
        "\n",
        r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_failure_class":"kill_shaped","_ng_no_persist":true}"#,
        "\n",
        r#"{"_ng_task_index":2,"_ng_rollout_index":0,"_ng_failure_class":"timeout_exceeded","_ng_failure_terminal":true}"#,
        "\n",
    );
    assert_eq!(
        findings_of("rows.jsonl", rows),
        [
            "rows.jsonl:1:63 warning[legacy-kind] legitimate",
            "rows.jsonl:3:63 warning[legacy-kind] timeout_exceeded"
        ]
    );
}

#[test]
fn c2_names_of_policies() {
    let rows = concat!(
        r#"{"_ng_failure_class":"transient","_ng_failure_http_status":502}"#,
        "\n",
        r#"{"_ng_failure_class":"transient","_ng_failure_http_status":null}"#,
        "\n",
        r#"{"_ng_failure_class":"skipped","_ng_failure_terminal":true}"#,
        "\n",
    );
    assert_eq!(
        findings_of("rows.jsonl", rows),
        [
            "rows.jsonl:1:22 warning[legacy-kind] transient",
            "rows.jsonl:3:22 warning[legacy-kind] skipped"
        ]
    );
}

#[test]
fn c5_a_registered_kind_beside_a_status() {
    let row = r#"{"_ng_failure_class":"agent_run_error","_ng_failure_type":"ClientResponseError","_ng_failure_http_status":503}"#;
    assert_eq!(findings_of("rows.jsonl", &format!("{row}\n")), [""; 0]);
}

#[test]
fn c6_no_fix_chooses_between_meanings() {
    let folder = Folder::new();
    let text = "failure_class: timeout\n";
    folder.write("a.yaml", text);
    assert_eq!(findings(&folder, &["--fix"]), ["a.yaml:1:16 warning[legacy-kind] timeout"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap(), text);
}

#[test]
fn c11_each_element_of_a_list() {
    let folder = Folder::new();
    folder.rows(
        "rows.jsonl",
        &[
            r#"{"reward":0,"failure_labels":["user_failure"],"trajectory_invalid_reasons":["x"]}"#,
            r#"{"reward":1,"failure_labels":[]}"#,
            r#"{"reward":0,"failure_labels":["session_lost","user_failure"]}"#,
        ],
    );
    assert_eq!(findings(&folder, &[]), [""; 0]);
    folder.write("failure-kinds.toml", "[lint]\nkeys = [\"failure_labels\"]\n");
    assert_eq!(findings(&folder, &[]), ["rows.jsonl:1:31 error[unregistered-kind] user_failure"]);
}

#[test]
fn c17_errors_that_are_not_failures() {
    let row = r#"{"status":"success","samples":[{"messages":[{"role":"tool","error":{"type":"timeout","message":"x"}}]}]}"#;
    for name in ["log.json", "log.jsonl"] {
        assert_eq!(findings_of(name, &format!("{row}\n")), [""; 0]);
    }
}

#[test]
fn c20_a_status_says_nothing_of_a_kind() {
    let row = r#"{"type":"ProviderError","message":"Connection error.","status_code":503,"traceback":null}"#;
    assert_eq!(findings_of("rows.jsonl", &format!("{row}\n")), [""; 0]);
}

#[test]
fn c21_null_text_or_object() {
    let folder = Folder::new();
    folder.rows(
        "rows.jsonl",
        &[
            r#"{"error":null}"#,
            r#"{"error":"some error"}"#,
            r#"{"error":{"error":"InfraError","message":"tunnel died"}}"#,
            r#"{"error":"session_lost"}"#,
            r#"{"error":7}"#,
        ],
    );
    folder.write("failure-kinds.toml", "[lint]\nkeys = [\"error\"]\n");
    assert_eq!(
        findings(&folder, &[]),
        [
            "rows.jsonl:2:10 error[unregistered-kind] some error",
            "rows.jsonl:3:10 error[unregistered-kind]",
            "rows.jsonl:5:10 error[unregistered-kind]"
        ]
    );
    folder.write("failure-kinds.toml", "[lint]\nkeys = [\"error.error\"]\n");
    assert_eq!(findings(&folder, &[]), ["rows.jsonl:3:19 error[unregistered-kind] InfraError"]);
}

#[test]
fn c22_compound_names_are_malformed_as_a_whole() {
    let folder = Folder::new();
    folder.rows(
        "rows.jsonl",
        &[
            r#"{"exit_status":"submitted (exit_cost)"}"#,
            r#"{"exit_status":"skipped (exit_api)"}"#,
            r#"{"exit_status":null}"#,
        ],
    );
    folder.write("failure-kinds.toml", "[lint]\nkeys = [\"exit_status\"]\n");
    assert_eq!(
        findings(&folder, &[]),
        [
            "rows.jsonl:1:16 error[unregistered-kind] submitted (exit_cost)",
            "rows.jsonl:2:16 error[unregistered-kind] skipped (exit_api)"
        ]
    );
}

#[test]
fn c29_text_of_an_exception_is_not_a_name() {
    let row = r#"{"instance_id":"t1","error":"{'exception_type': 'AgentTimeoutError', 'failure_kind': 'x'}","test_result":{}}"#;
    assert_eq!(findings_of("output_errors.jsonl", &format!("{row}\n")), [""; 0]);
}

#[test]
fn c30_types_of_exceptions_are_not_kinds() {
    let row = r#"{"trial_name":"t__1","exception_info":{"exception_type":"AgentTimeoutError","occurred_at":"2026-06-12"}}"#;
    assert_eq!(findings_of("result.json", row), [""; 0]);
}

#[test]
fn c31_other_vocabularies_by_their_path() {
    let folder = Folder::new();
    let row = r#"{"scoring_details":{"error_category":"infra_error"},"failure_category":null,"error_category":"x"}"#;
    folder.rows("rows.jsonl", &[row]);
    assert_eq!(findings(&folder, &[]), [""; 0]);
    folder.write("failure-kinds.toml", "[lint]\nkeys = [\"scoring_details.error_category\"]\n");
    assert_eq!(findings(&folder, &[]), ["rows.jsonl:1:38 error[unregistered-kind] infra_error"]);
}

#[test]
fn c33_renamed_labels_are_kept_in_rows() {
    let folder = Folder::new();
    let row = "{\"_ng_failure_class\":\"protocol_violation\"}\n";
    let path = folder.write("rows.jsonl", row);
    assert_eq!(
        findings(&folder, &["--fix"]),
        ["rows.jsonl:1:22 warning[legacy-kind] protocol_violation"]
    );
    assert_eq!(std::fs::read_to_string(path).unwrap(), row);
}

#[test]
fn c35_extensions_pass_and_stages_are_not_kinds() {
    let text = "f(failure_kind=\"example:tool_crashed\", stage=\"verifier\")\n\
                f(failure_kind=\"legacy_contract_test_error\")\n";
    assert_eq!(
        findings_of("a.py", text),
        ["a.py:2:16 error[unregistered-kind] legacy_contract_test_error"]
    );
}

#[test]
fn c189_a_directive_in_prose() {
    let text = "// Use `failure-kinds: ignore` to silence the lint.\n\
                // failure-kinds: ignore\n\
                const OLD_FAILURE_KIND: &str = \"old_label\";\n";
    assert_eq!(
        findings_of("a.rs", text),
        ["a.rs:2:1 warning[unused-suppression]", "a.rs:3:32 error[unregistered-kind] old_label"]
    );
}

#[test]
fn c190_a_directive_in_a_string() {
    let text = "const S: &str = \"// failure-kinds: ignore[unregistered-kind]\";\n\
                const OLD_FAILURE_KIND: &str = \"old_label\";\n";
    assert_eq!(findings_of("a.rs", text), ["a.rs:2:32 error[unregistered-kind] old_label"]);
    let text = "s = \"# failure-kinds: ignore[unregistered-kind]\"\nrow[\"failure_kind\"] = \"old_label\"\n";
    assert_eq!(findings_of("a.py", text), ["a.py:2:23 error[unregistered-kind] old_label"]);
}

#[test]
fn c191_word_lists() {
    let list = r#"["http:get","cuda:0","judge_failed_rate","redis:6379","x:y"]"#;
    assert_eq!(findings_of("a.json", list), [""; 0]);
    assert_eq!(findings_of("a.jsonl", &format!("{list}\n")), [""; 0]);
    assert_eq!(findings_of("a.py", &format!("WORDS = {list}\n")), [""; 0]);
    let rust = format!("const WORDS: [&str; 5] = {list};\n");
    assert_eq!(findings_of("a.rs", &rust), [""; 0]);
    assert_eq!(findings_of("a.yaml", &format!("words: {list}\n")), [""; 0]);
    assert_eq!(findings_of("a.toml", &format!("words = {list}\n")), [""; 0]);
}
