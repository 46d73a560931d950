//! The report for people: what failed, how much of how many, on whose side, where to look.

pub(super) mod calls;
pub(super) mod failures;
pub(super) mod next;
pub(super) mod rest;
pub(super) mod runs;

use std::io::{self, Write};

use chrono::{DateTime, Utc};

use crate::page::{self, Page};
use crate::terminal;
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::Report;

/// The heading of what casts doubt on the whole report.
pub(super) const WARNING: &str = "WARNING";

/// Writes the report as text.
pub(crate) fn write(report: &Report, now: DateTime<Utc>, stream: &mut dyn Write) -> io::Result<()> {
    write_page(report, now, Page::new(stream, terminal::width(), common_folder(report).to_owned()))
}

/// Writes the same as Markdown, for the summary of a job.
pub(crate) fn write_markdown(
    report: &Report,
    now: DateTime<Utc>,
    stream: &mut dyn Write,
) -> io::Result<()> {
    write_page(report, now, Page::markdown(stream, common_folder(report).to_owned()))
}

fn write_page(report: &Report, now: DateTime<Utc>, mut page: Page<'_>) -> io::Result<()> {
    let doubts = rest::doubts(report);
    if !doubts.is_empty() {
        page.heading(WARNING)?;
        doubts.iter().try_for_each(|doubt| page.sentence(doubt))?;
    }
    runs::write(report, &mut page)?;
    failures::write(report, &mut page)?;
    rest::write(report, now, &mut page)?;
    next::write(report, &mut page)
}

/// The folder that holds all files, with its separator; empty if there is none.
pub(super) fn common_folder(report: &Report) -> &str {
    let mut paths = report.files.iter().map(|file| file.path.as_str());
    let Some(first) = paths.next() else { return "" };
    let length = paths.fold(first.len(), |length, path| {
        let same = first.bytes().zip(path.bytes()).take_while(|(one, other)| one == other);
        length.min(same.count())
    });
    let folder = first.as_bytes()[..length].iter().rposition(|byte| *byte == b'/');
    folder.map_or("", |separator| &first[..=separator])
}

/// A path without the common folder, made safe to print.
pub(super) fn below(base: &str, path: &str) -> String {
    Escaped(page::below(base, path)).to_string()
}
