//! The forms of a comparison, `--out` and `--fail-on`.

use std::path::PathBuf;

use snapbox::{file, str};

use super::{compare, run};
use crate::failure_kinds;
use crate::support::Folder;

/// Two runs, the second of which is worse in most respects.
fn runs(folder: &Folder) -> [PathBuf; 2] {
    let baseline = run(folder, "monday", (60, 1), |task, _| match task {
        0..4 => Some("agent_timeout"),
        4..6 => Some("session_lost"),
        _ => None,
    });
    let current = run(folder, "tuesday", (61, 1), |task, _| match task {
        0..5 => Some("agent_timeout"),
        5..20 => Some("judge_failed"),
        _ => None,
    });
    [baseline, current]
}

#[test]
fn forms() {
    let folder = Folder::new();
    runs(&folder);
    let run = |args: &[&str]| {
        failure_kinds()
            .current_dir(folder.path())
            .args(["compare", "monday", "tuesday"])
            .args(args)
            .assert()
            .code(0)
    };
    run(&[]).stderr_eq("").stdout_eq(file!["compare.txt"]);
    let note = "warning: 60 rollouts are expected in the baseline, 61 in the current side: the \
                sides ran different tasks, or not equally often, so a difference may come from the \
                tasks\n";
    run(&["--format", "csv"]).stderr_eq(note).stdout_eq(file!["compare.csv"]);
    run(&["--format", "markdown"]).stderr_eq("").stdout_eq(file!["compare.md"]);
    run(&["--out", "out.txt"]).stderr_eq("").stdout_eq("");
    let written = std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
    snapbox::assert_data_eq!(written, file!["compare.txt"]);
}

#[test]
fn the_verdict_says_whether_anything_is_shown() {
    let folder = Folder::new();
    let side = |name: &str, judges: usize, lost: usize| {
        run(&folder, name, (40, 1), |task, _| match task {
            task if task < judges => Some("judge_failed"),
            task if task < judges + lost => Some("session_lost"),
            _ => None,
        })
    };
    let none = side("none", 0, 0);
    let one = side("one", 1, 0);
    let judges = side("judges", 20, 0);
    let lost = side("lost", 0, 20);
    let first_lines = |baseline: &PathBuf, current: &PathBuf| {
        let text = compare(baseline, current, &[]).stdout.replace("\n    ", " ");
        // A side that is compared with itself has a note first.
        text.lines()
            .skip_while(|line| !line.contains(" failed"))
            .take(3)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        first_lines(&none, &none),
        [
            "0 of 40 rollouts failed, then 0 of 40 (+0.0 points)",
            "  No change: nothing failed on either side",
            ""
        ]
    );
    assert_eq!(
        first_lines(&one, &one)[..2],
        [
            "1 of 40 rollouts failed, then 1 of 40 (+0.0 points)",
            "  No change: the same shares on both sides"
        ]
    );
    assert_eq!(
        first_lines(&one, &none),
        [
            "1 of 40 rollouts failed, then 0 of 40 (-2.5 points)",
            "  No clear difference: whatever changed may be chance",
            "  With this many rollouts, a true change of up to 13 percentage points can go unnoticed"
        ]
    );
    assert_eq!(
        first_lines(&none, &judges),
        [
            "0 of 40 rollouts failed, then 20 of 40 (+50.0 points)",
            "  Worse: clearly more `judge_failed` (evaluation)",
            ""
        ]
    );
    assert_eq!(
        first_lines(&judges, &one)[1],
        "  Better: clearly fewer `judge_failed` (evaluation)"
    );
    assert_eq!(
        first_lines(&lost, &judges)[1],
        "  Worse and better: clearly more `judge_failed` (evaluation), but clearly fewer \
         `session_lost` (evaluation)"
    );
}

#[test]
fn what_is_missing_does_not_pass_for_better() {
    let folder = Folder::new();
    let dying = run(&folder, "dying", (46, 1), |task, _| (task < 10).then_some("judge_failed"));
    let results = folder.path().join("dying/r.jsonl");
    let text = std::fs::read_to_string(&results).unwrap();
    let kept: Vec<_> = text.lines().take(11).map(|line| format!("{line}\n")).collect();
    std::fs::write(&results, kept.concat()).unwrap();
    let whole = run(&folder, "whole", (46, 1), |task, _| (task < 28).then_some("judge_failed"));
    let text = compare(&dying, &whole, &[]).stdout.replace("\n    ", " ");
    assert!(
        text.starts_with(
            "WHAT MAY DISTORT THIS COMPARISON\n  25 of 46 expected rollouts are missing in the \
             baseline, 0 of 46 in the current side: what is missing does not count as failed, so \
             the baseline may look better than it is\n\n10 of 46 rollouts failed, 25 missing; then \
             28 of 46 failed, 0 missing (+39.1 points)\n"
        ),
        "{text}"
    );
    let page = compare(&whole, &dying, &["--format", "html"]).stdout;
    let headline = "<h1>28 of 46 rollouts failed, 0 missing; then 10 of 46 failed, 25 missing \
                    (-39.1 points)</h1>";
    assert!(page.contains(headline), "{page}");
    assert!(page.contains("so the current side may look better than it is"), "{page}");
}

#[test]
fn the_same_path_on_both_sides_has_a_note() {
    let folder = Folder::new();
    let side = run(&folder, "a", (4, 1), |_, _| None);
    let note = format!("both sides are `{}`", side.display());
    for (current, is_noted) in [
        (side.clone(), true),
        (side.join(""), true),
        (run(&folder, "b", (4, 1), |_, _| None), false),
    ] {
        let text = compare(&side, &current, &[]).stdout.replace("\n    ", " ");
        assert_eq!(text.contains(&note), is_noted, "{text}");
    }
}

#[test]
fn what_may_be_chance_has_a_part_of_its_own() {
    let folder = Folder::new();
    let [baseline, current] = runs(&folder);
    let text = compare(&baseline, &current, &[]).stdout;
    let (_, shown) = text.split_once("CLEAR DIFFERENCES\n").unwrap();
    let (shown, others) = shown.split_once("MAY BE CHANCE\n").unwrap();
    assert!(shown.contains("new  judge_failed") && !shown.contains("session_lost"), "{text}");
    assert!(others.contains("gone  session_lost") && others.contains("~     agent_timeout"));
}

#[test]
fn the_counts_of_kinds_add_up_to_what_failed_and_what_is_degraded() {
    let data = crate::repository().join("examples/data");
    let ran = compare(&data.join("sat"), &data.join("gateway"), &["--format", "json"]);
    let comparison: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let counts = comparison["rows"].as_array().unwrap().iter();
    let sum: u64 = counts.map(|row| row["baseline"]["count"].as_u64().unwrap()).sum();
    assert_eq!((sum, &comparison["baseline"]["failed"]), (26, &serde_json::json!(25)));
    let text = compare(&data.join("sat"), &data.join("gateway"), &[]).stdout;
    let text = text.replace("\n    ", " ");
    assert!(text.contains("32 of 32 expected rollouts seen, 25 failed, 1 degraded\n"), "{text}");
    assert!(
        text.contains("that failed in one way, and those that are degraded (failed, but scored)"),
        "{text}"
    );
}

#[test]
fn names_without_bound_are_summed_in_one_row() {
    let folder = Folder::new();
    let rows = |kind: &dyn Fn(usize) -> String| -> String {
        let rows = (0..10_100).map(|task| {
            let kind = kind(task);
            format!("{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0,\"failure_kind\":\"{kind}\"}}\n")
        });
        rows.collect()
    };
    let baseline = folder.write("a_failures.jsonl", rows(&|_| "judge_failed".to_owned()));
    let current = folder.write("b_failures.jsonl", rows(&|task| format!("worker_{task}")));
    let args = ["--format", "json", "--fail-on", "new,unknown+99%"];
    let ran = compare(&baseline, &current, &args);
    let comparison: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(comparison["rows"].as_array().unwrap().len(), 10_000);
    assert_eq!(
        comparison["more_rows"],
        serde_json::json!({"rows": 101, "baseline": 0, "current": 101})
    );
    // The only difference that is shown is listed, and gates see all rows.
    assert_eq!(comparison["rows"][9_999]["kind"], "judge_failed");
    assert_eq!(comparison["rows"][9_999]["word"], "gone");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("and 10095 more"), "{}", ran.stderr);
    assert!(ran.stderr.contains("from 0 of 10100 to 10100 of 10100"), "{}", ran.stderr);
    let line = "101 more rows not listed: 0 rollouts in the baseline, 101 in the current side";
    for format in ["text", "html"] {
        let ran = compare(&baseline, &current, &["--format", format]);
        assert!(ran.stdout.contains(line), "{format}");
    }
    let csv = compare(&baseline, &current, &["--format", "csv"]);
    assert!(csv.stderr.contains(line), "{}", csv.stderr);
    assert_eq!(csv.stdout.lines().count(), 10_001);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let folder = Folder::new();
    let [baseline, current] = runs(&folder);
    for columns in [60, 80, 100, 140] {
        let text = crate::support::ran(
            failure_kinds()
                .arg("compare")
                .args([&baseline, &current])
                .env("COLUMNS", columns.to_string()),
        )
        .stdout;
        for line in text.lines() {
            assert!(line.chars().count() <= columns, "{columns}: {line}");
        }
    }
}

#[test]
fn fail_on_conditions() {
    let folder = Folder::new();
    let [baseline, current] = runs(&folder);
    let fails = |list: &str| {
        let ran = compare(&baseline, &current, &["--fail-on", list]);
        assert_ne!(ran.stdout, "", "the report is written all the same");
        (ran.code, ran.stderr)
    };
    assert_eq!(
        fails("new"),
        (1, "error: failing on `new`: `judge_failed` (evaluation)\n".to_owned())
    );
    // A new row fires `new` only.
    assert_eq!(fails("up, missing"), (0, String::new()));
    assert_eq!(
        fails("evaluation+5%,model+0%"),
        (1, "error: failing on `evaluation+5%`: from 2 of 60 to 15 of 61\n".to_owned())
    );
    assert_eq!(fails("evaluation+22%").0, 0);
    let ran = compare(&current, &current, &["--fail-on", "gone"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("expected new, up, missing, or a class"), "{ran:?}");
}

#[test]
fn up_fails_by_the_correction_of_holm() {
    let folder = Folder::new();
    let baseline = run(&folder, "a", (100, 1), |task, _| match task {
        0..10 => Some("x"),
        10..20 => Some("y"),
        _ => None,
    });
    let current = run(&folder, "b", (101, 1), |task, _| match task {
        0..24 => Some("x"),
        24..47 => Some("y"),
        _ => None,
    });
    let words = |args: &[&str]| {
        let comparison = super::compared_with(&baseline, &current, args).0;
        super::rows(&comparison).iter().map(|row| row[4].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(words(&[]), ["\"up\"", "\"up\""]);
    let ran = compare(&baseline, &current, &["--fail-on", "up"]);
    assert_eq!(
        (ran.code, &*ran.stderr),
        (1, "error: failing on `up`: `x` (side unknown), `y` (side unknown)\n")
    );
}

#[test]
fn missing_rollouts_of_the_current_side_fail() {
    let folder = Folder::new();
    let [baseline, current] = runs(&folder);
    std::fs::write(current.join("r.jsonl"), "").unwrap();
    let ran = compare(&baseline, &current, &["--fail-on", "missing"]);
    assert_eq!(
        (ran.code, &*ran.stderr),
        (1, "error: failing on `missing`: 41 expected rollouts left no row\n")
    );
    assert_eq!(compare(&current, &baseline, &["--fail-on", "missing"]).code, 0);
    std::fs::remove_file(current.join("r_materialized_inputs.jsonl")).unwrap();
    let ran = compare(&baseline, &current, &["--fail-on", "missing"]);
    assert_eq!(ran.code, 0);
    snapbox::assert_data_eq!(
        ran.stderr,
        str![[r#"
warning: not every run of the current side has an inventory, so nobody knows what is missing

"#]]
    );
}
