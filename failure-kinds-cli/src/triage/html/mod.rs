//! The report as a page for a browser.

mod glossary;
mod groups;
mod matrix;
mod names;
mod runs;

use std::io::{self, Write};

use failure_kinds::FailureClass;
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Outcomes, Report, RolloutReport};
use maud::{Markup, html};

use super::text::failures::no_failure;
use super::text::next::{ORDER, next};
use super::text::rest::{doubts, flags, skipped, what_was_read};
use super::text::{WARNING, below, common_folder, runs::expected_in_part};
use crate::html::{self, Bar, Part, Side, filter, heading, items, section, sentence};
use crate::page::{counted, percent, quoted};
use crate::words;

/// The value of a filter for what is absent.
const ABSENT: &str = "none";
/// What is shown instead of an absent stage.
const NO_STAGE: &str = "no stage";

/// Writes the page. It depends on the report alone, and not on the time.
pub(crate) fn write(report: &Report, stream: &mut dyn Write) -> io::Result<()> {
    let base = common_folder(report);
    let title = format!("{}: {}", headline(report), title(base));
    html::write(&title, content(report, base), &footer(report), report, stream)
}

fn content(report: &Report, base: &str) -> Markup {
    let doubts = doubts(report);
    html! {
        h1 { (headline(report)) }
        @if !doubts.is_empty() {
            section.note aria-labelledby="warning" {
                h2 id="warning" { (heading(WARNING)) }
                ul { (items(&doubts)) }
            }
        }
        p.soft {
            "Read: " (read(report)) "."
            @if !base.is_empty() { " Paths below leave out " code { (Escaped(base).to_string()) } "." }
        }
        div.start { (rollouts(report)) (look_next(report, base)) }
        @if !report.groups.is_empty() {
            (matrix::section(report))
            (groups::section(report, base))
        }
        (runs::section(report, base))
        (names::section(report))
        (quota_resets(report))
        (rest(report, base))
        (glossary::section(report))
    }
}

/// How the failures were classified and counted.
fn footer(report: &Report) -> String {
    let how = &report.classification;
    let admitted = if how.admit_stage { "" } else { ", recorded stages not admitted" };
    let latest = if how.latest { ", deciding rows only" } else { "" };
    format!("Configuration {}{admitted}{latest}.", how.digest)
}

/// Writes the start of the page for a notebook: without a script and without a style.
pub(crate) fn write_notebook(report: &Report, stream: &mut dyn Write) -> io::Result<()> {
    let next = next(report, common_folder(report));
    let page = html! {
        div.failure-kinds {
            p { strong { (headline(report)) } ". Read: " (read(report)) "." }
            @if !next.is_empty() {
                p { "Look next at:" }
                ol { @for next in &next { li { (sentence(&next.sentence)) } } }
            }
            @if !report.groups.is_empty() { (groups::notebook(report)) }
        }
    };
    writeln!(stream, "{}", page.0)
}

/// What was read.
fn read(report: &Report) -> String {
    format!("{}, {}", counted(report.runs.len() as u64, "run"), what_was_read(report))
}

fn title(base: &str) -> String {
    match base.trim_end_matches('/') {
        "" => "failure triage".to_owned(),
        base => Escaped(base).to_string(),
    }
}

/// What a tired reader needs first.
fn headline(report: &Report) -> String {
    let RolloutReport { seen, failed, .. } = report.rollouts;
    match (report.totals.failures, failed) {
        (0, _) => heading(&no_failure(report)),
        (failures, _) if seen == 0 => counted(failures, "failure row"),
        _ => format!("{failed} of {} failed", counted(seen, "rollout")),
    }
}

/// What became of all rollouts.
fn rollouts(report: &Report) -> Markup {
    let RolloutReport { expected, seen, missing, failed, recovered, .. } = report.rollouts;
    let figure = |count: u64, what: &str, of: u64, of_what: &str| {
        let rollouts = if count == 1 { "rollout" } else { "rollouts" };
        let share = percent(count, of);
        (format!("{rollouts} {what}, of {of} {of_what} ({share})"), count.to_string())
    };
    // The two that a reader came for.
    let figures = [
        figure(failed, "failed", seen, "seen"),
        match missing.zip(expected) {
            Some((missing, expected)) => figure(missing, "missing", expected, "expected"),
            None => (format!("rollouts missing: {}", expected_in_part(report)), "?".to_owned()),
        },
    ];
    let all: Vec<_> = report.runs.iter().map(|run| &run.outcomes).collect();
    let bar = outcomes(&all, recovered);
    html! {
        section.panel aria-label="Rollouts" {
            dl.figures {
                @for (what, value) in &figures { div { dt { (what) } dd { (value) } } }
            }
            p { (all_rollouts(report)) "." }
            (bar)
            (bar.key())
        }
    }
}

/// What the bar of all rollouts is of.
fn all_rollouts(report: &Report) -> String {
    let RolloutReport { expected, unexpected, .. } = report.rollouts;
    let all: u64 = report.runs.iter().map(|run| run.outcomes.all()).sum();
    let all_of = match (expected, unexpected.unwrap_or(0)) {
        (Some(expected), 0) if expected == all => counted(all, "expected rollout"),
        (_, 0) => counted(all, "rollout"),
        (_, unexpected) => {
            let what = words::UNEXPECTED;
            format!("{}, {unexpected} of them unexpected ({what})", counted(all, "rollout"))
        }
    };
    format!("{all_of}, each in one part of the bar")
}

/// The bar of some rollouts.
fn outcomes(all: &[&Outcomes], recovered: u64) -> Bar {
    let sum = |count: fn(&Outcomes) -> u64| all.iter().map(|outcomes| count(outcomes)).sum();
    let sides = [FailureClass::Evaluation, FailureClass::Model, FailureClass::Unknown];
    let failed = sides.into_iter().map(|class| {
        let count = all.iter().filter_map(|outcomes| outcomes.failed.get(&class)).sum();
        let side = Side::named(class.as_str());
        let what = match class {
            FailureClass::Unknown => "failed, side unknown".to_owned(),
            _ => format!("failed on the {} side", side.class),
        };
        Part::new(side.class, what, count)
    });
    let passed_again = sum(|outcomes| outcomes.recovered);
    let degraded = Part::degraded(sum(|outcomes| outcomes.degraded));
    // A rollout can be degraded and recovered, and is in one part of the bar.
    let degraded = match recovered - passed_again {
        0 => degraded,
        both => degraded.meaning(format!("{}; {both} recovered so", words::DEGRADED)),
    };
    let others = [
        degraded,
        Part::new("recovered", "recovered", passed_again).meaning(words::RECOVERED),
        Part::passed(sum(|outcomes| outcomes.passed)),
        Part::omitted(sum(|outcomes| outcomes.omitted)),
        Part::missing(sum(|outcomes| outcomes.missing)),
    ];
    Bar::new(failed.chain(others))
}

/// What to look at first.
fn look_next(report: &Report, base: &str) -> Markup {
    let next = next(report, base);
    html! {
        @if !next.is_empty() {
            section.panel aria-labelledby="next" {
                h2 id="next" { "Look next at" }
                p.soft { "In this order: " (ORDER) "." }
                ol {
                    @for next in &next {
                        li {
                            (sentence(&next.sentence))
                            @if let Some((class, kind)) = next.about {
                                @let filter = filter(&[("class", class.as_str()), ("kind", &data(kind))]);
                                " " a.needs-script href="#groups" data-filter=(filter) { "Show" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What names are in attributes: like the text, without what nobody sees.
fn data(kind: Option<&str>) -> String {
    kind.map_or(ABSENT.to_owned(), |kind| Escaped(kind).to_string())
}

fn shown(kind: Option<&str>) -> String {
    kind.map_or("no kind".to_owned(), quoted)
}

/// All failure rows, listed or not.
fn total(report: &Report) -> u64 {
    report.classes.iter().map(|class| class.count).sum()
}

/// The failure rows of each side.
fn sides(report: &Report) -> [(Side, u64); 3] {
    Side::all().map(|side| {
        let of_side = report.classes.iter().filter(|class| class.class.as_str() == side.class);
        (side, of_side.map(|class| class.count).sum())
    })
}

fn quota_resets(report: &Report) -> Markup {
    let table = html! {
        div.panel {
            table {
                thead { tr { th scope="col" { "At" } th.n scope="col" { "Rows" } } }
                tbody {
                    @for reset in &report.quota_resets {
                        tr {
                            th scope="row" { time datetime=(reset.at) { (reset.at) } }
                            td.n { (reset.count) }
                        }
                    }
                }
            }
        }
    };
    html! {
        @if !report.quota_resets.is_empty() { (section("resets", "Resets of quotas", &table)) }
    }
}

/// What was not as it should be.
fn rest(report: &Report, base: &str) -> Markup {
    let malformed = report.malformed_lines.iter();
    let malformed: Vec<_> = malformed
        .map(|line| format!("{}:{}: {}", below(base, &line.path), line.line, line.why))
        .collect();
    let skipped: Vec<_> = skipped(report)
        .iter()
        .map(|file| format!("{}: {}", below(base, &file.path), Escaped(&file.why)))
        .collect();
    let count = report.totals.malformed;
    let parts = [
        ("flags", "Rows and files".to_owned(), flags(report, base)),
        ("malformed", format!("Malformed lines: {count}"), malformed),
        ("skipped", format!("Skipped: {}", skipped.len()), skipped),
    ];
    html! {
        @for (id, heading, sentences) in &parts {
            @if !sentences.is_empty() {
                (section(id, heading, &html! { ul.panel { (items(sentences)) } }))
            }
        }
    }
}
