//! What to look at next.

use std::cmp::Reverse;
use std::io;

use super::failures::{count, largest_first};
use super::layout::{Page, quoted};
use crate::escape::Escaped;
use crate::triage::report::{Group, Report, RunReport};

/// How many runs with missing rollouts are named.
const RUNS: usize = 3;

pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let mut next = Vec::new();
    let mut runs: Vec<(&RunReport, u64)> = report
        .runs
        .iter()
        .filter_map(|run| Some((run, run.rollouts.missing.filter(|missing| *missing > 0)?)))
        .collect();
    runs.sort_by_key(|(_, missing)| Reverse(*missing));
    next.extend(
        runs.iter().take(RUNS).map(|(run, missing)| missing_rollouts(report, run, *missing)),
    );
    let groups: Vec<&Group> = report.groups.iter().collect();
    for (class, groups) in largest_first(&groups, |group| group.class) {
        let kinds = largest_first(&groups, |group| group.kind.as_deref());
        next.extend(kinds.first().map(|(kind, groups)| most_frequent(class, *kind, groups)));
    }
    let unregistered: u64 = report.unregistered.iter().map(|name| name.count).sum();
    if unregistered > 0 {
        next.push(format!(
            "{unregistered} rows with names that are in no vocabulary: mend them where they are \
             written"
        ));
    }
    if next.is_empty() {
        return Ok(());
    }
    page.heading("LOOK NEXT AT")?;
    next.into_iter().try_for_each(|sentence| page.sentence(sentence))
}

fn missing_rollouts(report: &Report, run: &RunReport, missing: u64) -> String {
    let cut = report.truncated(run).map_or(String::new(), |file| {
        format!("; `{}` ends in the middle of a row", Escaped::new(&file.path))
    });
    format!(
        "{missing} rollouts of `{}` that left no row: killed, drained or never started{cut}",
        Escaped::new(&run.path)
    )
}

/// The most frequent kind of a class.
fn most_frequent(class: &str, kind: Option<&str>, groups: &[&Group]) -> String {
    let kind = kind.map_or("rows without a kind".to_owned(), |kind| format!("`{}`", quoted(kind)));
    let side = match class {
        "unknown" => "on no side, because what they record settles none",
        "model" => "on the model side",
        _ => "on the evaluation side",
    };
    let examples = groups.iter().filter_map(|group| group.example.as_ref());
    let place = examples.min_by_key(|example| example.at).map_or(String::new(), |example| {
        format!(": start at {}:{}", Escaped::new(&example.path), example.at.line)
    });
    format!("{} × {kind} {side}{place}", count(groups))
}
