//! What was counted twice, on the wrong side, or not at all.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Folder, Ran};
use crate::triage::{groups, report, report_of, report_with, triage};

/// Failures first, and the results behind them, of one run with its inventory.
fn run(failures: &[String], results: &[String]) -> Folder {
    let folder = Folder::new();
    let identity = |n| format!("\"_ng_task_index\":{n},\"_ng_rollout_index\":0");
    let inventory = (0..failures.len() + results.len()).map(|n| format!("{{{}}}\n", identity(n)));
    folder.write("r_materialized_inputs.jsonl", inventory.collect::<String>());
    let rows = |rows: &[String], first| {
        let rows = rows.iter().zip(first..);
        rows.map(|(row, n)| format!("{{{},{row}}}\n", identity(n))).collect::<String>()
    };
    folder.write("r_failures.jsonl", rows(failures, 0));
    folder.write("r.jsonl", rows(results, failures.len()));
    folder
}

fn repeated(row: &str, count: usize) -> Vec<String> {
    vec![row.to_owned(); count]
}

/// Runs `triage --fail-on` on a run.
fn fail_on(folder: &Folder, condition: &str) -> Ran {
    triage(["--fail-on".as_ref(), condition.as_ref(), folder.path().as_os_str()])
}

#[test]
fn c24_a_class_changes_no_total() {
    let folder = run(
        &[
            repeated(r#""failure_kind":"missing_module""#, 2),
            repeated(r#""failure_kind":"tests_timed_out""#, 3),
        ]
        .concat(),
        &repeated(r#""reward":0.0"#, 5),
    );
    let config = folder.write("c.toml", "unknown = 'evaluation'\n");
    let folder = folder.path();
    let before = report(&[folder]);
    let after = report_with(&[folder], &["--config", config.to_str().unwrap()]);
    for report in [&before, &after] {
        assert_eq!(report["rollouts"]["failed"], 5);
    }
    // Ambiguous evidence blames nobody.
    let classes =
        |report: &Value| groups(report).iter().map(|group| group[0].clone()).collect::<Vec<_>>();
    assert_eq!(classes(&before), ["unknown", "unknown"]);
    assert_eq!(classes(&after), ["evaluation", "evaluation"]);
    assert_eq!((&before["totals"], &before["rollouts"]), (&after["totals"], &after["rollouts"]));
}

#[test]
fn c86_a_quota_spent_before_the_agent_started() {
    let spent = r#""_ng_failure_record":{"failure":{"failure_kind":"provider_quota_exhausted","stage":"seed","failure_reason":"Total disk limit exceeded. Maximum allowed: 30GiB"}}"#;
    let folder = run(&repeated(spent, 12), &repeated(r#""reward":1.0"#, 4));
    let report = report(&[folder.path()]);
    assert_eq!(
        groups(&report),
        [json!(["evaluation", "provider_quota_exhausted", "seed", null, "stage_default", 12])]
    );
    assert_eq!(report["quota_resets"], json!([]));
    let shown = triage([folder.path()]).stdout;
    assert!(shown.contains("12 of 16 seen failed (75.0%)"), "{shown}");
}

#[test]
fn c115_a_failed_row_with_a_reward_of_zero_is_not_a_measured_zero() {
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
        json!({"expected": 4, "seen": 3, "missing": 1, "unexpected": 0, "omitted": 0, "failed": 1, "degraded": 0, "recovered": 0})
    );
    assert_eq!(report["totals"]["masked"], 1);
    assert_eq!(report["groups"][0]["class"], "evaluation");
}

#[test]
fn c116_the_share_of_failures_comes_first() {
    let lost = r#""_ng_failure_class":"session_lost","reward":0.0"#;
    let folder = run(&repeated(lost, 1172), &repeated(r#""reward":1.0"#, 108));
    let ran = triage([folder.path()]);
    let first = "ROLLOUTS: 0 of 1280 expected are missing (0.0%), 1172 of 1280 seen failed (91.6%)";
    assert!(ran.stdout.starts_with(first), "{}", ran.stdout);
    assert_eq!(fail_on(&folder, "evaluation>90%").code, 1);
}

#[test]
fn c118_three_meanings_of_zero() {
    let report = report_of(&[
        r#"{"reward":0.0}"#,
        r#"{"reward":0.0,"failure_kind":"judge_failed"}"#,
        r#"{"reward":0.0,"failure_kind":"judge_unparseable"}"#,
        r#"{"reward":0.0,"_ng_failure_class":"judge_invalid"}"#,
    ]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(
        groups(&report),
        [
            json!(["evaluation", "judge_failed", null, null, "kind", 1]),
            json!(["evaluation", "judge_invalid", null, null, "kind", 1]),
            json!(["evaluation", "judge_unparseable", null, null, "kind", 1]),
        ]
    );
}

#[test]
fn c119_a_status_of_200_is_not_evidence_of_anything() {
    let report = report_of(&[
        r#"{"_ng_failure_class":"judge_failed","_ng_failure_http_status":200,"reward":0.0,"mask_sample":true}"#,
    ]);
    assert_eq!(groups(&report), [json!(["evaluation", "judge_failed", null, null, "kind", 1])]);
    assert_eq!(report["groups"][0]["server"], false);
    assert_eq!(report["totals"]["failures"], 1);
}

#[test]
fn c120_a_masked_row_was_not_measured() {
    let report = report_of(&[
        r#"{"reward":1.0}"#,
        r#"{"reward":0.0,"failure_kind":"judge_failed","mask_sample":true}"#,
        r#"{"reward":0.0,"failure_kind":"judge_failed"}"#,
    ]);
    assert_eq!(
        [&report["totals"]["masked"], &report["totals"]["degraded"]],
        [&json!(1), &json!(1)]
    );
}

#[test]
fn c123_a_kind_inside_a_payload_is_not_the_rows() {
    let report = report_of(&[
        r#"{"reward":0.4,"rubrics":[{"met":true},{"met":false,"failure_kind":"judge_failed"}]}"#,
        r#"{"reward":0.4,"failure_kind":"judge_failed","rubrics":[{"met":false,"failure_kind":"agent_timeout"}]}"#,
    ]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(groups(&report), [json!(["evaluation", "judge_failed", null, null, "kind", 1])]);
}

#[test]
fn c124_a_stub_without_a_kind_gets_none() {
    let report = report_of(&[r#"{"failure_kind":null,"reward":0.0,"response":null}"#]);
    assert_eq!(report["totals"]["results"], 1);
    assert_eq!(report["groups"], json!([]));
}

#[test]
fn c127_a_verifier_that_wrote_nothing_measured_nothing() {
    let report =
        report_of(&[r#"{"failure_kind":"verifier_error","_ng_failure_stage":"verification"}"#]);
    assert_eq!(
        groups(&report),
        [json!(["evaluation", "verifier_error", "verification", null, "stage_default", 1])]
    );
    assert_eq!(report["totals"]["degraded"], 0);
}

#[test]
fn c128_an_ungraded_rollout_failed_and_scored_nothing() {
    let folder = run(
        &repeated(r#""reward":null,"failure_kind":"verifier_error""#, 1),
        &repeated(r#""reward":1.0"#, 1),
    );
    let report = report(&[folder.path()]);
    assert_eq!(
        report["rollouts"],
        json!({"expected": 2, "seen": 2, "missing": 0, "unexpected": 0, "omitted": 0, "failed": 1, "degraded": 0, "recovered": 0})
    );
}

#[test]
fn c129_rate_limited_runs_are_failures_of_the_evaluation() {
    let limited = r#""failure_kind":"provider_unavailable","_ng_failure_http_status":429"#;
    let folder = run(&repeated(limited, 36), &repeated(r#""reward":0.0"#, 694));
    let report = report(&[folder.path()]);
    assert_eq!(
        groups(&report),
        [json!([
            "evaluation",
            "provider_unavailable",
            null,
            "http_rate_limited",
            "http_evidence",
            36
        ])]
    );
    assert_eq!(
        [&report["rollouts"]["failed"], &report["rollouts"]["seen"]],
        [&json!(36), &json!(730)]
    );
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
fn c132_a_bound_on_a_share_is_met_above_it_only() {
    let timeout = r#""failure_kind":"agent_timeout","_ng_failure_stage":"agent""#;
    let failures =
        [repeated(timeout, 19), repeated(r#""failure_kind":"verifier_error""#, 1)].concat();
    let folder = run(&failures, &repeated(r#""reward":1.0"#, 300));
    for (bound, code) in [("evaluation>4.999999%", 1), ("evaluation>5%", 0), ("evaluation>7%", 0)] {
        let ran = fail_on(&folder, bound);
        assert_eq!(ran.code, code, "{bound}");
        assert!(ran.stdout.contains("agent_timeout"), "the report is written either way");
    }
}

#[test]
fn c133_no_share_of_nothing() {
    let folder = run(&[], &[]);
    let shown = triage([folder.path()]).stdout;
    assert!(
        shown.starts_with("ROLLOUTS: 0 of 0 expected are missing, 0 of 0 seen failed"),
        "{shown}"
    );
    assert!(!shown.contains('%') && !shown.contains("NaN"), "{shown}");
    let stub = report_of(&[r#"{"failure_kind":"rollout_error","reward":0.0,"loss_mask":[0]}"#]);
    assert_eq!(
        stub["unregistered"],
        json!([{"name": "rollout_error", "count": 1, "suggestion": null}])
    );
}

#[test]
fn c135_two_kinds_of_one_row_count_once() {
    let report = report_of(&[
        r#"{"_ng_failure_record":{"failure":{"failure_kind":"agent_timeout","stage":"agent"}},"failure_kind":"verifier_error","_ng_failure_stage":"verification"}"#,
    ]);
    assert_eq!(
        groups(&report),
        [json!(["model", "agent_timeout", "agent", null, "stage_kind", 1])]
    );
    assert_eq!(
        [&report["totals"]["failures"], &report["totals"]["conflicts"]],
        [&json!(1), &json!(1)]
    );
}

#[test]
fn c138_missing_null_and_zero_are_three_rewards() {
    let degraded = |row: &str| report_of(&[row])["totals"]["degraded"].clone();
    assert_eq!(degraded(r#"{"failure_kind":"verifier_error"}"#), 0);
    assert_eq!(degraded(r#"{"reward":null,"failure_kind":"verifier_error"}"#), 0);
    assert_eq!(degraded(r#"{"reward":0.0,"failure_kind":"verifier_error"}"#), 1);
    assert_eq!(report_of(&[r#"{"failure_kind":null,"reward":0.0}"#])["totals"]["results"], 1);
}

#[test]
fn c144_a_reward_with_a_failed_judge_is_reported() {
    let report = report_of(&[
        r#"{"failure_kind":"judge_failed","reward":1.0,"judge_output":"[ERROR] request timed out after 90 s"}"#,
    ]);
    assert_eq!(groups(&report), [json!(["evaluation", "judge_failed", null, null, "kind", 1])]);
    assert_eq!(report["totals"]["degraded"], 1);
}

#[test]
fn c151_failures_stay_in_the_denominator() {
    let results = [repeated(r#""reward":1.0"#, 80), repeated(r#""reward":0.0"#, 10)].concat();
    let folder = run(&repeated(r#""failure_kind":"environment_server_failed""#, 10), &results);
    let report = report(&[folder.path()]);
    assert_eq!(
        report["rollouts"],
        json!({"expected": 100, "seen": 100, "missing": 0, "unexpected": 0, "omitted": 0, "failed": 10, "degraded": 0, "recovered": 0})
    );
    let shown = triage([folder.path()]).stdout;
    assert!(shown.contains("10 of 100 seen failed (10.0%)"), "{shown}");
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
fn c156_a_completed_run_with_a_kind_failed() {
    let report = report_of(&[
        r#"{"status":"completed","failure_kind":"provider_unavailable","_ng_failure_http_status":429}"#,
    ]);
    assert_eq!(
        groups(&report),
        [json!([
            "evaluation",
            "provider_unavailable",
            null,
            "http_rate_limited",
            "http_evidence",
            1
        ])]
    );
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
