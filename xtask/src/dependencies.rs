//! `docs/dependencies.md`: the dependencies of the published packages, and what they bring.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::Result;
use crate::repository::{cargo, packages};

/// By direct dependency: the number of packages below it, and of packages, including itself, that nothing else
/// brings.
type Brings = BTreeMap<String, (usize, usize)>;

const SEPARATOR: &str = "|---|---|---|---|";

/// The document with updated rows: the reason for each is written by hand, the rest is counted.
pub(crate) fn text(committed: &str) -> Result<String> {
    let mut published = published()?;
    let reasons = reasons(committed);
    let mut missing = String::new();
    let mut text = String::new();
    let mut brings = None;
    for line in committed.lines() {
        if let Some(package) = heading(line) {
            brings = published.remove(package).map(|brings| (package, brings));
        }
        if brings.is_none() || row(line).is_none() {
            writeln!(text, "{line}")?;
        }
        if let (Some((package, brings)), SEPARATOR) = (&brings, line) {
            for (name, (below, alone)) in brings {
                if let Some(reason) = reasons.get(&(*package, name)) {
                    writeln!(text, "| `{name}` | {reason} | {below} | {alone} |")?;
                } else {
                    write!(
                        missing,
                        "\n  under `{package}`: | `{name}` | what it is for | 0 | 0 |"
                    )?;
                }
            }
        }
    }
    for (package, _) in published.iter().filter(|(_, brings)| !brings.is_empty()) {
        write!(missing, "\n  a section with a table for `{package}`")?;
    }
    if missing.is_empty() {
        Ok(text)
    } else {
        Err(format!("add to docs/dependencies.md, then run `cargo xtask regen`:{missing}").into())
    }
}

/// The package whose section starts at this line, if a section does.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("## ").map(|title| title.trim_matches('`'))
}

/// The name and the reason of a row.
fn row(line: &str) -> Option<(&str, &str)> {
    let mut cells = line.strip_prefix("| `")?.split(" | ");
    Some((cells.next()?.trim_end_matches('`'), cells.next()?))
}

/// Why a package has a dependency, as the document says.
fn reasons(text: &str) -> BTreeMap<(&str, &str), &str> {
    let mut package = "";
    let mut reasons = BTreeMap::new();
    for line in text.lines() {
        package = heading(line).unwrap_or(package);
        if let Some((name, reason)) = row(line) {
            reasons.insert((package, name), reason);
        }
    }
    reasons
}

/// The packages that are published, with their direct dependencies.
fn published() -> Result<BTreeMap<String, Brings>> {
    let published = |package: &serde_json::Value| package["publish"].is_null();
    packages()?
        .iter()
        .filter(|package| published(package))
        .filter_map(|package| package["name"].as_str())
        .map(|name| Ok((name.to_owned(), brings(name)?)))
        .collect()
}

/// What cargo says about a package, on one platform whatever this one is.
fn brings(package: &str) -> Result<Brings> {
    let tree = ["tree", "--locked", "--all-features", "--edges", "normal,build"];
    let form = ["--prefix", "depth", "--format", " {p}", "--no-dedupe"];
    let of = ["--package", package, "--target", "x86_64-unknown-linux-gnu"];
    let tree = cargo(&[&tree[..], &form, &of].concat())?;

    // Each direct dependency with everything below it.
    let mut direct: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut above = "";
    for line in tree.lines() {
        let (depth, package) = line.split_once(' ').ok_or("a line of `cargo tree` has a depth")?;
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
    let counts = direct.iter().map(|(dependency, below)| {
        let only = below.iter().filter(|package| alone(dependency, package)).count();
        let (name, _) = dependency.split_once(' ').unwrap_or((dependency, ""));
        (name.to_owned(), (below.len() - 1, only))
    });
    Ok(counts.collect())
}
