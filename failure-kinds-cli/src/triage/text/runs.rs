//! The summary: each run with what it is out of.

use std::io;

use comfy_table::CellAlignment::{self, Left, Right};

use crate::page::{Page, column_width, percent};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Report, RolloutReport};

/// How many runs are shown.
const SHOWN: usize = 60;
/// The least that is shown of a path.
const PATH: usize = 16;

/// A run, or all of them.
struct Row<'r> {
    rollouts: &'r RolloutReport,
    masked: u64,
}

/// A column with figures of runs.
struct Figures {
    name: &'static str,
    cell: fn(&Row<'_>) -> String,
    shown: Shown,
}

/// When a column is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Always,
    /// If it does not hold zeros only.
    IfAny,
    /// If there is room: the sum of all runs is in the headline anyway.
    IfRoom,
}

const FIGURES: [Figures; 7] = [
    Figures {
        name: "MISSING",
        cell: |row| match (row.rollouts.missing, row.rollouts.expected) {
            (Some(missing), Some(expected)) => format!("{missing} of {expected}"),
            _ => "unknown".to_owned(),
        },
        shown: Shown::Always,
    },
    Figures { name: "OMITTED", cell: |row| row.rollouts.omitted.to_string(), shown: Shown::IfAny },
    Figures {
        name: "UNEXPECTED",
        cell: |row| row.rollouts.unexpected.unwrap_or(0).to_string(),
        shown: Shown::IfAny,
    },
    Figures {
        name: "FAILED",
        cell: |row| format!("{} of {}", row.rollouts.failed, row.rollouts.seen),
        shown: Shown::Always,
    },
    Figures {
        name: "DEGRADED",
        cell: |row| row.rollouts.degraded.to_string(),
        shown: Shown::IfRoom,
    },
    Figures {
        name: "RECOVERED",
        cell: |row| row.rollouts.recovered.to_string(),
        shown: Shown::IfRoom,
    },
    Figures { name: "MASKED", cell: |row| row.masked.to_string(), shown: Shown::IfRoom },
];

pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    page.heading(headline(report))?;
    if !matches!(page.base(), "" | "./") {
        let base = format!("  paths below leave out {}", Escaped(page.base()));
        page.line(base)?;
    }
    let runs = report.runs.iter().take(SHOWN);
    let mut rows: Vec<_> =
        runs.map(|run| Row { rollouts: &run.rollouts, masked: run.counts.masked }).collect();
    if report.runs.len() > 1 {
        rows.push(Row { rollouts: &report.rollouts, masked: report.totals.masked });
    }
    let (figures, path_width) = figures(&rows, page.width);
    let mut cells: Vec<Vec<String>> = (0..rows.len())
        .map(|row| {
            let name = match report.runs.get(row) {
                Some(run) if row < SHOWN => page.path(&run.path, path_width),
                _ => format!("all {} runs", report.runs.len()),
            };
            [name].into_iter().chain(figures.iter().map(|(_, cells)| cells[row].clone())).collect()
        })
        .collect();
    if report.runs.len() > SHOWN {
        let more = format!("and {} more runs", report.runs.len() - SHOWN);
        cells.insert(SHOWN, [vec![more], vec![String::new(); figures.len()]].concat());
    }
    let columns: Vec<(&str, CellAlignment)> =
        [("RUN", Left)].into_iter().chain(figures.iter().map(|(name, _)| (*name, Right))).collect();
    page.table(&columns, cells, |_, _| Ok(()))
}

/// The columns that are shown, with their cells, and the room that they leave for the path.
fn figures(rows: &[Row<'_>], width: usize) -> (Vec<(&'static str, Vec<String>)>, usize) {
    let is_zero = |figures: &&Figures| rows.iter().all(|row| (figures.cell)(row) == "0");
    let mut shown: Vec<&Figures> = FIGURES
        .iter()
        .filter(|figures| figures.shown != Shown::IfAny || !is_zero(figures))
        .collect();
    loop {
        let figures: Vec<(&str, Vec<String>)> = shown
            .iter()
            .map(|figures| (figures.name, rows.iter().map(figures.cell).collect()))
            .collect();
        let taken: usize = figures
            .iter()
            .map(|(name, cells)| column_width(name, cells.iter().map(String::as_str)))
            .sum();
        let path_width = width.saturating_sub(taken + 2);
        let if_room = |figures: &&Figures| figures.shown == Shown::IfRoom;
        let spare = shown
            .iter()
            .rposition(|figures| if_room(figures) && is_zero(figures))
            .or_else(|| shown.iter().rposition(if_room));
        match spare {
            Some(spare) if path_width < PATH => shown.remove(spare),
            _ => return (figures, path_width.max(PATH)),
        };
    }
}

/// What a tired reader needs first.
fn headline(report: &Report) -> String {
    let RolloutReport { expected, seen, missing, failed, degraded, recovered, .. } =
        report.rollouts;
    let unexpected = report.runs.iter().filter_map(|run| run.rollouts.unexpected).sum();
    let others = [(report.rollouts.omitted, "omitted"), (unexpected, "unexpected")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}, "));
    let others: String = others.collect();
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
            format!("ROLLOUTS: {missing} of {expected} expected are missing{share}, {others}{rest}")
        }
        _ => format!("ROLLOUTS: {others}{rest}; {}", expected_in_part(report)),
    }
}

/// What is known about missing rollouts if some runs have no inventory.
pub(in crate::triage) fn expected_in_part(report: &Report) -> String {
    let known =
        report.runs.iter().filter_map(|run| run.rollouts.missing.zip(run.rollouts.expected));
    let (missing, expected) =
        known.fold((0, 0), |(missing, expected), run| (missing + run.0, expected + run.1));
    match expected {
        0 => "how many were expected is unknown".to_owned(),
        _ => format!(
            "{missing} of {expected} expected are missing in the runs with an inventory, for the \
             others it is unknown"
        ),
    }
}
