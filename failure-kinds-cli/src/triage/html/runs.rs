//! The runs, each with its rollouts.

use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Report, RunReport};
use maud::{Markup, html};

use super::outcomes;
use crate::html::{self, filter, name};
use crate::triage::text::below;

pub(super) fn section(report: &Report, base: &str) -> Markup {
    let columns = columns(report);
    let panel = html! {
        div.panel {
            table.runs.upright id="by-run" {
                caption.hidden-text { "Rollouts by run" }
                thead {
                    tr {
                        th scope="col" data-column="run" data-sort="text" { "Run" }
                        @for column in &columns {
                            th.n scope="col" data-column=(column.id) data-sort="number" { (column.name) }
                        }
                    }
                }
                tbody { @for run in &report.runs { (row(report, run, base, &columns)) } }
            }
        }
    };
    html::section("runs", "Rollouts by run", &panel)
}

fn row(report: &Report, run: &RunReport, base: &str, columns: &[&Column]) -> Markup {
    let filter = filter(&[("run", &Escaped(&run.path).to_string())]);
    html! {
        tr {
            th scope="row" {
                a href="#groups" data-filter=(filter) { (name(&run_name(report, base, &run.path))) }
                (outcomes(&[&run.outcomes], run.rollouts.recovered))
            }
            @for column in columns {
                td.n {
                    @match (column.count)(run) {
                        None => "?",
                        Some(count) => {
                            (count)
                            @if let Some(of) = column.of.and_then(|of| of(run)) { " " small { "of " (of) } }
                        }
                    }
                }
            }
        }
    }
}

/// What the paths of all runs end with, if there are several: the name of the stem.
fn common_stem(report: &Report) -> &str {
    let [first, rest @ ..] = &report.runs[..] else { return "" };
    let stem = first.path.rfind('/').map_or("", |separator| &first.path[separator..]);
    let is_common = !rest.is_empty() && rest.iter().all(|run| run.path.ends_with(stem));
    if is_common { stem } else { "" }
}

/// The path of a run without what all of them share.
pub(super) fn run_name(report: &Report, base: &str, path: &str) -> String {
    let name = path.strip_suffix(common_stem(report)).unwrap_or(path);
    below(base, if name.len() < base.len() { path } else { name })
}

/// A column of the table of runs.
struct Column {
    id: &'static str,
    name: &'static str,
    count: fn(&RunReport) -> Option<u64>,
    of: Option<fn(&RunReport) -> Option<u64>>,
    /// Whether it is shown even if all its numbers are 0.
    is_always: bool,
}

static COLUMNS: [Column; 8] = [
    Column {
        id: "failed",
        name: "Failed",
        count: |run| Some(run.rollouts.failed),
        of: Some(|run| Some(run.rollouts.seen)),
        is_always: true,
    },
    Column {
        id: "missing",
        name: "Missing",
        count: |run| run.rollouts.missing,
        of: Some(|run| run.rollouts.expected),
        is_always: true,
    },
    Column {
        id: "omitted",
        name: "Omitted",
        count: |run| Some(run.rollouts.omitted),
        of: None,
        is_always: false,
    },
    Column {
        id: "degraded",
        name: "Degraded",
        count: |run| Some(run.rollouts.degraded),
        of: None,
        is_always: false,
    },
    Column {
        id: "recovered",
        name: "Recovered",
        count: |run| Some(run.rollouts.recovered),
        of: None,
        is_always: false,
    },
    Column {
        id: "unexpected",
        name: "Unexpected",
        count: |run| Some(run.rollouts.unexpected.unwrap_or(0)),
        of: None,
        is_always: false,
    },
    Column {
        id: "calls",
        name: "Rows with last call",
        count: |run| Some(run.captures.as_ref().map_or(0, |captures| captures.joined)),
        of: Some(|run| Some(run.counts.failures)),
        is_always: false,
    },
    Column {
        id: "masked",
        name: "Masked rows",
        count: |run| Some(run.counts.masked),
        of: None,
        is_always: false,
    },
];

/// The columns that are worth their place.
fn columns(report: &Report) -> Vec<&'static Column> {
    let is_shown = |column: &Column| {
        column.is_always || report.runs.iter().any(|run| (column.count)(run) != Some(0))
    };
    COLUMNS.iter().filter(|column| is_shown(column)).collect()
}
