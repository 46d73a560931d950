//! Counts instead of findings: how often each finding and each name in it occurs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use failure_kinds_core::Quoted;
use failure_kinds_lint::{Finding, Id, Level};
use serde::Serialize;

use crate::json;

/// A finding at a level, with its names, the most frequent first.
#[derive(Serialize)]
struct Group<'a> {
    id: &'static str,
    level: &'static str,
    count: u64,
    names: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    count: u64,
    suggestion: Option<&'a str>,
}

/// How often each name occurs, and what is similar to it.
type Names<'a> = BTreeMap<&'a str, (u64, Option<&'a str>)>;

fn groups<'a>(findings: &'a [Finding]) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(Id, Level), (u64, Names<'a>)> = BTreeMap::new();
    for finding in findings {
        let (count, names) = groups.entry((finding.id, finding.level)).or_default();
        *count += finding.count;
        if let Some(name) = &finding.name {
            let entry = names.entry(name).or_default();
            entry.0 += finding.count;
            entry.1 = finding.suggestion.as_deref();
        }
    }
    let group = |((id, level), (count, names)): ((Id, Level), (u64, Names<'a>))| {
        let name = |(name, (count, suggestion))| Entry { name, count, suggestion };
        let mut names: Vec<_> = names.into_iter().map(name).collect();
        names.sort_by_key(|name| (Reverse(name.count), name.name));
        Group { id: id.as_str(), level: level.as_str(), count, names }
    };
    groups.into_iter().map(group).collect()
}

/// Writes a line for each finding and, below it, one for each name.
pub(crate) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    for Group { id, level, count, names } in groups(findings) {
        writeln!(out, "{count:>8}  {level}[{id}]")?;
        for Entry { name, count, suggestion } in names {
            write!(out, "{count:>8}    {}", Quoted(name))?;
            match suggestion {
                Some(suggestion) => writeln!(out, " -> {suggestion}")?,
                None => writeln!(out)?,
            }
        }
    }
    Ok(())
}

/// Writes one JSON array, with an object for each finding.
pub(crate) fn write_json(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    json::write_line(&groups(findings), out)
}
