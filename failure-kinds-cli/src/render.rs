//! Reports and comparisons as the command writes them, for other programs.

use std::io::{self, Write};

use anstream::StripStream;
use chrono::{DateTime, Utc};
use failure_kinds_triage::{Comparison, Report};

use crate::{compare, triage};

/// The report for people, as wide as the terminal.
///
/// Resets of quotas after `now` are still to come.
#[must_use]
pub fn text(report: &Report, now: DateTime<Utc>) -> String {
    plain(|stream| triage::text::write(report, now, stream))
}

/// The report as Markdown.
#[must_use]
pub fn markdown(report: &Report, now: DateTime<Utc>) -> String {
    plain(|stream| triage::text::write_markdown(report, now, stream))
}

/// The report as a page for a browser, which needs no other file.
#[must_use]
pub fn html(report: &Report) -> String {
    plain(|stream| triage::html::write(report, stream))
}

/// The start of that page for a notebook, without a script.
#[must_use]
pub fn notebook(report: &Report) -> String {
    plain(|stream| triage::html::write_notebook(report, stream))
}

/// The comparison for people, as wide as the terminal.
#[must_use]
pub fn comparison_text(comparison: &Comparison) -> String {
    plain(|stream| compare::text::write(comparison, stream))
}

/// The comparison as Markdown.
#[must_use]
pub fn comparison_markdown(comparison: &Comparison) -> String {
    plain(|stream| compare::text::write_markdown(comparison, stream))
}

/// What `write` writes, without styles.
fn plain(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut stream = StripStream::new(Vec::new());
    write(&mut stream).expect("memory takes all that is written");
    String::from_utf8(stream.into_inner()).expect("a report is text")
}
