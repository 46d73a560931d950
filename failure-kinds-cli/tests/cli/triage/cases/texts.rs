//! Texts, exit codes and words from which no kind, no status and no class is derived.

use serde_json::{Value, json};

use crate::triage::{groups, report_of};

/// Rows with this text in every place that may hold one: neither a row without a kind nor one
/// with a kind that decides nothing gets anything from it.
fn derives_nothing(text: &str) {
    let mut row = json!({
        "_ng_failure_record": {"failure": {"failure_reason": text}},
        "error": text,
        "notes": text,
        "judge_output": text,
    });
    let group = |row: &Value| {
        let report = report_of(&[&row.to_string()]);
        assert_eq!(report["groups"][0]["http_statuses"], json!({}), "{text}");
        groups(&report)
    };
    assert_eq!(group(&row), [json!(["unknown", null, null, null, "fallback", 1])], "{text}");
    row["failure_kind"] = json!("agent_run_error");
    let unsettled = json!(["unknown", "agent_run_error", null, null, "fallback", 1]);
    assert_eq!(group(&row), [unsettled], "{text}");
}

/// The one group of a row, without its count.
fn group(row: &str) -> Value {
    let mut groups = groups(&report_of(&[row]));
    assert_eq!(groups.len(), 1, "{row}");
    groups[0].as_array_mut().unwrap().pop();
    groups.remove(0)
}

#[test]
fn c92_a_text_is_not_evidence_of_memory() {
    derives_nothing(
        "slurmstepd: error: Detected 2 oom-kill event(s) in step 1234567.batch cgroup.",
    );
    derives_nothing("slurmstepd: error: Detected 1 oom_kill event in StepId=1234567.0.");
}

#[test]
fn c96_a_signal_is_not_evidence_of_memory() {
    derives_nothing("Caught fatal signal 9");
    assert_eq!(
        group(r#"{"failure_kind":"kill_shaped","failure_reason":"Caught fatal signal 9"}"#),
        json!(["evaluation", "kill_shaped", null, null, "kind"])
    );
}

#[test]
fn c100_a_status_in_a_text_has_no_label() {
    assert_eq!(
        group(
            r#"{"failure_kind":"provider_unavailable","failure_reason":"503 Server Error: Service Unavailable for url: https://x.eval-runtime.example.com/alive"}"#
        ),
        json!(["evaluation", "provider_unavailable", null, null, "kind"])
    );
}

#[test]
fn c102_the_name_of_an_exception_picks_no_kind() {
    let reason = "TimeoutException: The sandbox was not found: likely due to sandbox timeout.";
    derives_nothing(reason);
    for kind in ["session_expired", "session_lost"] {
        let row = json!({"failure_kind": kind, "failure_reason": reason});
        assert_eq!(group(&row.to_string()), json!(["evaluation", kind, null, null, "kind"]));
    }
}

#[test]
fn c136_a_timeout_of_the_verifier_is_not_the_agents() {
    assert_eq!(
        group(
            r#"{"failure_kind":"provider_command_outcome_unknown","_ng_failure_stage":"verification","failure_reason":"verifier timed out after 2400.0s, no output"}"#
        ),
        json!([
            "evaluation",
            "provider_command_outcome_unknown",
            "verification",
            null,
            "stage_default"
        ])
    );
}

#[test]
fn c141_an_exit_code_is_not_evidence_of_memory() {
    for (kind, class, rule) in
        [("kill_shaped", "evaluation", "kind"), ("provider_oom_killed", "model", "stage_kind")]
    {
        let row = json!({"failure_kind": kind, "_ng_failure_stage": "agent", "exit_code": 137});
        assert_eq!(group(&row.to_string()), json!([class, kind, "agent", null, rule]));
    }
}

#[test]
fn c143_an_exit_code_alone_is_not_a_failure() {
    let report = report_of(&[r#"{"failure_kind":null,"exit_code":137,"result":""}"#]);
    assert_eq!(
        [&report["totals"]["results"], &report["totals"]["failures"]],
        [&json!(1), &json!(0)]
    );
}

#[test]
fn c146_no_verdict_is_read_from_prose() {
    derives_nothing("I cannot say PASS here");
    let report = report_of(&[
        r#"{"failure_kind":"judge_unparseable","judge_output":"I cannot say PASS here"}"#,
    ]);
    assert_eq!(
        groups(&report),
        [json!(["evaluation", "judge_unparseable", null, null, "kind", 1])]
    );
    assert_eq!(report["totals"]["degraded"], 0);
}

#[test]
fn c162_digits_in_text_are_not_status() {
    for text in [
        "at handler (server.mjs:429:15)",
        "pid=429 exited",
        "processed 429 tokens",
        "/srv/out.json",
        "request 6a83baf1-cc335504 failed",
        "503 service unavailable",
    ] {
        derives_nothing(text);
    }
}

#[test]
fn c163_digits_in_sentences_of_success_are_not_status() {
    derives_nothing("429 model calls completed successfully");
    derives_nothing("500 samples evaluated successfully");
}
