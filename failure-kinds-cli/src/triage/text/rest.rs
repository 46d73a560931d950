//! What else is to be known: names, quotas, flags, and files that were not what they should be.

use std::io;

use jiff::{SignedDuration, Timestamp};

use crate::page::{Page, counted, quoted, rows};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{QuotaReset, Report, SkippedFile};

/// How many names and files of a sort are shown.
const SHOWN: usize = 20;

pub(super) fn write(report: &Report, now: Timestamp, page: &mut Page<'_>) -> io::Result<()> {
    write_names(report, page)?;
    write_quota_resets(&report.quota_resets, now, page)?;
    write_flags(report, page)?;
    write_malformed(report, page)?;
    write_skipped(&report.skipped_files, page)
}

fn write_names(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let unregistered = report.unregistered.iter().map(|name| {
        let hint = match name.suggestion {
            Some(suggestion) => format!("did you mean `{suggestion}`?"),
            None => "no registered name is close to it".to_owned(),
        };
        (&*name.name, name.count, hint)
    });
    section("UNREGISTERED NAMES", &unregistered.collect::<Vec<_>>(), page)?;
    let legacy = report.legacy.iter().map(|name| {
        let hint = match (name.successor, name.hint) {
            (Some(successor), _) => format!("now `{successor}`"),
            (None, hint) => hint.unwrap_or_default().to_owned(),
        };
        (name.name, name.count, hint)
    });
    section("LEGACY LABELS", &legacy.collect::<Vec<_>>(), page)?;
    let gate_derived = report.gate_derived.iter().map(|(name, count)| {
        (*name, *count, "derived by an acceptance gate, no producer's kind".to_owned())
    });
    section("GATE-DERIVED CLASSES", &gate_derived.collect::<Vec<_>>(), page)
}

/// Names with their rows and what to know of them, if there are any.
fn section(heading: &str, names: &[(&str, u64, String)], page: &mut Page<'_>) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    page.heading(heading)?;
    for (name, count, hint) in names.iter().take(SHOWN) {
        page.sentence(format!("{count} × `{}`: {hint}", quoted(name)))?;
    }
    more(names.len(), page)
}

fn more(count: usize, page: &mut Page<'_>) -> io::Result<()> {
    if count <= SHOWN {
        return Ok(());
    }
    page.line(format!("  and {} more; `--format json` has all", count - SHOWN))
}

fn write_quota_resets(
    resets: &[QuotaReset],
    now: Timestamp,
    page: &mut Page<'_>,
) -> io::Result<()> {
    if resets.is_empty() {
        return Ok(());
    }
    page.heading("QUOTAS")?;
    for reset in resets.iter().filter(|reset| reset.unix > now.as_second()) {
        let wait = SignedDuration::from_secs(reset.unix - now.as_second());
        page.sentence(format!(
            "resets at {}, in {}: {}",
            minute(&reset.at),
            hours(wait),
            rows(reset.count)
        ))?;
    }
    let past: u64 =
        resets.iter().filter(|reset| reset.unix <= now.as_second()).map(|reset| reset.count).sum();
    if past > 0 {
        page.sentence(format!("{} named a reset that is past", rows(past)))?;
    }
    Ok(())
}

/// `2026-10-12 05:00 UTC`
fn minute(rfc3339: &str) -> String {
    rfc3339.replace('T', " ").replace(":00Z", " UTC")
}

fn hours(wait: SignedDuration) -> String {
    let minutes = (wait.as_secs() + 59) / 60;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) if hours < 48 => format!("{hours} h {minutes} min"),
        (hours, _) => format!("{} days", hours / 24),
    }
}

fn write_flags(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let totals = &report.totals;
    page.heading(format!(
        "READ: {} with {}, {} and {}",
        counted(report.files.len() as u64, "file"),
        rows(totals.rows),
        counted(totals.failures, "failure"),
        counted(totals.results, "result"),
    ))?;
    for (count, what) in [
        (totals.masked, "masked: left out of scores"),
        (report.terminal, "terminal: marked as final where they were written"),
        (totals.degraded, "degraded: failed, and measured all the same"),
        (totals.conflicts, "with two kind keys that disagree"),
        (report.unidentified, "without task and rollout index: in no figure of rollouts"),
    ] {
        if count > 0 {
            page.sentence(format!("{} {what}", rows(count)))?;
        }
    }
    for ignored in &report.ignored {
        page.sentence(format!(
            "{} with an unusable {} ({})",
            rows(ignored.count),
            ignored.field,
            ignored.r#type
        ))?;
    }
    for file in report.files.iter().filter(|file| file.truncated_last_line) {
        let path = Escaped(&file.path);
        page.sentence(format!("{path} ends in the middle of a line: an interrupted write"))?;
    }
    for note in &report.notes {
        page.sentence(note)?;
    }
    Ok(())
}

fn write_malformed(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    if report.totals.malformed == 0 {
        return Ok(());
    }
    page.heading(format!("MALFORMED LINES: {}", report.totals.malformed))?;
    for line in &report.malformed_lines {
        page.sentence(format!("{}:{}: {}", Escaped(&line.path), line.line, line.why))?;
    }
    Ok(())
}

fn write_skipped(skipped: &[SkippedFile], page: &mut Page<'_>) -> io::Result<()> {
    if skipped.is_empty() {
        return Ok(());
    }
    page.heading(format!("SKIPPED: {}", skipped.len()))?;
    for file in skipped.iter().take(SHOWN) {
        page.sentence(format!("{}: {}", Escaped(&file.path), Escaped(&file.why)))?;
    }
    more(skipped.len(), page)
}
