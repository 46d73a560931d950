//! What to look at next.

use std::cmp::Reverse;
use std::io;

use super::calls;
use super::failures::{count, example, groups_of, largest_first};
use super::rest::omitted_row;
use crate::page::{Page, counted, quoted, rows};
use failure_kinds::FailureClass;
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Group, MalformedLine, Report, RunReport};

/// How many runs with missing, and with unexpected, rollouts are named.
const RUNS: usize = 3;
/// How many malformed lines of a run are named.
const LINES: usize = 3;
/// More distinct names than this seem to be built at run time.
const NAMES: usize = 1000;

/// Something to look at.
pub(in crate::triage) struct Next<'r> {
    /// Names in it are between backticks.
    pub(in crate::triage) sentence: String,
    /// The class and the kind of the groups that it is about.
    pub(in crate::triage) about: Option<(FailureClass, Option<&'r str>)>,
}

impl From<String> for Next<'_> {
    fn from(sentence: String) -> Self {
        Self { sentence, about: None }
    }
}

pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let next = next(report);
    if next.is_empty() {
        return Ok(());
    }
    page.heading("LOOK NEXT AT")?;
    next.iter().try_for_each(|next| page.sentence(&next.sentence))
}

/// What to look at, the most urgent first.
pub(in crate::triage) fn next(report: &Report) -> Vec<Next<'_>> {
    let mut next: Vec<Next<'_>> = Vec::new();
    next.extend(report.unrouted_row.as_ref().map(|row| {
        let rows = rows(report.totals.unrouted);
        format!("one failed request ended the whole run: {rows}, {}", omitted_row(row)).into()
    }));
    for (run, missing) in most(report, |run| run.rollouts.missing) {
        next.push(missing_rollouts(report, run, missing).into());
    }
    for (run, unexpected) in most(report, |run| run.rollouts.unexpected) {
        let unexpected = format!(
            "{} of `{}` that its inventory does not name: a file of an earlier run, or of another \
             one",
            counted(unexpected, "rollout"),
            Escaped(&run.path)
        );
        next.push(unexpected.into());
    }
    for class in &report.classes {
        let groups = groups_of(report, class.class);
        let kinds = largest_first(&groups, |group| group.kind.as_deref());
        next.extend(kinds.first().map(|(kind, groups)| Next {
            sentence: most_frequent(class.class, *kind, groups),
            about: Some((class.class, *kind)),
        }));
    }
    next.extend(calls::advice(report).map(Into::into));
    if report.totals.masked > 0 {
        let masked = format!(
            "{} of {} rows are masked, so left out of scores",
            report.totals.masked, report.totals.rows
        );
        next.push(masked.into());
    }
    next.extend(names(report).map(Into::into));
    next
}

/// The runs with the highest counts.
fn most(
    report: &Report,
    count: impl Fn(&RunReport) -> Option<u64>,
) -> impl Iterator<Item = (&RunReport, u64)> {
    let mut runs: Vec<_> = report
        .runs
        .iter()
        .filter_map(|run| Some((run, count(run).filter(|count| *count > 0)?)))
        .collect();
    runs.sort_by_key(|(_, count)| Reverse(*count));
    runs.into_iter().take(RUNS)
}

/// Missing rollouts, and why: a cause is only given if nothing that was read may hide them.
fn missing_rollouts(report: &Report, run: &RunReport, missing: u64) -> String {
    let rollouts = counted(missing, "rollout");
    let path = Escaped(&run.path);
    let cut = report.truncated(run).map_or(String::new(), |file| {
        format!("; `{}` ends in the middle of a row", Escaped(&file.path))
    });
    let hiding: Vec<_> =
        malformed_lines(report, run).into_iter().chain(unidentified(run)).collect();
    if hiding.is_empty() {
        return format!(
            "{rollouts} of `{path}` that left no row: killed, drained or never started{cut}"
        );
    }
    let hiding = hiding.join(" and ");
    format!("{rollouts} of `{path}` without a row that can be read: {hiding} may hold them{cut}")
}

/// `2 malformed lines (`a.jsonl`:3, `a.jsonl`:7)`
fn malformed_lines(report: &Report, run: &RunReport) -> Option<String> {
    let count = run.counts.malformed;
    let lines = report.malformed_lines.iter().filter(|line| run.files.contains(&line.path));
    let lines = lines.take(LINES);
    let lines: Vec<_> = lines
        .map(|MalformedLine { path, line, .. }| format!("`{}`:{line}", Escaped(path)))
        .collect();
    let lines = match lines.len() {
        0 => String::new(),
        _ => format!(" ({})", lines.join(", ")),
    };
    (count > 0).then(|| format!("{}{lines}", counted(count, "malformed line")))
}

fn unidentified(run: &RunReport) -> Option<String> {
    let count = run.unidentified;
    (count > 0).then(|| format!("{} without a usable task and rollout index", rows(count)))
}

/// The most frequent kind of a class.
fn most_frequent(class: FailureClass, kind: Option<&str>, groups: &[&Group]) -> String {
    let kind = match kind {
        Some(kind) => format!("`{}`", quoted(kind)),
        None => "failures without a kind".to_owned(),
    };
    let side = match class {
        FailureClass::Unknown => "side unknown",
        FailureClass::Model => "model side",
        FailureClass::Evaluation => "evaluation side",
        _ => class.as_str(),
    };
    let place = example(groups).map_or(String::new(), |example| {
        format!(", from {}:{}", Escaped(&example.path), example.line)
    });
    let call = calls::common_label(groups).unwrap_or_default();
    format!("{kind}, {side}, {}{call}{place}", rows(count(groups)))
}

/// Names that are not known, or too many to be a vocabulary.
fn names(report: &Report) -> Option<String> {
    let unregistered = report.unregistered_rows();
    if report.names > NAMES {
        return Some(format!(
            "{} distinct names of kinds, in {}: a name seems to be built at run time; let the \
             producer write a fixed name, and put the rest into the reason",
            report.names,
            rows(report.totals.failures)
        ));
    }
    (unregistered > 0).then(|| {
        let rows = rows(unregistered);
        format!("{rows} with names that are in no vocabulary: fix them where they are written")
    })
}
