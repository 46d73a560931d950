//! What a side is, when two are paired, and what is reported before the rows.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{compare, compared, compared_with, rows, run};
use crate::repository;
use crate::support::{Folder, ran};
use crate::triage::input::gzip;

/// Saves the report of `triage --format json`.
fn saved(folder: &Folder, name: &str, run: &Path, args: &[&str]) -> PathBuf {
    let path = folder.path().join(name);
    let ran = ran(crate::failure_kinds()
        .arg("triage")
        .arg(run)
        .args(["--format", "json", "--out"])
        .arg(&path)
        .args(args));
    assert_eq!(ran.code, 0, "{ran:?}");
    path
}

#[test]
fn a_saved_report_counts_like_its_rows() {
    let data = repository().join("examples/data");
    let folder = Folder::new();
    let current = data.join("policy_obs");
    for run in ["policy_obs", "judge", "sat", "gateway", "quota", "enospc", "repeats", "attempts"] {
        let baseline = data.join(run);
        let report = saved(&folder, "report.json", &baseline, &[]);
        let (of_rows, _) = compared_with(&baseline, &current, &[]);
        let (of_report, _) = compared_with(&report, &current, &[]);
        assert_eq!(of_report["why_unpaired"], "the baseline is a saved report");
        assert_eq!(of_report["paired"], false);
        let counts = |comparison: &Value| -> Vec<Value> {
            let mut counts: Vec<_> = rows(comparison);
            for row in &mut counts {
                row[4] = Value::Null;
            }
            counts.sort_by_key(Value::to_string);
            counts
        };
        assert_eq!(counts(&of_report), counts(&of_rows), "{run}");
        for key in ["expected", "seen", "failed"] {
            assert_eq!(of_report["baseline"][key], of_rows["baseline"][key]);
        }
        // Compressed, and as one line.
        let value: Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
        let line = folder.write("report.json.gz", gzip(value.to_string()));
        assert_eq!(compared_with(&line, &current, &[]).0["rows"], of_report["rows"]);
    }
}

#[test]
fn indices_alone_prove_no_pair() {
    let folder = Folder::new();
    let fails = |task: usize, _| (task < 2).then_some("x");
    let [one, other] = ["a", "b"].map(|name| run(&folder, name, (4, 1), fails));
    let inventory = folder.path().join("b/r_materialized_inputs.jsonl");
    let text = fs::read_to_string(&inventory).unwrap();
    let why = |text: String| {
        fs::write(&inventory, text).unwrap();
        let (comparison, notes) = compared_with(&one, &other, &[]);
        assert_eq!(comparison["paired"], comparison["why_unpaired"].is_null());
        let why = comparison["why_unpaired"].clone();
        let ran_other_tasks = "warning: the sides ran different tasks, so a difference may come \
                               from the tasks\n";
        let is_noted = why == "the sides expect rollouts of different inputs";
        assert_eq!(notes, if is_noted { ran_other_tasks } else { "" });
        why
    };
    assert_eq!(
        why(text.replace("prompt", "question")),
        "the sides expect rollouts of different inputs"
    );
    assert_eq!(
        why(text.replace("\"0\"", "\"x\"").replace("\"1\"", "\"0\"").replace("\"x\"", "\"1\"")),
        "the sides give the same inputs different indices"
    );
    // Neither the order nor other keys that begin with `_ng_` matter, however they are spelled.
    let shuffled = text
        .lines()
        .rev()
        .map(|line| format!("{}\n", line.replacen('{', r#"{"_ng_note":1,"\u005fng_x":[2],"#, 1)));
    assert_eq!(why(shuffled.collect()), Value::Null);
    assert_eq!(why(text), Value::Null);
}

#[test]
fn several_runs_are_paired_only_when_they_are_joined() {
    let folder = Folder::new();
    for side in ["a", "b"] {
        for (shard, tasks) in [("1", 0..3), ("2", 3..6)] {
            let rows = tasks.clone().map(|task| {
                format!("{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0,\"prompt\":{task}}}\n")
            });
            let rows: String = rows.collect();
            folder.write(&format!("{side}/{shard}/r.jsonl"), &rows);
            folder.write(&format!("{side}/{shard}/r_materialized_inputs.jsonl"), &rows);
        }
    }
    let [one, other] = ["a", "b"].map(|side| folder.path().join(side));
    assert_eq!(
        compared(&one, &other)["why_unpaired"],
        "the baseline has 2 runs, which `--one-run` joins"
    );
    assert_eq!(compared_with(&one, &other, &["--one-run"]).0["paired"], true);
}

#[test]
fn what_was_recovered_between_two_attempts_is_shown() {
    // The same collection after its first attempts, and after its last ones.
    let last = repository().join("examples/data/attempts");
    let folder = Folder::new();
    for file in fs::read_dir(&last).unwrap() {
        let file = file.unwrap();
        let text = fs::read_to_string(file.path()).unwrap();
        let first = text.lines().filter(|line| !line.contains("_ng_attempt_index"));
        let first: String = first.map(|line| format!("{line}\n")).collect();
        folder.write(file.file_name().to_str().unwrap(), first);
    }
    let comparison = compared(folder.path(), &last);
    assert_eq!((&comparison["paired"], &comparison["test"]), (&json!(true), &json!("sign_flip")));
    assert_eq!(
        (&comparison["baseline"]["failed"], &comparison["current"]["failed"]),
        (&json!(5), &json!(1))
    );
    let text = compare(folder.path(), &last, &[]).stdout;
    let text = text.replace("\n    ", " ");
    assert!(
        text.contains("4 rollouts failed in the baseline and no longer do, 0 the other way round"),
        "{text}"
    );
}

#[test]
fn another_configuration_is_rejected_and_other_admissions_are_reported() {
    let folder = Folder::new();
    let side = run(&folder, "a", (4, 1), |task, _| (task < 2).then_some("judge_failed"));
    let config = folder.write("classes.toml", "[kinds]\njudge_failed = \"model\"\n");
    let report = saved(&folder, "r.json", &side, &["--config", config.to_str().unwrap()]);
    let refused = compare(&report, &side, &[]);
    assert_eq!((refused.code, &*refused.stdout), (2, ""));
    assert!(
        refused.stderr.starts_with("error: the sides are classified by different configurations ("),
        "{refused:?}"
    );
    let (comparison, notes) = compared_with(&report, &side, &["--any-config"]);
    assert!(notes.starts_with("warning: the sides are classified by different configurations"));
    assert_eq!(
        rows(&comparison),
        [
            json!(["evaluation", "judge_failed", 0, 2, "new"]),
            json!(["model", "judge_failed", 2, 0, "gone"])
        ]
    );
    assert_eq!(compared_with(&report, &side, &["--config", config.to_str().unwrap()]).1, "");
    // Two reports bring their configurations along.
    assert_eq!(
        compared_with(&report, &report, &[]).0["why_unpaired"],
        "the baseline is a saved report"
    );

    let report = saved(&folder, "r.json", &side, &["--no-admit-stage"]);
    assert_eq!(
        compared_with(&report, &side, &[]).1,
        "warning: only the current side admits the stage: a difference may come from that\n"
    );
}

#[test]
fn what_may_hide_rollouts_or_is_left_out_is_reported() {
    let folder = Folder::new();
    let one = run(&folder, "a", (4, 1), |_, _| None);
    let other = run(&folder, "b", (4, 1), |_, _| None);
    folder.write(
        "b/r_failures.jsonl",
        concat!(
            r#"{"failure_kind":"x"}"#,
            "\n",
            r#"{"_ng_task_index":9,"_ng_rollout_index":0,"failure_kind":"x"}"#,
            "\n",
            "oops\n",
            r#"{"_ng_task_index":0,"_ng"#,
        ),
    );
    let (comparison, notes) = compared_with(&one, &other, &[]);
    assert_eq!(rows(&comparison), [] as [Value; 0]);
    assert_eq!(
        notes,
        "warning: current: 1 line is malformed, which may hide rollouts\n\
         warning: current: 1 file ends in the middle of a line\n\
         warning: current: 1 rollout without identity is left out\n\
         warning: current: 1 rollout that no inventory names is left out\n"
    );
    // A saved report does not say which rows those are in.
    let report = saved(&folder, "r.json", &other, &[]);
    let (comparison, notes) = compared_with(&one, &report, &[]);
    assert_eq!(rows(&comparison), [json!(["unknown", "x", 0, 2, "new"])]);
    assert!(notes.contains("current: 1 rollout without identity cannot be left out"), "{notes}");
    // The text begins with the notes.
    assert!(
        compare(&one, &other, &[])
            .stdout
            .starts_with("WHAT MAY DISTORT THIS COMPARISON\n  current: 1 line")
    );
}

#[test]
fn what_is_wrong_with_a_saved_report() {
    let folder = Folder::new();
    let rows = folder.rows("rows.jsonl", &[r#"{"_ng_task_index":0,"_ng_rollout_index":0}"#]);
    for (json, why) in [
        (
            r#"{"schema_version":2}"#,
            "is a report of schema version 2, and this release reads version 1",
        ),
        (r#"{"schema_version":"1"}"#, "is not a report of `triage --format json`: invalid type"),
        (
            r#"{"schema_version":1,"groups":[]}"#,
            "is not a report of `triage --format json`: missing field `classification`",
        ),
    ] {
        let report = folder.write("report.json", json);
        let ran = compare(&report, &rows, &[]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""));
        assert!(ran.stderr.contains(why), "{ran:?}");
    }
    // A key of that name in a row makes no report of it.
    let decoy = r#"{"_ng_task_index":0,"_ng_rollout_index":0,"x":{"schema_version":1}}"#;
    compared_with(&folder.rows("decoy.jsonl", &[decoy]), &rows, &[]);
}

#[test]
fn a_side_can_be_standard_input() {
    let folder = Folder::new();
    let side = run(&folder, "a", (4, 1), |task, _| (task < 2).then_some("x"));
    let report = fs::read(saved(&folder, "r.json", &side, &[])).unwrap();
    let from_stdin = |stdin: &[u8]| {
        let output = crate::failure_kinds()
            .args(["compare".as_ref(), side.as_os_str(), "-".as_ref()])
            .args(["--format", "json"])
            .stdin(stdin.to_vec())
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    assert_eq!(from_stdin(&report)["why_unpaired"], "the current side is a saved report");
    let rows = fs::read(folder.path().join("a/r_failures.jsonl")).unwrap();
    let comparison = from_stdin(&rows);
    assert_eq!(
        comparison["why_unpaired"],
        "the current side has no inventory of its expected rollouts"
    );
    assert_eq!(comparison["current"]["path"], "-");
    let ran = compare("-".as_ref(), "-".as_ref(), &[]);
    assert_eq!((ran.code, &*ran.stderr), (2, "error: only one side can be standard input\n"));
}

/// A run of one expected rollout that failed, and of rollouts that no inventory names.
fn with_unexpected(folder: &Folder, name: &str) -> PathBuf {
    let row = |task| {
        format!(
            "{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0,\"_ng_failure_class\":\"x\"}}\n"
        )
    };
    let rows: String = (0..4).map(row).collect();
    folder.write(&format!("{name}/r_failures.jsonl"), rows);
    folder.rows(
        &format!("{name}/r_materialized_inputs.jsonl"),
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0}"#,
            r#"{"_ng_task_index":9,"_ng_rollout_index":0}"#,
        ],
    );
    folder.path().join(name)
}

#[test]
fn a_side_counts_the_rollouts_that_are_compared() {
    let folder = Folder::new();
    let [baseline, current] = ["a", "b"].map(|name| with_unexpected(&folder, name));
    let (comparison, notes) = compared_with(&baseline, &current, &[]);
    for side in ["baseline", "current"] {
        let side = &comparison[side];
        let counts = [&side["expected"], &side["seen"], &side["failed"]];
        assert_eq!(counts.map(Value::as_u64), [Some(2), Some(1), Some(1)]);
    }
    assert!(notes.contains("baseline: 3 rollouts that no inventory names are left out"), "{notes}");
    let text = compare(&baseline, &current, &[]).stdout.replace("\n    ", " ");
    assert!(
        text.contains("1 of 2 rollouts failed, 1 missing; then 1 of 2 failed, 1 missing"),
        "{text}"
    );
    assert!(text.contains("1 of 2 expected rollouts seen, 1 failed, 1 missing"), "{text}");
}

#[test]
fn a_rise_is_of_the_shares_that_are_shown() {
    let folder = Folder::new();
    let passes = run(&folder, "a", (2, 1), |_, _| None);
    let report = saved(&folder, "report.json", &with_unexpected(&folder, "b"), &[]);
    let ran = compare(&passes, &report, &["--by", "class", "--fail-on", "unknown+99%"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stdout.contains("4 of 4"), "{ran:?}");
    assert!(ran.stderr.ends_with("`unknown+99%`: from 0 of 2 to 4 of 4\n"), "{ran:?}");
    let ran = compare(&passes, &report, &["--by", "class", "--fail-on", "unknown+100%"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn a_repeated_line_of_an_inventory_is_not_another_number_of_rollouts() {
    let folder = Folder::new();
    let [one, other] = ["a", "b"].map(|name| run(&folder, name, (2, 1), |_, _| None));
    let inventory = folder.path().join("b/r_materialized_inputs.jsonl");
    let text = fs::read_to_string(&inventory).unwrap();
    fs::write(&inventory, [text.lines().next().unwrap(), "\n", &text].concat()).unwrap();
    assert_eq!(
        compared(&one, &other)["why_unpaired"],
        "the inventories of the sides have different numbers of lines"
    );
}

#[test]
fn a_side_without_rollouts_is_reported() {
    let folder = Folder::new();
    let one = run(&folder, "a", (2, 1), |_, _| Some("x"));
    let empty = folder.write("empty.jsonl", "");
    let (_, notes) = compared_with(&one, &empty, &[]);
    assert!(
        notes.starts_with(
            "warning: the current side has no rollouts, so there is nothing to compare with\n"
        ),
        "{notes}"
    );
}
