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
    let note = "warning: 60 rollouts are expected in the baseline, 61 in the current side\n";
    run(&["--format", "csv"]).stderr_eq(note).stdout_eq(file!["compare.csv"]);
    run(&["--format", "markdown"]).stderr_eq("").stdout_eq(file!["compare.md"]);
    run(&["--out", "out.txt"]).stderr_eq("").stdout_eq("");
    let written = std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
    snapbox::assert_data_eq!(written, file!["compare.txt"]);
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
        (1, "error: failing on `up`: `x` (unknown), `y` (unknown)\n")
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
