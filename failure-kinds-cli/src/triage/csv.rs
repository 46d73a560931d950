//! The groups for spreadsheets: one line each, below a line of names.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};

use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Group, Report};

const COLUMNS: [&str; 15] = [
    "class",
    "kind",
    "registry",
    "stage",
    "http_label",
    "rule",
    "server",
    "count",
    "terminal",
    "http_statuses",
    "rollouts",
    "final",
    "rejudgeable",
    "call_statuses",
    "call_categories",
];

/// Writes the groups. What is null is empty; `registry` tells an absent kind from an empty one.
pub(crate) fn write(report: &Report, stream: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(stream);
    csv.write_record(COLUMNS).map_err(io_error)?;
    for group in &report.groups {
        csv.write_record(record(group)).map_err(io_error)?;
    }
    csv.flush()
}

/// The error of the stream itself, which tells whether its reader went away.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn record(group: &Group) -> [String; COLUMNS.len()] {
    let word = |word: Option<&'static str>| word.unwrap_or_default().to_owned();
    let calls = group.last_call.as_ref();
    [
        group.class.to_owned(),
        group.kind.as_deref().map_or(String::new(), |kind| Escaped(kind).to_string()),
        group.registry.to_owned(),
        word(group.stage),
        word(group.http_label),
        group.rule.to_owned(),
        group.server.to_string(),
        group.count.to_string(),
        group.terminal.to_string(),
        pairs(&group.http_statuses),
        group.rollouts.to_string(),
        group.is_final.to_string(),
        group.rejudgeable.to_string(),
        calls.map_or(String::new(), |calls| pairs(&calls.statuses)),
        calls.map_or(String::new(), |calls| pairs(&calls.categories)),
    ]
}

/// `429:3 503:1`
fn pairs(counts: &BTreeMap<impl Display, u64>) -> String {
    let pairs = counts.iter().map(|(value, count)| format!("{value}:{count}"));
    pairs.collect::<Vec<_>>().join(" ")
}
