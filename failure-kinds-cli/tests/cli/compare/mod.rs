//! `failure-kinds compare`.

mod forms;
mod sides;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::failure_kinds;
use crate::support::{Folder, Ran, ran};

/// Runs `compare` on two sides.
fn compare(baseline: &Path, current: &Path, args: &[&str]) -> Ran {
    ran(failure_kinds().arg("compare").args([baseline, current]).args(args))
}

/// The comparison as JSON, and its notes.
fn compared_with(baseline: &Path, current: &Path, args: &[&str]) -> (Value, String) {
    let ran = compare(baseline, current, &[args, &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    (serde_json::from_str(&ran.stdout).unwrap(), ran.stderr)
}

fn compared(baseline: &Path, current: &Path) -> Value {
    let (comparison, notes) = compared_with(baseline, current, &[]);
    assert_eq!(notes, "");
    comparison
}

/// A run with this number of tasks and of rollouts per task, of which these fail with a kind.
fn run(
    folder: &Folder,
    name: &str,
    (tasks, rollouts): (usize, usize),
    kind: impl Fn(usize, usize) -> Option<&'static str>,
) -> PathBuf {
    let (mut inventory, mut sidecar, mut results) = (Vec::new(), Vec::new(), Vec::new());
    for (task, rollout) in
        (0..tasks).flat_map(|task| (0..rollouts).map(move |rollout| (task, rollout)))
    {
        let identity = format!("\"_ng_task_index\":{task},\"_ng_rollout_index\":{rollout}");
        inventory.push(format!("{{\"prompt\":\"{task}\",{identity}}}\n"));
        match kind(task, rollout) {
            Some(kind) => {
                sidecar.push(format!("{{{identity},\"_ng_failure_class\":\"{kind}\"}}\n"));
            }
            None => results.push(format!("{{{identity},\"reward\":1}}\n")),
        }
    }
    for (file, lines) in
        [("_materialized_inputs", inventory), ("_failures", sidecar), ("", results)]
    {
        folder.write(&format!("{name}/r{file}.jsonl"), lines.concat());
    }
    folder.path().join(name)
}

/// The rows as (class, kind, baseline, current, word).
fn rows(comparison: &Value) -> Vec<Value> {
    let rows = comparison["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        let counts = [&row["baseline"]["count"], &row["current"]["count"]];
        json!([row["class"], row["kind"], counts[0], counts[1], row["word"]])
    })
    .collect()
}

#[test]
fn one_rollout_per_task_is_compared_by_mcnemar() {
    let folder = Folder::new();
    let fails = |fails: bool| fails.then_some("judge_failed");
    let baseline = run(&folder, "a", (10, 1), |task, _| fails(task < 7));
    let current = run(&folder, "b", (10, 1), |task, _| fails(task == 6));
    let mut comparison = compared(&baseline, &current);
    // Newcombe's interval of these shares is in the tests of the statistics.
    let interval = comparison["rows"][0].as_object_mut().unwrap().remove("interval").unwrap();
    assert!(interval[0].as_f64().unwrap() < -0.6 && interval[1].as_f64().unwrap() < 0.0);
    let side =
        |path: &Path, failed| json!({"path": path, "expected": 10, "seen": 10, "failed": failed});
    // Six pairs differ, all in one direction: 2 / 2⁶.
    for key in ["p", "q"] {
        let value = comparison["rows"][0].as_object_mut().unwrap().remove(key).unwrap();
        assert!((value.as_f64().unwrap() - 0.031_25).abs() < 1e-12, "{key}: {value}");
    }
    assert_eq!(
        comparison,
        json!({
            "schema_version": 1,
            "baseline": side(&baseline, 7),
            "current": side(&current, 1),
            "paired": true,
            "why_unpaired": null,
            "test": "mcnemar",
            "rows": [{
                "class": "evaluation", "kind": "judge_failed", "stage": null,
                "baseline": {"count": 7, "of": 10}, "current": {"count": 1, "of": 10},
                "difference": -0.6, "word": "down",
            }],
        })
    );
}

#[test]
fn several_rollouts_per_task_are_compared_by_sign_flips() {
    let folder = Folder::new();
    let baseline = run(&folder, "a", (4, 2), |_, rollout| (rollout == 0).then_some("x"));
    // The differences by task are 1, 1, -1 and 0.
    let current = run(&folder, "b", (4, 2), |task, rollout| match (task, rollout) {
        (0 | 1, _) => Some("x"),
        (2, _) => None,
        _ => (rollout == 1).then_some("x"),
    });
    let comparison = compared(&baseline, &current);
    assert_eq!((&comparison["paired"], &comparison["test"]), (&json!(true), &json!("sign_flip")));
    // Every sum of three signs is at least as far from 0.
    assert_eq!(comparison["rows"][0]["p"], 1.0);
    assert_eq!(rows(&comparison), [json!(["unknown", "x", 4, 5, "~"])]);
}

#[test]
fn what_is_not_paired_is_compared_by_fisher() {
    let folder = Folder::new();
    let baseline = run(&folder, "a", (20, 1), |task, _| (task < 1).then_some("x"));
    let current = run(&folder, "b", (21, 1), |task, _| (task < 12).then_some("x"));
    let (comparison, notes) = compared_with(&baseline, &current, &[]);
    assert_eq!(
        notes,
        "warning: 20 rollouts are expected in the baseline, 21 in the current side: the sides ran \
         different tasks, or not equally often, so a difference may come from the tasks\n"
    );
    assert_eq!(comparison["test"], "fisher");
    assert_eq!(
        comparison["why_unpaired"],
        "the inventories of the sides have different numbers of lines"
    );
    // Of the tables with these margins, those with 1, 0, 12 and 13 in the baseline are not more probable.
    let p = comparison["rows"][0]["p"].as_f64().unwrap();
    let exact = 8_804_980.0 / 17_620_076_360.0;
    assert!((p / exact - 1.0).abs() < 1e-9, "{p}");
    assert_eq!(rows(&comparison), [json!(["unknown", "x", 1, 12, "up"])]);
}

#[test]
fn rows_are_sorted_by_word_and_difference() {
    let folder = Folder::new();
    let kinds = |counts: &'static [(&'static str, usize)]| {
        move |task: usize, _| {
            let mut end = 0;
            counts
                .iter()
                .find(|(_, count)| {
                    end += count;
                    task < end
                })
                .map(|(kind, _)| *kind)
        }
    };
    let baseline = run(
        &folder,
        "a",
        (100, 1),
        kinds(&[("down", 30), ("gone", 2), ("same", 5), ("less", 3), ("up", 1)]),
    );
    let current = run(
        &folder,
        "b",
        (100, 1),
        kinds(&[("down", 1), ("new", 3), ("same", 5), ("less", 2), ("up", 30)]),
    );
    let words: Vec<_> =
        rows(&compared(&baseline, &current)).iter().map(|row| json!([row[1], row[4]])).collect();
    assert_eq!(
        words,
        [
            json!(["up", "up"]),
            json!(["new", "new"]),
            json!(["same", "~"]),
            json!(["less", "~"]),
            json!(["gone", "gone"]),
            json!(["down", "down"]),
        ]
    );
}

#[test]
fn rows_by_kind_and_stage_and_by_class() {
    let folder = Folder::new();
    let row = |task: u8, stage: &str| {
        format!(
            r#"{{"_ng_task_index":{task},"_ng_rollout_index":0,"failure_kind":"x","_ng_failure_stage":"{stage}"}}"#
        )
    };
    let baseline = folder.rows("a.jsonl", &[&row(0, "agent"), &row(1, "verification")]);
    let current = folder.rows("b.jsonl", &[&row(0, "agent"), &row(1, "agent")]);
    let stages = |args: &[&str]| -> Vec<Value> {
        let (comparison, _) = compared_with(&baseline, &current, args);
        let rows = comparison["rows"].as_array().unwrap().iter();
        rows.map(|row| json!([row["class"], row["kind"], row["stage"], row["word"]])).collect()
    };
    assert_eq!(
        stages(&["--by", "kind,stage"]),
        [json!(["unknown", "x", "agent", "~"]), json!(["evaluation", "x", "verification", "gone"])]
    );
    assert_eq!(
        stages(&[]),
        [json!(["unknown", "x", null, "~"]), json!(["evaluation", "x", null, "gone"])]
    );
    assert_eq!(
        stages(&["--by", "class"]),
        [json!(["unknown", null, null, "~"]), json!(["evaluation", null, null, "gone"])]
    );
}

#[test]
fn missing_and_omitted_rollouts_are_rows_without_a_class() {
    let folder = Folder::new();
    let baseline = run(&folder, "a", (3, 1), |_, _| None);
    let current = run(&folder, "b", (3, 1), |_, _| None);
    folder.rows(
        "b/r.jsonl",
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_omitted":true}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"reward":1}"#,
        ],
    );
    let expected = [json!([null, "missing", 0, 1, "new"]), json!([null, "omitted", 0, 1, "new"])];
    let (comparison, notes) = compared_with(&baseline, &current, &[]);
    assert_eq!(rows(&comparison), expected);
    let note = "0 of 3 expected rollouts are missing in the baseline, 1 of 3 in the current side";
    assert!(notes.contains(note), "{notes}");
    let (by_class, _) = compared_with(&baseline, &current, &["--by", "class"]);
    assert_eq!(rows(&by_class), expected);
    // Without an inventory, nobody knows what is missing.
    std::fs::remove_file(folder.path().join("a/r_materialized_inputs.jsonl")).unwrap();
    let (comparison, notes) = compared_with(&baseline, &current, &[]);
    assert_eq!(rows(&comparison), [json!([null, "omitted", 0, 1, "new"])]);
    assert_eq!(comparison["baseline"]["expected"], Value::Null);
    assert!(notes.contains("not every run of the baseline has an inventory"), "{notes}");
}

#[test]
fn swapping_the_sides_swaps_the_words() {
    let data = crate::repository().join("examples/data");
    for (one, other) in [("policy_obs", "judge"), ("gateway", "sat"), ("repeats", "attempts")] {
        let [one, other] = [one, other].map(|run| data.join(run));
        let (there, _) = compared_with(&one, &other, &[]);
        let (back, _) = compared_with(&other, &one, &[]);
        let back: Vec<&Value> = back["rows"].as_array().unwrap().iter().collect();
        assert_eq!(there["rows"].as_array().unwrap().len(), back.len());
        for row in there["rows"].as_array().unwrap() {
            let same =
                |other: &&&Value| other["class"] == row["class"] && other["kind"] == row["kind"];
            let opposite = back.iter().find(same).unwrap();
            let word = match row["word"].as_str().unwrap() {
                "new" => "gone",
                "gone" => "new",
                "up" => "down",
                "down" => "up",
                same => same,
            };
            assert_eq!(opposite["word"], word);
            assert_eq!((&opposite["p"], &opposite["q"]), (&row["p"], &row["q"]));
            assert_eq!(
                (&opposite["baseline"], &opposite["current"]),
                (&row["current"], &row["baseline"])
            );
        }
    }
}

#[test]
fn a_run_does_not_differ_from_itself() {
    let data = crate::repository().join("examples/data");
    for run in std::fs::read_dir(data).unwrap() {
        let run = run.unwrap().path();
        let (comparison, _) = compared_with(&run, &run, &["--fail-on", "new,up"]);
        assert_eq!(comparison["paired"], true, "{}", run.display());
        for row in comparison["rows"].as_array().unwrap() {
            assert_eq!(
                (&row["word"], &row["p"], &row["difference"]),
                (&json!("~"), &json!(1.0), &json!(0.0))
            );
        }
    }
}
