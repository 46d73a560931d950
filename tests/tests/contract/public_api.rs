//! `docs/public-api/failure-kinds.txt`. A nightly compiler writes and compares all of it (see
//! `CONTRIBUTING.md`); that no item is missing can be told without one.

use std::collections::BTreeSet;

const LISTED: &str = include_str!("../../../docs/public-api/failure-kinds.txt");
const LIBRARY: &str = include_str!("../../../failure-kinds/src/lib.rs");

#[test]
fn every_exported_name_is_listed() {
    let words = |text: &'static str| {
        text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_')
            .filter(|word| !word.is_empty())
    };
    let (interface, _hidden) = LIBRARY.split_once("pub mod __private").unwrap();
    let mut exported = BTreeSet::from(["failure_kind", "kinds"]);
    for item in interface.split("\npub use ").skip(1) {
        let (path, _) = item.split_once(';').unwrap();
        let (_, names) = path.split_once("::").unwrap();
        exported.extend(words(names));
    }
    let listed = LISTED.split("failure_kinds::").skip(1).filter_map(|item| words(item).next());
    assert_eq!(listed.collect::<BTreeSet<_>>(), exported);
}

#[test]
fn every_kind_is_listed() {
    for kind in failure_kinds::FAILURE_KINDS {
        let constant = kind.as_str().to_uppercase();
        let line =
            format!("pub const failure_kinds::kinds::{constant}: failure_kinds::FailureKind\n");
        assert!(LISTED.contains(&line), "{line}");
    }
}
