//! `docs/features.md`: every feature of the runtime, and the packages that it adds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::Result;
use crate::repository::{cargo, packages};

type Names = BTreeSet<String>;

/// The row without any feature.
const NONE: &str = "none";

/// The document with updated rows: what a feature gives is written by hand, the rest comes from cargo.
pub(crate) fn text(committed: &str) -> Result<String> {
    let mut features = features()?;
    let base = tree(NONE)?;
    let mut text = String::new();
    for line in committed.lines() {
        let Some((feature, gives)) = row(line) else {
            writeln!(text, "{line}")?;
            continue;
        };
        if feature == NONE {
            writeln!(text, "| {NONE} | - | {gives} | {} |", cell(&base))?;
        } else if let Some(on) = features.remove(feature) {
            let mut brings = &tree(feature)? - &base;
            for other in &on {
                brings = &brings - &tree(other)?;
            }
            writeln!(text, "| `{feature}` | {} | {gives} | {} |", cell(&on), cell(&brings))?;
        }
    }
    if features.is_empty() {
        return Ok(text);
    }
    let mut missing = String::from("add to docs/features.md, then run `cargo xtask regen`:");
    for feature in features.keys() {
        write!(missing, "\n  | `{feature}` | - | what it gives | - |")?;
    }
    Err(missing.into())
}

/// The feature of a row, and what the row says that it gives.
fn row(line: &str) -> Option<(&str, &str)> {
    let cells: Vec<_> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
    let [feature, _, gives, _] = cells[..] else { return None };
    (feature != "feature").then(|| (feature.trim_matches('`'), gives))
}

fn cell(names: &Names) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}

/// The features of the runtime, with the other features that each turns on.
fn features() -> Result<BTreeMap<String, Names>> {
    let packages = packages()?;
    let runtime = packages.iter().find(|package| package["name"] == "failure-kinds");
    let runtime = runtime.ok_or("there is no package `failure-kinds`")?;
    let all: BTreeMap<String, Vec<String>> = serde_json::from_value(runtime["features"].clone())?;
    let on = |names: &Vec<String>| {
        names.iter().filter(|name| all.contains_key(*name)).cloned().collect()
    };
    Ok(all.iter().map(|(feature, names)| (feature.clone(), on(names))).collect())
}

/// The packages that a user of this feature builds, apart from the runtime itself.
pub(crate) fn tree(feature: &str) -> Result<Names> {
    let feature = if feature == NONE { "" } else { feature };
    let runtime = ["tree", "--locked", "--package", "failure-kinds", "--no-default-features"];
    let form = ["--edges", "normal,build", "--prefix", "none", "--format", "{p}"];
    let tree = cargo(&[&runtime[..], &["--features", feature], &form].concat())?;
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    Ok(names.filter(|name| *name != "failure-kinds").map(str::to_owned).collect())
}
