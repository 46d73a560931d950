//! What to look at next.

use std::cmp::Reverse;
use std::io;

use super::failures::{count, example, largest_first};
use crate::page::{Page, counted, quoted, rows};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Group, Report, RunReport};

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
    if report.totals.masked > 0 {
        next.push(format!(
            "{} of {} rows are masked, so left out of scores",
            report.totals.masked, report.totals.rows
        ));
    }
    let unregistered = report.unregistered_rows();
    if unregistered > 0 {
        next.push(format!(
            "{} with names that are in no vocabulary: fix them where they are written",
            rows(unregistered)
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
        format!("; `{}` ends in the middle of a row", Escaped(&file.path))
    });
    format!(
        "{} of `{}` that left no row: killed, drained or never started{cut}",
        counted(missing, "rollout"),
        Escaped(&run.path)
    )
}

/// The most frequent kind of a class.
fn most_frequent(class: &str, kind: Option<&str>, groups: &[&Group]) -> String {
    let kind = match kind {
        Some(kind) => format!("`{}`", quoted(kind)),
        None => "failures without a kind".to_owned(),
    };
    let side = match class {
        "unknown" => "side unknown",
        "model" => "model side",
        _ => "evaluation side",
    };
    let place = example(groups).map_or(String::new(), |example| {
        format!(", from {}:{}", Escaped(&example.path), example.line)
    });
    format!("{kind}, {side}, {}{place}", rows(count(groups)))
}
