//! The end of the report: names, quotas, flags, and files that have faults.

use std::collections::HashSet;
use std::io;

use chrono::{DateTime, Utc};

use crate::page::{Page, counted, quoted, rows};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{
    CapturesReport, Conflict, FileReport, Legacy, OmittedRow, QuotaReset, Report, SkippedFile,
    Unregistered,
};

use super::below;
use super::failures::all_in_json;
use crate::words;

/// How many names and files of a sort are shown.
const SHOWN: usize = 20;

pub(super) fn write(report: &Report, now: DateTime<Utc>, page: &mut Page<'_>) -> io::Result<()> {
    write_names(report, page)?;
    write_quota_resets(&report.quota_resets, now, page)?;
    write_flags(report, page)?;
    write_malformed(report, page)?;
    write_skipped(report, page)
}

fn write_names(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let unregistered =
        report.unregistered.iter().map(|name| (&*name.name, name.count, unregistered_hint(name)));
    let more = report.more_unregistered.names;
    section("UNREGISTERED NAMES", &unregistered.collect::<Vec<_>>(), more, report, page)?;
    let legacy = report.legacy.iter().map(|name| (name.name, name.count, legacy_hint(name)));
    section("LEGACY LABELS", &legacy.collect::<Vec<_>>(), 0, report, page)?;
    let gate_derived = report
        .gate_derived
        .iter()
        .map(|(name, count)| (*name, *count, GATE_DERIVED_HINT.to_owned()));
    section("GATE-DERIVED CLASSES", &gate_derived.collect::<Vec<_>>(), 0, report, page)
}

/// What to write instead of an unregistered name.
pub(in crate::triage) fn unregistered_hint(name: &Unregistered) -> String {
    match name.suggestion {
        Some(suggestion) => format!("did you mean `{suggestion}`?"),
        None => "no registered name is close to it".to_owned(),
    }
}

/// What to write instead of a legacy label.
pub(in crate::triage) fn legacy_hint(name: &Legacy) -> String {
    match (name.successor, name.hint) {
        (Some(successor), _) => format!("now `{successor}`"),
        (None, hint) => hint.unwrap_or_default().to_owned(),
    }
}

/// The same for a gate-derived class.
pub(in crate::triage) const GATE_DERIVED_HINT: &str =
    "derived by an acceptance gate, not a kind that producers write";

/// Names with their rows and what to know about them, if there are any. `unlisted` is how many
/// more there are.
fn section(
    heading: &str,
    names: &[(&str, u64, String)],
    unlisted: u64,
    report: &Report,
    page: &mut Page<'_>,
) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    page.heading(heading)?;
    for (name, count, hint) in names.iter().take(SHOWN) {
        page.sentence(format!("`{}`×{count}: {hint}", quoted(name)))?;
    }
    more(names.len() as u64 + unlisted, report, page)
}

fn more(count: u64, report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    match count.saturating_sub(SHOWN as u64) {
        0 => Ok(()),
        more => page.line(format!("  and {more} more; {}", all_in_json(report))),
    }
}

fn write_quota_resets(
    resets: &[QuotaReset],
    now: DateTime<Utc>,
    page: &mut Page<'_>,
) -> io::Result<()> {
    if resets.is_empty() {
        return Ok(());
    }
    page.heading("QUOTAS")?;
    for reset in resets.iter().filter(|reset| reset.unix > now.timestamp()) {
        page.sentence(format!(
            "resets at {}, in {}: {}",
            minute(&reset.at),
            hours(reset.unix - now.timestamp()),
            rows(reset.count)
        ))?;
    }
    let past: u64 =
        resets.iter().filter(|reset| reset.unix <= now.timestamp()).map(|reset| reset.count).sum();
    if past > 0 {
        page.sentence(format!("{} with a reset in the past", rows(past)))?;
    }
    Ok(())
}

/// `2026-10-12 05:00 UTC`
fn minute(rfc3339: &str) -> String {
    rfc3339.replace('T', " ").replace(":00Z", " UTC")
}

fn hours(seconds: i64) -> String {
    let minutes = (seconds + 59) / 60;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) if hours < 48 => format!("{hours} h {minutes} min"),
        (hours, _) => format!("{} days", hours / 24),
    }
}

fn write_flags(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    page.heading(format!("READ: {}", what_was_read(report)))?;
    flags(report, page.base()).iter().try_for_each(|sentence| page.sentence(sentence))
}

/// The files and rows that were read.
pub(in crate::triage) fn what_was_read(report: &Report) -> String {
    let totals = &report.totals;
    let omitted = match totals.omitted {
        0 => String::new(),
        omitted => format!(", {omitted} omitted"),
    };
    format!(
        "{} with {}: {}, {}{omitted}",
        counted(report.files.len() as u64, "file"),
        rows(totals.rows),
        counted(totals.failures, "failure"),
        counted(totals.results, "result"),
    )
}

/// What else there is to know about the rows and files. Paths leave out the folder `base`.
pub(in crate::triage) fn flags(report: &Report, base: &str) -> Vec<String> {
    let totals = &report.totals;
    let mut flags = Vec::new();
    for (count, what, example) in [
        (totals.unrouted, ("unrouted", words::UNROUTED), &report.unrouted_row),
        (totals.omitted - totals.unrouted, ("omitted", words::OMITTED), &report.omitted_row),
    ] {
        if let Some(example) = example {
            let ((word, meaning), row) = (what, omitted_row(example, base));
            flags.push(format!("{} {word}: {meaning}; {row}", rows(count)));
        }
    }
    for (count, word, meaning) in [
        (totals.masked, "masked", words::MASKED),
        (report.terminal, "terminal", words::TERMINAL),
        (report.is_final, "final", words::FINAL),
        (report.rejudgeable, "rejudgeable", words::REJUDGEABLE),
        (totals.degraded, "degraded", words::DEGRADED),
        (report.unidentified, "without task and rollout index", "in no figure of rollouts"),
    ] {
        if count > 0 {
            flags.push(format!("{} {word}: {meaning}", rows(count)));
        }
    }
    let of_captures = |count: fn(&CapturesReport) -> u64| -> u64 {
        report.runs.iter().filter_map(|run| run.captures.as_ref()).map(count).sum()
    };
    let incomplete = of_captures(|captures| captures.incomplete);
    if incomplete > 0 {
        let rows = rows(incomplete);
        flags.push(format!("{rows} whose captures of model calls were lost, in whole or in part"));
    }
    let malformed = of_captures(|captures| captures.malformed);
    if malformed > 0 {
        let lines = counted(malformed, "line");
        flags.push(format!("{lines} in captures of model calls could not be read"));
    }
    if totals.conflicts > 0 {
        let examples: Vec<_> = report.conflicts.iter().map(|found| conflict(found, base)).collect();
        let (rows, examples) = (rows(totals.conflicts), examples.join("; "));
        flags.push(format!("{rows} with two kind keys that disagree: {examples}"));
    }
    for ignored in &report.ignored {
        let count = counted(ignored.count, "value");
        let (field, json_type) = (ignored.field, ignored.r#type);
        flags.push(format!("{count} of {field} could not be used ({json_type})"));
    }
    for file in report.files.iter().filter(|file| file.truncated_last_line) {
        let path = below(base, &file.path);
        flags.push(format!("{path} ends in the middle of a line: an interrupted write"));
    }
    flags.extend(report.notes.iter().cloned());
    flags
}

/// ``a.jsonl:3: `judge_failed`, gone``
pub(super) fn omitted_row(row: &OmittedRow, base: &str) -> String {
    let OmittedRow { path, line, kind, reason } = row;
    let kind = kind.as_deref().map(|kind| format!("`{}`", quoted(kind)));
    let reason = reason.as_deref().map(|reason| Escaped(fit_reason(reason)).to_string());
    let facts: Vec<_> = kind.into_iter().chain(reason).collect();
    let colon = if facts.is_empty() { "" } else { ": " };
    format!("{}:{line}{colon}{}", below(base, path), facts.join(", "))
}

/// Enough of a reason for a sentence.
fn fit_reason(reason: &str) -> &str {
    const REASON: usize = 120;
    reason.char_indices().nth(REASON).map_or(reason, |(end, _)| &reason[..end])
}

/// ``a.jsonl:3 (`judge_failed`, `judge_timeout`)``
fn conflict(conflict: &Conflict, base: &str) -> String {
    let Conflict { path, line, names: [one, other] } = conflict;
    format!("{}:{line} (`{}`, `{}`)", below(base, path), quoted(one), quoted(other))
}

fn write_malformed(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    if report.totals.malformed == 0 {
        return Ok(());
    }
    page.heading(format!("MALFORMED LINES: {}", report.totals.malformed))?;
    for line in &report.malformed_lines {
        page.sentence(format!("{}:{}: {}", below(page.base(), &line.path), line.line, line.why))?;
    }
    Ok(())
}

/// The files that are hardly files of rows, each in a sentence.
pub(in crate::triage) fn doubts(report: &Report) -> Vec<String> {
    let files = report.files.iter().filter(|file| !file.is_inventory);
    let files = files.filter(|file| file.counts.malformed > file.counts.rows);
    let doubt = |file: &FileReport| {
        format!(
            "`{}` is probably not a file of rows: {} but {}; check the path",
            Escaped(&file.path),
            counted(file.counts.malformed, "malformed line"),
            rows(file.counts.rows)
        )
    };
    files.map(doubt).collect()
}

/// The files that were not read. Captures of model calls are read, though not as rows.
pub(in crate::triage) fn skipped(report: &Report) -> Vec<&SkippedFile> {
    let captures = report.runs.iter().filter_map(|run| run.captures.as_ref());
    let read =
        captures.filter(|captures| captures.joined + captures.incomplete + captures.malformed > 0);
    let read: HashSet<_> = read.filter_map(|captures| captures.folder.as_deref()).collect();
    let skipped = report.skipped_files.iter();
    skipped.filter(|file| !read.contains(&*file.path)).collect()
}

fn write_skipped(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let skipped = skipped(report);
    if skipped.is_empty() {
        return Ok(());
    }
    page.heading(format!("SKIPPED: {}", skipped.len()))?;
    for file in skipped.iter().take(SHOWN) {
        page.sentence(format!("{}: {}", below(page.base(), &file.path), Escaped(&file.why)))?;
    }
    match skipped.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => page.line(format!("  and {more} more; `--format json` has all")),
    }
}
