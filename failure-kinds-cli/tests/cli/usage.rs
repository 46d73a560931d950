use snapbox::str;

use crate::failure_kinds;

#[test]
fn help_is_not_an_error() {
    failure_kinds().arg("--help").assert().code(0).stderr_eq("");
    failure_kinds().arg("--version").assert().code(0).stdout_eq("failure-kinds 0.1.0\n");
}

#[test]
fn a_usage_error_is_one_sentence() {
    failure_kinds().arg("triag").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: unrecognized subcommand 'triag'; tip: a similar subcommand exists: 'triage'; see `--help`

"#]]);
    failure_kinds().arg("--colour\u{1b}[31m").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: unexpected argument '--colour' found; see `--help`

"#]]);
}

#[test]
fn an_invalid_time_is_answered_with_an_example() {
    failure_kinds().args(["triage", "x", "--now", "yesterday"]).assert().code(2).stderr_eq(str![[
        r#"
error: invalid value 'yesterday' for '--now <RFC3339>': expected a time such as `2026-10-12T05:00:00Z`; see `--help`

"#
    ]]);
}

#[test]
fn without_a_command_the_help_is_shown() {
    failure_kinds().assert().code(2).stdout_eq("");
}

#[test]
fn the_short_help_has_one_line_for_each_option() {
    let triage = cfg!(feature = "triage").then_some(["triage", "select", "compare"]);
    let lint = cfg!(feature = "lint").then_some("lint");
    for command in triage.into_iter().flatten().chain(lint).chain(["list", "explain"]) {
        let help = failure_kinds().env("COLUMNS", "100").args([command, "-h"]).assert().code(0);
        let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
        let (_, options) = help.split_once("Options:\n").unwrap();
        let options = options.lines().take_while(|line| !line.is_empty());
        // Only lists of values may take a second line.
        let others = options.filter(|line| !line.trim_start().starts_with('-'));
        let others: Vec<_> = others.filter(|line| !line.ends_with(']')).collect();
        assert_eq!(others, [""; 0], "{command}");
    }
}
