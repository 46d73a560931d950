//! The summary: each run with what it is out of.

use std::io;

use comfy_table::CellAlignment::{Left, Right};

use crate::page::{Columns, Page, percent};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Report, RolloutReport};

const COLUMNS: &Columns = &[
    ("RUN", Left),
    ("MISSING", Right),
    ("FAILED", Right),
    ("DEGRADED", Right),
    ("RECOVERED", Right),
    ("MASKED", Right),
];
/// What the columns beside the path take in most reports.
const BESIDE: usize = 56;

/// How many runs are shown.
const SHOWN: usize = 60;

pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    page.heading(headline(report))?;
    if !matches!(page.base(), "" | "./") {
        let base = format!("  paths in the tables are below {}", Escaped(page.base()));
        page.line(base)?;
    }
    let path_width = page.width.saturating_sub(BESIDE).max(20);
    let mut rows: Vec<Vec<String>> = report
        .runs
        .iter()
        .take(SHOWN)
        .map(|run| row(page.path(&run.path, path_width), &run.rollouts, run.counts.masked))
        .collect();
    if report.runs.len() > SHOWN {
        let more = format!("and {} more runs", report.runs.len() - SHOWN);
        rows.push([vec![more], vec![String::new(); 5]].concat());
    }
    if report.runs.len() > 1 {
        let all = format!("all {} runs", report.runs.len());
        rows.push(row(all, &report.rollouts, report.totals.masked));
    }
    page.table(COLUMNS, rows, |_, _| Ok(()))
}

/// What a tired reader needs first.
fn headline(report: &Report) -> String {
    let RolloutReport { expected, seen, missing, failed, degraded, recovered, .. } =
        report.rollouts;
    let share = |count, of| match of {
        0 => String::new(),
        _ => format!(" ({})", percent(count, of)),
    };
    let rest = format!(
        "{failed} of {seen} seen failed{}, {degraded} degraded, {recovered} recovered",
        share(failed, seen)
    );
    match (expected, missing) {
        (Some(expected), Some(missing)) => {
            let share = share(missing, expected);
            format!("ROLLOUTS: {missing} of {expected} expected are missing{share}, {rest}")
        }
        _ => format!("ROLLOUTS: {rest}; {}", expected_in_part(report)),
    }
}

/// What is known of missing rollouts where some runs have no inventory.
fn expected_in_part(report: &Report) -> String {
    let known =
        report.runs.iter().filter_map(|run| run.rollouts.missing.zip(run.rollouts.expected));
    let (missing, expected) =
        known.fold((0, 0), |(missing, expected), run| (missing + run.0, expected + run.1));
    match expected {
        0 => "how many were expected is unknown".to_owned(),
        _ => format!(
            "{missing} of {expected} expected are missing in the runs with an inventory, of the \
             others it is unknown"
        ),
    }
}

fn row(path: String, rollouts: &RolloutReport, masked: u64) -> Vec<String> {
    let of = |count, of| format!("{count} of {of}");
    vec![
        path,
        match (rollouts.missing, rollouts.expected) {
            (Some(missing), Some(expected)) => of(missing, expected),
            _ => "unknown".to_owned(),
        },
        of(rollouts.failed, rollouts.seen),
        rollouts.degraded.to_string(),
        rollouts.recovered.to_string(),
        masked.to_string(),
    ]
}
