//! The reports as the command writes them, for other programs.

use std::io::{self, Write};

use anstream::StripStream;
use failure_kinds_triage::Report;
use jiff::Timestamp;

use crate::triage;

/// The report for people, as wide as the terminal.
///
/// Resets of quotas after `now` are still to come.
#[must_use]
pub fn text(report: &Report, now: Timestamp) -> String {
    plain(|stream| triage::text::write(report, now, stream))
}

/// The report as Markdown.
#[must_use]
pub fn markdown(report: &Report, now: Timestamp) -> String {
    plain(|stream| triage::text::write_markdown(report, now, stream))
}

/// What `write` writes, without styles.
fn plain(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut stream = StripStream::new(Vec::new());
    write(&mut stream).expect("memory takes all that is written");
    String::from_utf8(stream.into_inner()).expect("a report is text")
}
