//! Rows of newer collectors: events, omissions, final zeros, and what may hide a rollout.

use serde_json::{Value, json};

use crate::support::Folder;
use crate::triage::{groups, report, report_of, triage};

const INVENTORY: &str = "rollouts_materialized_inputs.jsonl";
const RESULTS: &str = "rollouts.jsonl";
const SIDECAR: &str = "rollouts_failures.jsonl";

/// A run with an inventory of this many tasks.
fn run(tasks: u32, sidecar: &[&str], results: &[&str]) -> Folder {
    let folder = Folder::new();
    let inventory: String = (0..tasks)
        .map(|task| format!("{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0}}\n"))
        .collect();
    folder.write(INVENTORY, inventory);
    folder.rows(SIDECAR, sidecar);
    folder.rows(RESULTS, results);
    folder
}

/// The text of a report, each sentence on one line.
fn text(folder: &Folder) -> String {
    triage([folder.path()]).stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn c242_a_torn_line_may_hold_the_missing_rollouts() {
    let folder = run(3, &[], &[]);
    let whole = r#"{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1}"#;
    let torn = r#"{"_ng_task_index":1,"_ng_roll{"_ng_task_index":2,"_ng_rollout_index":0}"#;
    folder.rows(RESULTS, &[whole, torn]);
    let report = report(&[folder.path()]);
    assert_eq!(report["rollouts"]["missing"], 2);
    let text = text(&folder);
    let hidden = format!("1 malformed line (`{RESULTS}`:2) may hold them");
    assert!(text.contains(&hidden), "{text}");
    assert!(!text.contains("never started"), "{text}");
}

#[test]
fn c243_whole_floats_are_not_an_identity() {
    let folder = run(
        2,
        &[],
        &[
            r#"{"_ng_task_index":1.0,"_ng_rollout_index":0.0}"#,
            r#"{"_ng_task_index":0,"_ng_rollout_index":0}"#,
        ],
    );
    let report = report(&[folder.path()]);
    assert_eq!(report["ignored"], json!([{"field": "identity", "type": "float", "count": 2}]));
    assert_eq!(report["rollouts"]["missing"], 1);
    let text = text(&folder);
    assert!(text.contains("2 values of identity could not be used (float)"), "{text}");
    let hidden = "1 row without a usable task and rollout index may hold them";
    assert!(text.contains(hidden), "{text}");
    assert!(!text.contains("never started"), "{text}");
}

#[test]
fn c244_only_true_masks() {
    let report = report_of(&[r#"{"failure_kind":"judge_failed","mask_sample":1.0}"#]);
    assert_eq!(report["totals"]["masked"], 0);
    assert_eq!(report["ignored"], json!([{"field": "mask", "type": "float", "count": 1}]));
}

#[test]
fn c245_a_sidecar_of_an_earlier_run_is_unexpected() {
    let folder = run(
        2,
        &[r#"{"_ng_task_index":9,"_ng_rollout_index":0,"failure_kind":"judge_failed"}"#],
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"reward":1}"#,
        ],
    );
    let report = report(&[folder.path()]);
    assert_eq!(report["rollouts"]["unexpected"], 1);
    assert_eq!(report["runs"][0]["unexpected"], 1);
    assert_eq!(report["rollouts"]["missing"], 0);
    let text = text(&folder);
    assert!(text.contains("0 of 2 expected are missing (0.0%), 1 unexpected, 1 of 3 seen failed"));
    assert!(text.contains("that its inventory does not name"), "{text}");
    let args = |condition: &str| {
        triage(["--fail-on".as_ref(), condition.as_ref(), folder.path().as_os_str()]).code
    };
    assert_eq!(args("missing , unexpected"), 1);
    assert_eq!(args("missing,omitted"), 0);
}

#[test]
fn c246_a_row_of_a_sidecar_is_a_failure_without_any_kind_key() {
    let folder = Folder::new();
    let row = r#"{"_ng_task_index":0,"_ng_rollout_index":0,"error":"boom"}"#;
    folder.rows(SIDECAR, &[row]);
    let in_sidecar = report(&[folder.path()]);
    assert_eq!(groups(&in_sidecar), [json!(["unknown", null, null, null, "fallback", 1])]);
    assert_eq!(in_sidecar["rollouts"]["failed"], 1);
    // Anywhere else it is a result.
    let named = report(&[&folder.rows("rows.jsonl", &[row])]);
    assert_eq!(named["totals"]["results"], 1);
}

#[test]
fn c258_an_attempt_has_64_bits() {
    let folder = run(
        1,
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_attempt_index":1,"failure_kind":"judge_failed"}"#,
        ],
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_attempt_index":4294967296,"reward":1}"#,
        ],
    );
    let report = report(&[folder.path()]);
    assert_eq!(report["rollouts"]["failed"], 0);
    assert_eq!(report["rollouts"]["recovered"], 1);
    assert_eq!(report["ignored"], json!([]));
}

#[test]
fn c260_an_omitted_rollout_is_not_failure_not_result_and_not_missing() {
    let folder = run(
        3,
        &[],
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"reward":1}"#,
            r#"{"_ng_task_index":2,"_ng_rollout_index":0,"_ng_omitted_rollout":true}"#,
        ],
    );
    let report = report(&[folder.path()]);
    let totals = &report["totals"];
    let counts = ["rows", "failures", "results", "omitted", "unrouted"].map(|key| &totals[key]);
    assert_eq!(counts, [3, 0, 2, 1, 0]);
    assert_eq!(report["files"][0]["omitted"], 1);
    let rollouts = &report["rollouts"];
    let counts = ["expected", "seen", "missing", "omitted"].map(|key| &rollouts[key]);
    assert_eq!(counts, [3, 2, 0, 1]);
    assert_eq!(report["groups"], json!([]));
    let text = text(&folder);
    assert!(text.contains("(0.0%), 1 omitted, 0 of 2 seen failed"), "{text}");
    assert!(text.contains("1 row omitted: no attempt was made"), "{text}");
}

#[test]
fn c261_an_unrouted_row_never_decides_and_leads() {
    let folder = run(
        1,
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_failure_class":"judge_failed"}"#,
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_attempt_index":3,"_ng_omitted_rollout":true,"_ng_unrouted_run_error":true,"_ng_failure_class":"agent_run_error","_ng_failure_message":"no route","mask_sample":true,"_ng_failure_http_status":"500"}"#,
        ],
        &[],
    );
    let report = report(&[folder.path()]);
    assert_eq!(groups(&report), [json!(["evaluation", "judge_failed", null, null, "kind", 1])]);
    assert_eq!(report["rollouts"]["failed"], 1);
    assert_eq!(report["rollouts"]["omitted"], 0);
    let totals = &report["totals"];
    let counts = ["rows", "failures", "omitted", "unrouted", "masked"].map(|key| &totals[key]);
    assert_eq!(counts, [2, 1, 1, 1, 0]);
    assert_eq!(report["ignored"], json!([]));
    let text = text(&folder);
    let (_, next) = text.split_once("LOOK NEXT AT ").unwrap();
    assert!(next.starts_with("one failed request ended the whole run: 1 row, "), "{next}");
    assert!(next.contains("`agent_run_error`, no route"), "{next}");
    // Without the other mark it is the same.
    for mark in ["true", "1", "\"yes\"", "{}"] {
        let report = report_of(&[&format!(r#"{{"_ng_unrouted_run_error":{mark}}}"#)]);
        assert_eq!(report["totals"]["unrouted"], 1, "{mark}");
    }
    for mark in ["false", "null"] {
        let line = format!(r#"{{"_ng_unrouted_run_error":{mark},"_ng_omitted":{mark}}}"#);
        assert_eq!(report_of(&[&line])["totals"]["results"], 1, "{mark}");
    }
}

/// The kind, the stage and the statuses of the one group of one row.
fn evidence(line: &str) -> Value {
    let report = report_of(&[line]);
    let group = &report["groups"][0];
    json!([group["kind"], group["stage"], group["http_statuses"]])
}

#[test]
fn c262_the_first_cause_with_a_kind_names_the_failure() {
    let line = r#"{
        "_ng_failure_class": "transient",
        "_ng_failure_http_status": 502,
        "_ng_failure_id": "e2",
        "_ng_failure_events": {
            "e1": {"failure_kind": "transport_timeout", "http_status": 504},
            "e2": {"failure_kind": null, "cause_id": "e3", "http_status": 500, "stage": "agent"},
            "e3": {"failure_kind": "provider_oom_killed", "http_status": 429, "stage": "seed"}
        }
    }"#
    .replace('\n', "");
    assert_eq!(evidence(&line), json!(["provider_oom_killed", "agent", {"500": 1}]));
    // The status of the cause comes before those of the row.
    let line = line.replace(r#", "http_status": 500"#, "");
    assert_eq!(evidence(&line), json!(["provider_oom_killed", "agent", {"429": 1}]));
    assert_eq!(report_of(&[&line])["ignored"], json!([]));
    // Events are not keys that can disagree.
    assert_eq!(report_of(&[&line])["totals"]["conflicts"], 0);
}

#[test]
fn c263_causes_that_lead_nowhere() {
    let kind = |events: &str| {
        let line = format!(
            r#"{{"_ng_failure_class":"judge_failed","_ng_failure_id":"a","_ng_failure_events":{events}}}"#
        );
        evidence(&line)[0].clone()
    };
    // In a circle.
    let circle = r#"{"a":{"failure_kind":"odd","cause_id":"b"},"b":{"failure_kind":"other","cause_id":"a"}}"#;
    assert_eq!(kind(circle), "odd");
    assert_eq!(kind(r#"{"a":{"cause_id":"a"}}"#), "judge_failed");
    // A cause that does not exist.
    assert_eq!(kind(r#"{"a":{"failure_kind":"odd","cause_id":"z"}}"#), "odd");
    assert_eq!(kind(r#"{"a":{"failure_kind":"odd"}}"#), "odd");
    // A legacy label is followed like any other name that is not registered.
    let renamed = r#"{"a":{"failure_kind":"timeout_exceeded","cause_id":"b"},"b":{"failure_kind":"my_server:gone"}}"#;
    assert_eq!(kind(renamed), "my_server:gone");
    // Eight steps, and no more.
    let chain = |causes: u32| {
        let events: Vec<_> = (0..causes)
            .map(|n| format!(r#""{}":{{"cause_id":"{}"}}"#, name(n), name(n + 1)))
            .chain([format!(r#""{}":{{"failure_kind":"session_lost"}}"#, name(causes))])
            .collect();
        format!("{{{}}}", events.join(","))
    };
    assert_eq!(kind(&chain(8)), "session_lost");
    assert_eq!(kind(&chain(9)), "judge_failed");
}

/// `a`, `b`, …
fn name(n: u32) -> char {
    char::from_digit(10 + n, 36).unwrap()
}

#[test]
fn events_that_cannot_be_used_are_counted() {
    let ignored = |line: &str| report_of(&[line])["ignored"].clone();
    let event = |r#type: &str| json!([{"field": "event", "type": r#type, "count": 1}]);
    assert_eq!(ignored(r#"{"failure_kind":null,"_ng_failure_id":"a"}"#), event("string"));
    assert_eq!(ignored(r#"{"failure_kind":null,"_ng_failure_id":7}"#), event("integer"));
    assert_eq!(ignored(r#"{"_ng_failure_events":{"a":{}}}"#), event("object"));
    assert_eq!(ignored(r#"{"_ng_failure_events":[]}"#), event("array"));
    assert_eq!(ignored(r#"{"_ng_failure_id":"a","_ng_failure_events":{"b":{}}}"#), event("string"));
    assert_eq!(ignored(r#"{"_ng_failure_id":"a","_ng_failure_events":{"a":1}}"#), event("integer"));
    // The id may be spelled with escapes, and the last of duplicate events counts.
    let line = r#"{"_ng_failure_id":"\u0061","_ng_failure_events":{"a":1,"a":{"failure_kind":"judge_failed"}}}"#;
    assert_eq!(evidence(line)[0], "judge_failed");
    assert_eq!(ignored(line), json!([]));
    // Events alone make a row a failure.
    assert_eq!(report_of(&[r#"{"_ng_failure_events":{}}"#])["totals"]["failures"], 1);
    assert_eq!(report_of(&[r#"{"_ng_failure_events":null}"#])["totals"]["results"], 1);
    // Whatever is in events is JSON as far as it is read.
    let line =
        r#"{"_ng_failure_id":"a","_ng_failure_events":{"a" {}},"failure_kind":"judge_failed"}"#;
    assert_eq!(report_of(&[r#"{"failure_kind":null}"#, line])["totals"]["malformed"], 1);
}

#[test]
fn c264_the_models_own_zero_is_final() {
    let report = report_of(&[
        r#"{"failure_kind":"agent_timeout","_ng_failure_counts_as_zero":true}"#,
        r#"{"failure_kind":"agent_timeout","_ng_failure_counts_as_zero":"true"}"#,
    ]);
    assert_eq!(report["totals"]["failures"], 2);
    assert_eq!(report["groups"][0]["final"], 1);
    assert_eq!(report["ignored"], json!([{"field": "final", "type": "string", "count": 1}]));
}

#[test]
fn c265_a_saved_answer_can_be_judged_again() {
    let report = report_of(&[
        r#"{"failure_kind":"judge_unparseable","mask_sample":true,"response":{"output":[]}}"#,
        r#"{"failure_kind":"judge_unparseable","response":"text"}"#,
        r#"{"failure_kind":"agent_run_error","response":{}}"#,
    ]);
    let group = |kind: &str| {
        let groups = report["groups"].as_array().unwrap();
        groups.iter().find(|group| group["kind"] == kind).unwrap().clone()
    };
    assert_eq!(group("judge_unparseable")["count"], 2);
    assert_eq!(group("judge_unparseable")["rejudgeable"], 1);
    assert_eq!(group("agent_run_error")["rejudgeable"], 0);
}

#[test]
fn c267_invisible_characters_are_escaped_in_json_too() {
    let folder = Folder::new();
    let kind = "soft\u{ad}hyphen \u{61c} \u{e0041} \u{e000}";
    let path = folder.rows("rows.jsonl", &[&json!({ "failure_kind": kind }).to_string()]);
    for format in ["json", "text", "csv", "markdown"] {
        let ran = triage(["--format".as_ref(), format.as_ref(), path.as_os_str()]);
        let raw = ran.stdout.chars().find(|char| kind.contains(*char) && !char.is_ascii());
        assert_eq!(raw, None, "{format}: {}", ran.stdout);
    }
    assert_eq!(report(&[&path])["groups"][0]["kind"], kind);
}

#[test]
fn c287_names_without_bound_are_listed_up_to_a_bound_and_summed() {
    let folder = Folder::new();
    let rows = |n: u32| {
        format!(
            "{{\"_ng_task_index\":{n},\"_ng_rollout_index\":0,\"_ng_failure_class\":\"error at step {n} of episode {}: connection lost\",\"_ng_failure_message\":\"reason {n}\"}}\n",
            n % 7
        )
    };
    let frequent = r#"{"failure_kind":"zzz"}"#.to_owned() + "\n";
    let text: String = (0..24_000).map(rows).chain([frequent.clone(), frequent]).collect();
    let path = folder.write("rows.jsonl", text);
    let report = report(&[&path]);
    let groups = report["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 10_000);
    // The highest counts first, then by name.
    assert_eq!(groups[0]["kind"], "zzz");
    assert_eq!(groups[1]["kind"], "error at step 0 of episode 0: connection lost");
    assert_eq!(
        report["more_groups"],
        json!({"groups": 14_001, "count": 14_001, "rollouts": 14_001})
    );
    assert_eq!(report["unregistered"].as_array().unwrap().len(), 10_000);
    assert_eq!(report["more_unregistered"], json!({"names": 14_001, "count": 14_001}));
    assert_eq!(report["totals"]["failures"], 24_002);
    assert_eq!(report["rollouts"]["failed"], 24_000);
    let ran = triage(["--fail-on".as_ref(), "unregistered".as_ref(), path.as_os_str()]);
    assert!(ran.stderr.contains("24002 rows with unregistered names"), "{}", ran.stderr);
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("SIDE UNKNOWN: 24002 of 24002 failure rows (100.0%)"), "{text}");
    assert!(text.contains("and 23976 more kinds with 23976 rows"), "{text}");
    assert!(text.contains("24001 distinct names of kinds"), "{text}");
    assert!(text.contains("seems to be built at run time"), "{text}");
    // What is shown has its reason.
    assert!(text.contains("reason 10000"), "{text}");
    let csv = triage(["--format".as_ref(), "csv".as_ref(), path.as_os_str()]);
    assert_eq!(csv.stdout.lines().count(), 10_001);
    assert!(csv.stderr.contains("14001 more groups"), "{}", csv.stderr);
}
