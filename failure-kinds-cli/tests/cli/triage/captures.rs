//! Failure rows joined with the model calls they ended on.

use std::path::Path;

use serde_json::{Value, json};

use super::{report, report_with, triage};
use crate::repository;
use crate::support::Folder;

/// A failure of a rollout whose own status says nothing about whose fault it was.
fn failure(task: u64) -> String {
    format!(
        r#"{{"_ng_task_index":{task},"_ng_rollout_index":0,"_ng_failure_class":"agent_run_error","_ng_failure_http_status":500}}"#
    )
}

/// A call of `policy_model` that ended at a time.
fn call(time: &str, status: &str, category: &str) -> String {
    format!(
        r#"{{"model_ref":{{"type":"t","name":"policy_model"}},"started_at":1.0,"completed_at":{time},"status_code":{status},"error_category":{category},"request":{{"error_category":"decoy","status_code":418,"completed_at":99}},"response":{{"error_category":null,"status_code":200,"completed_at":99,"model_ref":{{"name":"decoy"}}}}}}"#
    )
}

/// A run of one failure with these lines as its capture.
fn one(capture: &str) -> Value {
    let folder = Folder::new();
    folder.rows("r_failures.jsonl", &[&failure(0)]);
    folder.write("model-calls/0-0.capture.jsonl", capture);
    report(&[folder.path()])
}

/// The only group: its class and rule, and what is known of its calls.
fn only(report: &Value) -> (&str, &str, &Value) {
    let [group] = &report["groups"].as_array().unwrap()[..] else { panic!("{report}") };
    (group["class"].as_str().unwrap(), group["rule"].as_str().unwrap(), &group["last_call"])
}

fn observed(failed: u64, statuses: &Value, categories: &Value) -> Value {
    json!({
        "observed": 1,
        "unobserved": 0,
        "failed": failed,
        "statuses": statuses,
        "categories": categories,
        "models": if failed == 1 { json!({"policy_model": 1}) } else { json!({}) },
    })
}

fn unobserved() -> Value {
    json!({
        "observed": 0, "unobserved": 1, "failed": 0, "statuses": {}, "categories": {}, "models": {}
    })
}

fn captures(report: &Value) -> &Value {
    &report["runs"][0]["captures"]
}

#[test]
fn the_captures_of_a_real_run_name_what_its_inputs_asked_for() {
    let report = report(&[&repository().join("examples/data/policy_obs")]);
    let mut statuses = json!({});
    for group in report["groups"].as_array().unwrap() {
        assert_eq!(group["kind"], "agent_run_error");
        assert_eq!(group["http_label"], "http_server_error");
        let calls = &group["last_call"];
        assert_eq!(calls["observed"], group["count"]);
        let (class, rule) = (&group["class"], &group["rule"]);
        let is_gateway = calls["statuses"].get("503").is_some();
        let expected =
            if is_gateway { ("evaluation", "call_evidence") } else { ("unknown", "fallback") };
        assert_eq!((class.as_str().unwrap(), rule.as_str().unwrap()), expected);
        for (status, count) in calls["statuses"].as_object().unwrap() {
            statuses[status] = count.clone();
        }
    }
    assert_eq!(statuses, json!({"400": 1, "500": 3, "503": 1}));
    let folder = repository().join("examples/data/policy_obs/model-calls");
    let expected = json!({
        "folder": folder, "joined": 5, "unobserved": 0, "incomplete": 0, "malformed": 0
    });
    assert_eq!(captures(&report), &expected);
}

#[test]
fn the_last_call_decides_and_payloads_do_not() {
    let ok = call("2.0", "200", "null");
    let failed = |time| call(time, "429", "\"rate_limit\"");
    let is_failed = observed(1, &json!({"429": 1}), &json!({"rate_limit": 1}));
    for (lines, expected) in [
        (vec![ok.clone(), failed("3.0")], Some(&is_failed)),
        (vec![failed("3.0"), ok.clone()], Some(&is_failed)),
        // It was recovered.
        (vec![failed("1.5"), ok.clone()], None),
        (vec![ok.clone(), failed("1.5")], None),
        (vec![ok.clone(), failed("null"), String::new()], None),
    ] {
        let report = one(&format!("{}\n", lines.join("\n")));
        match expected {
            Some(calls) => assert_eq!(only(&report), ("evaluation", "call_evidence", calls)),
            None => {
                let calls = observed(0, &json!({}), &json!({}));
                assert_eq!(only(&report), ("unknown", "fallback", &calls), "{lines:?}");
            }
        }
    }
    // A call without its end counts from its start, and without any time by its line.
    let cut = failed("null").replace(r#""started_at":1.0"#, r#""started_at":null"#);
    let report = one(&format!("{ok}\n{cut}\n"));
    assert_eq!(only(&report), ("evaluation", "call_evidence", &is_failed));
}

#[test]
fn a_call_without_a_status_is_shown_and_decides_nothing() {
    let report = one(&format!("{}\n", call("1", "null", "\"connection\"")));
    let calls = observed(1, &json!({}), &json!({"connection": 1}));
    assert_eq!(only(&report), ("unknown", "fallback", &calls));
}

#[test]
fn the_status_of_the_row_goes_before_that_of_the_call() {
    let folder = Folder::new();
    folder.rows("r_failures.jsonl", &[&failure(0).replace("500", "401")]);
    folder.write("captures/0-0.capture.jsonl", call("1", "503", "\"upstream_error\"") + "\n");
    let report = report(&[folder.path()]);
    let calls = observed(1, &json!({"503": 1}), &json!({"upstream_error": 1}));
    assert_eq!(only(&report), ("evaluation", "http_evidence", &calls));
    assert_eq!(report["groups"][0]["http_label"], "http_auth");
}

#[test]
fn what_is_not_admitted_is_shown_and_decides_nothing() {
    let folder = Folder::new();
    let rows = folder.rows("r_failures.jsonl", &[&failure(0)]);
    folder.write("model-calls/0-0.capture.jsonl", call("1", "503", "\"upstream_error\"") + "\n");
    let report = report_with(&[&rows], &["--no-admit-calls"]);
    let calls = observed(1, &json!({"503": 1}), &json!({"upstream_error": 1}));
    assert_eq!(only(&report), ("unknown", "fallback", &calls));
    assert_eq!(report["classification"]["admit_calls"], false);
    let off = report_with(&[&rows], &["--calls", "off"]);
    assert_eq!(only(&off), ("unknown", "fallback", &Value::Null));
    assert_eq!((&off["classification"]["calls"], captures(&off)), (&json!("off"), &Value::Null));
}

#[test]
fn a_capture_that_may_lack_its_end_is_not_observed() {
    let failed = call("1", "429", "\"rate_limit\"");
    for (capture, malformed) in [
        (String::new(), 0),
        ("\n \n".to_owned(), 0),
        (format!("{failed}\n{}", &failed[..40]), 1),
        (format!("{failed}\nnoise\n"), 1),
        (format!("{failed}\n{{\"status_code\":NaN}}\n"), 1),
    ] {
        let report = one(&capture);
        assert_eq!(only(&report), ("unknown", "fallback", &unobserved()), "{capture}");
        let captures = captures(&report);
        assert_eq!(
            (&captures["unobserved"], &captures["malformed"]),
            (&json!(1), &json!(malformed))
        );
    }
}

#[test]
fn a_damaged_line_hides_no_other_line() {
    let report = one(&format!("noise\n[1]\n{}\n", call("1", "429", "\"rate_limit\"")));
    let calls = observed(1, &json!({"429": 1}), &json!({"rate_limit": 1}));
    assert_eq!(only(&report), ("evaluation", "call_evidence", &calls));
    assert_eq!(captures(&report)["malformed"], 2);
}

#[test]
fn captures_that_were_lost_are_not_observed() {
    let folder = Folder::new();
    folder.rows("r_failures.jsonl", &[&failure(0)]);
    folder.write("model-calls/0-0.capture.jsonl", call("1", "429", "\"rate_limit\"") + "\n");
    folder.write("model-calls/0-0.capture.incomplete", "");
    let report = report(&[folder.path()]);
    assert_eq!(only(&report), ("unknown", "fallback", &unobserved()));
    let captures = captures(&report);
    assert_eq!((&captures["incomplete"], &captures["unobserved"]), (&json!(1), &json!(1)));
    let text = triage([folder.path()]).stdout;
    assert!(text.contains("\n      last model call: not observed×1\n"), "{text}");
    assert!(
        text.contains("  1 row whose captures of model calls were lost, in whole or in part\n"),
        "{text}"
    );
}

#[test]
fn lines_of_captures_that_are_not_calls_are_reported() {
    let folder = Folder::new();
    folder.rows("r_failures.jsonl", &[&failure(0)]);
    folder.write("model-calls/0-0.capture.jsonl", "noise\n[1]\n");
    let text = triage([folder.path()]).stdout;
    assert!(text.contains("\n      last model call: not observed×1\n"), "{text}");
    assert!(text.contains("  2 lines in captures of model calls could not be read\n"), "{text}");
}

#[test]
fn a_later_attempt_has_its_own_capture() {
    let folder = Folder::new();
    let retry = failure(0)
        .replace("\"_ng_failure_class\"", "\"_ng_attempt_index\":2,\"_ng_failure_class\"");
    let named = failure(7)
        .replace("\"_ng_failure_class\"", "\"_ng_rollout_id\":\"run.7_x\",\"_ng_failure_class\"");
    let outside = failure(8)
        .replace("\"_ng_failure_class\"", "\"_ng_rollout_id\":\"../0-0\",\"_ng_failure_class\"");
    folder.rows("r_failures.jsonl", &[&failure(0), &retry, &named, &outside]);
    folder.write("model-calls/0-0.capture.jsonl", call("1", "200", "null") + "\n");
    folder.write("model-calls/0-0-a2.capture.jsonl", call("1", "429", "\"rate_limit\"") + "\n");
    folder
        .write("model-calls/run.7_x.capture.jsonl", call("1", "503", "\"upstream_error\"") + "\n");
    let report = report(&[folder.path()]);
    let groups = report["groups"].as_array().unwrap();
    let [decided, other] = &groups[..] else { panic!("{groups:?}") };
    assert_eq!(decided["last_call"]["statuses"], json!({"429": 1, "503": 1}));
    assert_eq!(
        (&other["last_call"]["observed"], &other["last_call"]["unobserved"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn a_capture_is_opened_once_for_all_rows_of_its_attempt() {
    let folder = Folder::new();
    folder.rows("r_failures.jsonl", &[&failure(0), &failure(0)]);
    folder.write(
        "model-calls/0-0.capture.jsonl",
        format!("noise\n{}\n", call("1", "503", "\"upstream_error\"")),
    );
    let report = report(&[folder.path()]);
    let captures = captures(&report);
    assert_eq!((&captures["joined"], &captures["malformed"]), (&json!(2), &json!(1)));
}

#[test]
fn the_copy_in_a_row_goes_before_the_files() {
    let folder = Folder::new();
    let copy = |calls: &str| {
        failure(0).replace(
            "\"_ng_failure_class\"",
            &format!("\"ng_model_call_capture\":{{\"rollout_id\":\"0-0\",\"calls\":[{calls}]}},\"_ng_failure_class\""),
        )
    };
    let rows = folder.rows("r_failures.jsonl", &[&copy(&call("1", "401", "\"auth\""))]);
    let alone = report(&[&rows]);
    assert_eq!(only(&alone).1, "call_evidence");
    let expected =
        json!({"folder": null, "joined": 1, "unobserved": 0, "incomplete": 0, "malformed": 0});
    assert_eq!(captures(&alone), &expected);
    folder.write("model-calls/0-0.capture.jsonl", call("1", "503", "\"upstream_error\"") + "\n");
    assert_eq!(only(&report(&[&rows])).2["statuses"], json!({"401": 1}));
    // Without calls in it the files are asked.
    folder.rows("r_failures.jsonl", &[&copy("")]);
    assert_eq!(only(&report(&[&rows])).2["statuses"], json!({"503": 1}));
}

#[test]
fn only_the_captures_of_failures_are_opened() {
    let folder = Folder::new();
    folder.rows("r_failures.jsonl", &[&failure(0)]);
    folder.rows("r.jsonl", &[r#"{"_ng_task_index":1,"_ng_rollout_index":0,"reward":1}"#]);
    folder.write("model-calls/0-0.capture.jsonl", call("1", "200", "null") + "\n");
    folder.write("model-calls/1-0.capture.jsonl", "noise\n");
    assert_eq!(captures(&report(&[folder.path()]))["malformed"], 0);
}

#[cfg(unix)]
#[test]
fn a_capture_that_is_a_pipe_or_a_folder_is_not_waited_for() {
    let folder = Folder::new();
    folder.rows("r_failures.jsonl", &[&failure(0), &failure(1)]);
    folder.write("model-calls/1-0.capture.jsonl/x", "");
    let pipe = folder.path().join("model-calls/0-0.capture.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let report = report(&[folder.path()]);
    assert_eq!(captures(&report)["unobserved"], 2);
}

#[test]
fn another_folder_can_be_named_and_serves_several_runs_with_a_note() {
    let folder = Folder::new();
    folder.rows("one/r_failures.jsonl", &[&failure(0)]);
    folder.rows("two/r_failures.jsonl", &[&failure(0)]);
    folder.write("elsewhere/0-0.capture.jsonl", call("1", "503", "\"upstream_error\"") + "\n");
    let run = |paths: &[&Path]| {
        let calls = folder.path().join("elsewhere");
        let args = [Path::new("--format"), Path::new("json"), Path::new("--calls"), &calls];
        let ran = triage(args.into_iter().chain(paths.iter().copied()));
        assert_eq!(ran.code, 0, "{ran:?}");
        (serde_json::from_str::<Value>(&ran.stdout).unwrap(), ran.stderr)
    };
    let (report, stderr) = run(&[&folder.path().join("one")]);
    assert_eq!((only(&report).1, &*stderr), ("call_evidence", ""));
    let (_, stderr) = run(&[&folder.path().join("one"), &folder.path().join("two")]);
    assert!(stderr.contains("2 runs share these captures"), "{stderr}");
}

#[test]
fn a_folder_that_does_not_exist_is_a_usage_error() {
    let ran = triage(["--calls", "nowhere", "-"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("expected `auto`, `off` or a folder that exists"), "{ran:?}");
}

#[test]
fn a_run_without_captures_says_how_to_have_them() {
    let folder = Folder::new();
    let rows = folder.rows("r_failures.jsonl", &[&failure(0)]);
    let text = triage([&rows]).stdout.replace("\n    ", " ");
    assert!(
        text.contains("no captures of model calls in the run: with `observability_enabled`"),
        "{text}"
    );
    assert_eq!(captures(&report(&[&rows])), &Value::Null);
    folder.write("model-calls/0-0.capture.jsonl", call("1", "503", "\"upstream_error\"") + "\n");
    let text = triage([&rows]).stdout.replace("\n    ", " ");
    assert!(!text.contains("no captures"), "{text}");
    assert!(text.contains("last model call: 503×1 upstream_error · policy_model"), "{text}");
    assert!(text.contains("whose last model call was `http_gateway` in 1 row"), "{text}");
}

#[test]
#[ignore = "slow: it makes 100,000 files"]
fn a_large_folder_of_captures_is_not_listed() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..10).map(|task| failure(task * 10_000)).collect();
    folder.rows("r_failures.jsonl", &rows.iter().map(String::as_str).collect::<Vec<_>>());
    for task in 0..100_000 {
        let capture = if task % 10_000 == 0 {
            call("1", "503", "\"upstream_error\"")
        } else {
            "noise".to_owned()
        };
        folder.write(&format!("model-calls/{task}-0.capture.jsonl"), capture + "\n");
    }
    let report = report(&[&folder.path().join("r_failures.jsonl")]);
    let captures = captures(&report);
    assert_eq!((&captures["joined"], &captures["malformed"]), (&json!(10), &json!(0)));
}
