//! `tests/README.md`, which lists where the tests of each case from practice are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use crate::Result;
use crate::repository::texts;

/// The document with updated rows: the subject of a case is written by hand, the paths are found.
pub(crate) fn text(committed: &str) -> Result<String> {
    let mut found = found()?;
    let mut text = String::new();
    let mut problems = String::new();
    let mut last = 0;
    for line in committed.lines() {
        let Some((case, subject)) = row(line) else {
            writeln!(text, "{line}")?;
            continue;
        };
        if case <= last {
            write!(problems, "\n  C{case} is listed after C{last}")?;
        }
        last = case;
        match found.remove(&case) {
            Some(paths) => {
                let paths: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
                writeln!(text, "| C{case} | {subject} | {} |", paths.join(", "))?;
            }
            None => write!(problems, "\n  C{case} is listed but has no test")?,
        }
    }
    for case in found.keys() {
        write!(problems, "\n  C{case} has a test but no row: | C{case} | its subject | - |")?;
    }
    if problems.is_empty() {
        Ok(text)
    } else {
        Err(format!("tests/README.md does not match the tests:{problems}").into())
    }
}

/// The number and the subject of a row.
fn row(line: &str) -> Option<(u32, &str)> {
    let mut cells = line.strip_prefix("| C")?.split(" | ");
    Some((cells.next()?.parse().ok()?, cells.next()?))
}

/// The sources with tests of each case: those with a test of that name, and those that are a test
/// as a whole.
fn found() -> Result<BTreeMap<u32, BTreeSet<String>>> {
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    for (path, text) in texts("rs")? {
        let stem = Path::new(&path).file_stem().and_then(|stem| stem.to_str());
        let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        for case in words.chain(stem).flat_map(cases) {
            found.entry(case).or_default().insert(path.clone());
        }
    }
    Ok(found)
}

/// The cases that a name starts with: one, or several joined by `_`.
fn cases(name: &str) -> impl Iterator<Item = u32> {
    let (cases, _) = name.rsplit_once('_').unwrap_or_default();
    cases.split('_').map_while(|part| part.strip_prefix('c')?.parse().ok())
}
