//! `docs/dependencies.md`: what the published packages depend on, and what that brings.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::cargo;

const PUBLISHED: [&str; 4] =
    ["failure-kinds-core", "failure-kinds-macros", "failure-kinds", "failure-kinds-cli"];

/// By direct dependency: how many packages it brings below itself, and how many, itself among
/// them, nothing else brings.
type Brings = BTreeMap<String, (usize, usize)>;

/// What cargo says of a package, on one platform whatever this one is.
fn built(package: &str) -> Brings {
    let tree = ["tree", "--locked", "--all-features", "--edges", "normal,build"];
    let form = ["--prefix", "depth", "--format", " {p}", "--no-dedupe"];
    let of = ["--package", package, "--target", "x86_64-unknown-linux-gnu"];
    let tree = cargo(&[&tree[..], &form, &of].concat());

    // Each direct dependency with all that stands below it.
    let mut direct: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut above = "";
    for line in tree.lines() {
        let (depth, package) = line.split_once(' ').unwrap();
        if depth == "1" {
            above = package;
        }
        if depth != "0" {
            direct.entry(above).or_default().insert(package);
        }
    }
    let alone = |dependency: &str, package: &str| {
        direct.iter().all(|(other, below)| *other == dependency || !below.contains(package))
    };
    direct
        .iter()
        .map(|(dependency, below)| {
            let only = below.iter().filter(|package| alone(dependency, package)).count();
            let (name, _) = dependency.split_once(' ').unwrap();
            (name.to_owned(), (below.len() - 1, only))
        })
        .collect()
}

/// What the document says: below each package's heading, rows of a name, a reason and two numbers.
fn said() -> BTreeMap<&'static str, Brings> {
    let mut said = BTreeMap::from(PUBLISHED.map(|package| (package, Brings::new())));
    let mut package = "";
    for line in include_str!("../../../docs/dependencies.md").lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            package = heading.trim_matches('`');
        } else if let Some(row) = line.strip_prefix("| `") {
            let cells: Vec<_> = row.trim_end_matches(" |").split(" | ").collect();
            let [name, reason, brings, alone] = cells[..] else { panic!("{line}") };
            assert!(reason.len() > 5, "{line}");
            let counts = (brings.parse().unwrap(), alone.parse().unwrap());
            said.get_mut(package).unwrap().insert(name.trim_end_matches('`').to_owned(), counts);
        }
    }
    said
}

#[test]
fn every_direct_dependency_is_told_with_what_it_brings() {
    let said = said();
    for package in PUBLISHED {
        assert_eq!(said[package], built(package), "of {package}");
    }
}
