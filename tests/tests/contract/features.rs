//! Every feature of the runtime, and what it brings into the tree of a user.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::cargo;

/// The packages that a user of these features builds, beside the runtime itself.
fn tree_of(features: &str) -> BTreeSet<String> {
    let arguments = ["tree", "--locked", "--package", "failure-kinds", "--no-default-features"];
    let form = ["--edges", "normal,build", "--prefix", "none", "--format", "{p}"];
    let tree = cargo(&[&arguments[..], &["--features", features], &form[..]].concat());
    tree.lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| *name != "failure-kinds")
        .map(str::to_owned)
        .collect()
}

/// The features of the runtime, with what each turns on.
fn features() -> BTreeMap<String, Vec<String>> {
    let metadata = cargo(&["metadata", "--locked", "--no-deps", "--format-version", "1"]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let runtime = packages.iter().find(|package| package["name"] == "failure-kinds").unwrap();
    serde_json::from_value(runtime["features"].clone()).unwrap()
}

/// A row of the table in `docs/features.md`: the feature, what it turns on, what it brings.
fn rows() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let words = |cell: &str| {
        let words = cell.split(',').map(|word| word.trim().trim_matches('`').to_owned());
        words.filter(|word| !matches!(word.as_str(), "" | "-")).collect::<BTreeSet<_>>()
    };
    include_str!("../../../docs/features.md")
        .lines()
        .filter_map(|line| {
            let cells: Vec<_> = line.strip_prefix("| ")?.split('|').map(str::trim).collect();
            let [feature, on, _, brings, ""] = cells[..] else { panic!("{line}") };
            Some((feature.trim_matches('`').to_owned(), (words(on), words(brings))))
        })
        .filter(|(feature, _)| feature != "feature")
        .collect()
}

#[test]
fn the_table_of_features_is_true() {
    let mut rows = rows();
    let (_, base) = rows.remove("none").unwrap();
    assert_eq!(tree_of(""), base, "without any feature");
    let features = features();
    for (feature, on) in &features {
        let Some((said, brings)) = rows.remove(feature) else {
            panic!("`{feature}` has no row in docs/features.md")
        };
        let on: BTreeSet<String> =
            on.iter().filter(|on| features.contains_key(*on)).cloned().collect();
        assert_eq!(said, on, "what `{feature}` turns on");
        let mut tree = &tree_of(feature) - &base;
        for other in &said {
            tree = &tree - &tree_of(other);
        }
        assert_eq!(brings, tree, "what `{feature}` brings");
    }
    assert!(rows.is_empty(), "no such features: {rows:?}");
}

#[test]
fn c239_the_macro_alone_brings_neither_syn_nor_serde() {
    let tree = tree_of("macros");
    assert!(tree.contains("failure-kinds-macros"));
    for heavy in ["syn", "quote", "proc-macro2", "serde", "serde_core", "serde_derive"] {
        assert!(!tree.contains(heavy), "{heavy}");
    }
    let all = cargo(&["tree", "--locked", "-p", "failure-kinds", "--edges", "features"]);
    assert!(!all.contains("tracing feature \"attributes\""), "{all}");
}
