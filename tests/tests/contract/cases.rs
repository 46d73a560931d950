//! `tests/README.md`, which says for each case from practice where its tests are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::repository::{root, sources};

/// By the number of a case: paths from the root of the repository.
type Places = BTreeMap<u32, BTreeSet<String>>;

/// The rows `| C<number> | <subject> | <paths in backticks> |`.
fn listed() -> Places {
    let rows = include_str!("../../README.md").lines().filter_map(|line| {
        let cells: Vec<_> = line.strip_prefix("| C")?.split(" | ").collect();
        let [number, subject, paths] = cells[..] else { panic!("{line}") };
        assert!(!subject.is_empty(), "{line}");
        let paths = paths.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        Some((number.parse().unwrap(), paths))
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.is_sorted_by(|(one, _), (next, _)| one < next), "one row for each case, in order");
    rows.into_iter().collect()
}

/// The cases that a name starts with: one, or several joined by `_`.
fn cases(name: &str) -> impl Iterator<Item = u32> {
    let (cases, _) = name.rsplit_once('_').unwrap_or_default();
    cases.split('_').map_while(|part| part.strip_prefix('c')?.parse().ok())
}

/// The names of tests, and of sources that are tests as a whole.
fn found() -> Places {
    let root = root();
    let mut places = Places::new();
    for path in sources(&root) {
        let text = fs::read_to_string(&path).unwrap();
        let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        for name in words.chain([path.file_stem().unwrap().to_str().unwrap()]) {
            for case in cases(name) {
                places.entry(case).or_default().insert(file.clone());
            }
        }
    }
    places
}

#[test]
fn each_case_is_listed_with_its_tests() {
    let (listed, found) = (listed(), found());
    for case in listed.keys().chain(found.keys()) {
        assert_eq!(listed.get(case), found.get(case), "C{case}: tests/README.md and the tests");
    }
}
