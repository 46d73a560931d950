//! The rows for spreadsheets: one line each, after a line of names.

use std::io::{self, Write};

use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Comparison, Row};

const COLUMNS: [&str; 13] = [
    "word",
    "class",
    "kind",
    "stage",
    "baseline_count",
    "baseline_of",
    "current_count",
    "current_of",
    "difference",
    "lower",
    "upper",
    "p",
    "q",
];

/// Writes the rows. What is null is empty.
pub(super) fn write(comparison: &Comparison, stream: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(stream);
    csv.write_record(COLUMNS)?;
    for row in &comparison.rows {
        csv.write_record(record(row))?;
    }
    csv.flush()
}

fn record(row: &Row) -> [String; COLUMNS.len()] {
    let [lower, upper] = row.interval;
    [
        row.word.as_str().to_owned(),
        row.class.unwrap_or_default().to_owned(),
        row.kind.as_deref().map_or(String::new(), |kind| Escaped(kind).to_string()),
        row.stage.unwrap_or_default().to_owned(),
        row.baseline.count().to_string(),
        row.baseline.of().to_string(),
        row.current.count().to_string(),
        row.current.of().to_string(),
        row.difference.to_string(),
        lower.to_string(),
        upper.to_string(),
        row.p.to_string(),
        row.q.to_string(),
    ]
}
