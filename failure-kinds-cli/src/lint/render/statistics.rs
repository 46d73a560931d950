//! Counts instead of findings: how often each finding and each name in it occurs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use failure_kinds_core::Quoted;

use failure_kinds_lint::{Finding, Id, Level};

/// Writes a line for each finding and, below it, one for each name.
pub(crate) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    let mut ids: BTreeMap<(Id, Level), u64> = BTreeMap::new();
    let mut names: BTreeMap<(Id, Level, &str), (u64, Option<&str>)> = BTreeMap::new();
    for finding in findings {
        *ids.entry((finding.id, finding.level)).or_default() += finding.count;
        if let Some(name) = &finding.name {
            let entry = names.entry((finding.id, finding.level, name)).or_default();
            entry.0 += finding.count;
            entry.1 = finding.suggestion.as_deref();
        }
    }
    for (&(id, level), count) in &ids {
        writeln!(out, "{count:>8}  {level}[{id}]")?;
        let mut of_id: Vec<_> =
            names.iter().filter(|((other, at, _), _)| (*other, *at) == (id, level)).collect();
        of_id.sort_by_key(|((_, _, name), (count, _))| (std::cmp::Reverse(*count), *name));
        for ((_, _, name), (count, suggestion)) in of_id {
            write!(out, "{count:>8}    {}", Quoted(name))?;
            match suggestion {
                Some(suggestion) => writeln!(out, " -> {suggestion}")?,
                None => writeln!(out)?,
            }
        }
    }
    Ok(())
}
