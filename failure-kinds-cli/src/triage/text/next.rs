//! What to look at next.

use std::cmp::Reverse;
use std::io;

use super::below;
use super::calls;
use super::failures::{count, example, groups_of, largest_first, rules};
use super::rest::omitted_row;
use crate::page::{Page, counted, quoted, rows};
use crate::words;
use failure_kinds::FailureClass;
use failure_kinds_core::listed;
use failure_kinds_triage::{ClassReport, Group, MalformedLine, Report, RunReport};

/// How many runs with missing, and with unexpected, rollouts are named.
const RUNS: usize = 3;
/// How many malformed lines of a run are named.
const LINES: usize = 3;
/// The start of a command that lists rollouts.
const SELECT: &str = "failure-kinds select … --where";
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

/// The order of the steps.
pub(in crate::triage) const ORDER: &str =
    "lost rollouts first, then the most frequent failure of each side";

pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let next = next(report, page.base());
    if next.is_empty() {
        return Ok(());
    }
    page.heading("LOOK NEXT AT")?;
    next.iter().try_for_each(|next| page.sentence(&next.sentence))?;
    page.sentence(format!("(in this order: {ORDER}; `failure-kinds explain NAME` explains a name)"))
}

/// What to look at, in that order. Paths leave out the folder `base`.
pub(in crate::triage) fn next<'r>(report: &'r Report, base: &str) -> Vec<Next<'r>> {
    let mut next: Vec<Next<'_>> = Vec::new();
    next.extend(report.unrouted_row.as_ref().map(|row| {
        let rows = rows(report.totals.unrouted);
        let row = omitted_row(row, base);
        format!("{}: {rows}, {row}; fix its cause first, then run again", words::UNROUTED).into()
    }));
    let missing = Most::new(report, |run| run.rollouts.missing);
    for (run, count) in missing.first {
        next.push(missing_rollouts(report, run, count, base).into());
    }
    if missing.more > 0 {
        let (rollouts, runs) =
            (counted(missing.rest, "rollout"), counted(missing.more, "more run"));
        next.push(format!("{rollouts} of {runs} without a row").into());
    }
    for (run, unexpected) in Most::new(report, |run| run.rollouts.unexpected).first {
        let unexpected = format!(
            "{} of `{}` that its inventory does not name: a file of an earlier run, or of another \
             one; move it away",
            counted(unexpected, "rollout"),
            below(base, &run.path)
        );
        next.push(unexpected.into());
    }
    let mut failures: Vec<_> = report
        .classes
        .iter()
        .filter_map(|class| {
            let groups = groups_of(report, class.class);
            let (kind, groups) =
                largest_first(&groups, |group| group.kind.as_deref()).into_iter().next()?;
            Some((class, kind, groups))
        })
        .collect();
    failures.sort_by_key(|(_, _, groups)| Reverse(count(groups)));
    next.extend(failures.into_iter().map(|(class, kind, groups)| Next {
        sentence: most_frequent(class, kind, &groups, base),
        about: Some((class.class, kind)),
    }));
    next.extend(calls::advice(report).map(Into::into));
    if report.totals.masked > 0 {
        let masked = format!(
            "{} of {} rows masked: {}; list the rollouts: `{SELECT} masked`",
            report.totals.masked,
            report.totals.rows,
            words::MASKED
        );
        next.push(masked.into());
    }
    next.extend(names(report).map(Into::into));
    next
}

/// The runs with the highest counts.
struct Most<'r> {
    first: Vec<(&'r RunReport, u64)>,
    /// How many more there are.
    more: u64,
    /// The sum of their counts.
    rest: u64,
}

impl<'r> Most<'r> {
    fn new(report: &'r Report, count: fn(&RunReport) -> Option<u64>) -> Self {
        let mut first: Vec<_> = report
            .runs
            .iter()
            .filter_map(|run| Some((run, count(run).filter(|count| *count > 0)?)))
            .collect();
        first.sort_by_key(|(_, count)| Reverse(*count));
        let more = first.split_off(first.len().min(RUNS));
        Self { first, more: more.len() as u64, rest: more.iter().map(|(_, count)| count).sum() }
    }
}

/// Missing rollouts, and why: a cause is only given if nothing that was read may hide them.
fn missing_rollouts(report: &Report, run: &RunReport, missing: u64, base: &str) -> String {
    let rollouts = counted(missing, "rollout");
    let path = below(base, &run.path);
    let cut = report.truncated(run).map_or(String::new(), |file| {
        format!("; `{}` ends in the middle of a line", below(base, &file.path))
    });
    let hiding: Vec<_> =
        malformed_lines(report, run, base).into_iter().chain(unidentified(run)).collect();
    if hiding.is_empty() {
        return format!(
            "{rollouts} of `{path}` that left no row: killed, drained or never started{cut}; run \
             them again: `{SELECT} missing --emit inputs`"
        );
    }
    let hiding = hiding.join(" and ");
    format!("{rollouts} of `{path}` without a row that can be read: {hiding} may hold them{cut}")
}

/// `2 malformed lines (`a.jsonl`:3, `a.jsonl`:7)`
fn malformed_lines(report: &Report, run: &RunReport, base: &str) -> Option<String> {
    let count = run.counts.malformed;
    let lines = report.malformed_lines.iter().filter(|line| run.files.contains(&line.path));
    let lines = lines.take(LINES);
    let lines: Vec<_> = lines
        .map(|MalformedLine { path, line, .. }| format!("`{}`:{line}", below(base, path)))
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

/// The most frequent kind of a class: how much of it, why it is there, and what to do.
fn most_frequent(class: &ClassReport, kind: Option<&str>, groups: &[&Group], base: &str) -> String {
    let what = match kind {
        Some(kind) => format!("`{}`", quoted(kind)),
        None => "no kind".to_owned(),
    };
    let side = match class.class {
        FailureClass::Unknown => "of unknown side",
        FailureClass::Model => "on the model side",
        FailureClass::Evaluation => "on the evaluation side",
        _ => class.class.as_str(),
    };
    let why = match rules(groups)[..] {
        [FALLBACK] => undecided(groups),
        [rule] => format!("by the rule `{rule}`"),
        ref rules => format!("by the rules {}", listed(rules.iter().copied())),
    };
    let call = calls::common_label(groups).unwrap_or_default();
    let read = example(groups).map_or(String::new(), |example| {
        let of = if example.decides { "" } else { ", of a rollout that another row decides" };
        format!("; read {}:{}{of}", below(base, &example.path), example.line)
    });
    let then = then(class.class, groups);
    format!("{} of {} {side}: {what}{call}; {why}{read}{then}", count(groups), rows(class.count))
}

/// What to do after reading an example.
fn then(class: FailureClass, groups: &[&Group]) -> String {
    let sum = |of: fn(&Group) -> u64| groups.iter().map(|group| of(group)).sum::<u64>();
    let unobserved =
        sum(|group| group.last_call.as_ref().map_or(0, |last_call| last_call.unobserved));
    match class {
        FailureClass::Unknown if unobserved > 0 => ", or save captures of model calls".to_owned(),
        // Later attempts replaced all of them.
        _ if sum(|group| group.rollouts) == 0 => String::new(),
        _ if sum(|group| group.rejudgeable) == count(groups) => {
            format!(", then judge them again: `{SELECT} rejudgeable --emit rows`")
        }
        _ => format!(", and list this side's failures with `{SELECT} failed,class={class}`"),
    }
}

/// The rule of rows that no other one decides.
const FALLBACK: &str = "fallback";

/// Why no rule decides.
fn undecided(groups: &[&Group]) -> String {
    let recorded = [
        ("kind", groups.iter().any(|group| group.kind.is_some())),
        ("stage", groups.iter().any(|group| group.stage.is_some())),
        ("HTTP status", groups.iter().any(|group| !group.http_statuses.is_empty())),
    ];
    let recorded: Vec<_> =
        recorded.iter().filter(|(_, is_recorded)| *is_recorded).map(|(what, _)| *what).collect();
    match recorded[..] {
        [] => "nothing that is recorded decides".to_owned(),
        [one] => format!("the {one} alone does not decide"),
        [one, other] => format!("neither {one} nor {other} decides"),
        _ => format!("none of {} decides", recorded.join(", ")),
    }
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
