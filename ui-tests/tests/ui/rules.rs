//! Rules for all snapshots: the wording of messages, and no orphans.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cases::{Case, all, files};

/// How the compiler indents the lines of a message after the first.
const INDENT: &str = "       ";

#[test]
fn every_snapshot_has_its_source_and_every_source_its_snapshot() {
    let stems = |extension| {
        files(extension).into_iter().map(|path| path.with_extension("")).collect::<BTreeSet<_>>()
    };
    let passing = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/accepted");
    let mut sources = stems("rs");
    assert!(sources.remove(&passing), "{}", passing.display());
    assert!(sources.len() > 15, "the cases are elsewhere");
    assert_eq!(sources, stems("stderr"));
}

/// The lines that we write, without the word before the colon: the first line of an error without
/// a code, and its help and note lines.
fn worded(stderr: &str) -> impl Iterator<Item = &str> {
    stderr.lines().filter_map(|line| {
        line.strip_prefix("error: ").or_else(|| {
            let line = line.strip_prefix(INDENT)?;
            line.strip_prefix("help: ").or_else(|| line.strip_prefix("note: "))
        })
    })
}

/// What is wrong with the wording of one line.
fn fault(line: &str) -> Option<&'static str> {
    if line.starts_with(char::is_uppercase) {
        return Some("starts with a capital");
    }
    if line.ends_with(['.', '!', '?']) {
        return Some("ends like a sentence");
    }
    if line.matches('`').count() % 2 == 1 {
        return Some("has an odd number of backticks");
    }
    // Outside the backticks: every other piece.
    let plain = line.split('`').step_by(2);
    if plain.clone().any(|text| text.contains(['_', '"', '<', '{'])) {
        return Some("has a name or code without backticks");
    }
    if plain.clone().any(|text| text.contains("  ")) {
        return Some("has two spaces");
    }
    None
}

#[test]
fn messages_follow_the_wording_rules() {
    let mut lines = 0;
    for case in all() {
        for line in worded(&case.stderr()) {
            lines += 1;
            assert_eq!(fault(line), None, "{}: {line}", case.stderr.display());
        }
    }
    assert!(lines > 100, "the messages are elsewhere");
}

#[test]
fn the_wording_rules_can_fail() {
    assert_eq!(fault("`judge_faild` is not registered"), None);
    assert!(fault("Unknown kind").is_some());
    assert!(fault("this is not a kind.").is_some());
    assert!(fault("try `judge_failed").is_some());
    assert!(fault("a similar name is judge_failed").is_some());
    assert!(fault("write failure_kind!(\"x\")").is_some());
    assert!(fault("two  spaces").is_some());
}

/// The place of each error: its ` --> ` line.
fn places(stderr: &str) -> Vec<&str> {
    stderr.lines().filter(|line| line.trim_start().starts_with("--> ")).map(str::trim).collect()
}

/// Whether all errors of a case are ours, each at its literal.
fn is_ours(case: &Case) -> bool {
    !case.source.components().any(|part| part.as_os_str() == "compiler")
}

#[test]
fn each_rejected_input_is_exactly_one_error() {
    for case in all().iter().filter(|case| is_ours(case)) {
        let stderr = case.stderr();
        let name = case.stderr.display();
        let errors = stderr.lines().filter(|line| line.starts_with("error")).count();
        assert!(!stderr.contains("error["), "{name}: an error of the compiler");
        assert!(!stderr.lines().any(|line| line.starts_with("warning")), "{name}: a warning");
        let places = places(&stderr);
        assert_eq!(places.len(), errors, "{name}");
        assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), errors, "{name}: one place twice");
    }
}

#[test]
fn each_use_of_the_kind_macro_is_rejected() {
    // The uses that go through another macro are not counted by their text.
    let direct = |case: &Case| {
        case.source.components().any(|part| part.as_os_str() == "kind")
            && !case.source().contains("macro_rules!")
    };
    let mut cases = 0;
    for case in all().into_iter().filter(direct) {
        cases += 1;
        let source = case.source();
        let uses = source.matches("failure_kind!").count();
        let accepted = source.matches("failure_kind!(\"shutdown\")").count();
        assert_eq!(places(&case.stderr()).len(), uses - accepted, "{}", case.source.display());
    }
    assert!(cases > 10, "the cases are elsewhere");
}
