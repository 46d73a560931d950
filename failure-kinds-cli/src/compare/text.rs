//! The comparison for people: whether to worry, about what, and how sure that is.

use std::io::{self, Write};

use comfy_table::CellAlignment::{Left, Right};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{By, Changes, Comparison, Row, Share, SideReport, Test, Word};

use crate::page::{Columns, Page, column_width, counted, fit, percent, quoted};
use crate::terminal;

const COLUMNS: &Columns =
    &[("", Left), ("KIND", Left), ("BASELINE", Right), ("CURRENT", Right), ("POINTS", Right)];
/// The column of names, which gives way.
const NAME: usize = 1;
/// The least that is shown of a name.
const NAME_WIDTH: usize = 16;

/// How many rows of each part of the table are shown.
const SHOWN: usize = 40;
/// How many rows the summary names.
const NAMED: usize = 5;

/// What the words mean.
pub(super) const WORDS: &str = "`up` and `down`: hardly by chance (q, the p adjusted for all rows by Benjamini and Hochberg, \
     is below 0.05); `new` and `gone`: none on the other side; `~`: no difference shown";

/// Writes the comparison as text.
pub(crate) fn write(comparison: &Comparison, stream: &mut dyn Write) -> io::Result<()> {
    write_page(comparison, &mut Page::new(stream, terminal::width(), String::new()))
}

/// Writes the same as Markdown, for the summary of a job.
pub(crate) fn write_markdown(comparison: &Comparison, stream: &mut dyn Write) -> io::Result<()> {
    write_page(comparison, &mut Page::markdown(stream, String::new()))
}

fn write_page(comparison: &Comparison, page: &mut Page<'_>) -> io::Result<()> {
    if !comparison.notes.is_empty() {
        page.heading("READ THIS FIRST")?;
        for note in &comparison.notes {
            page.sentence(note)?;
        }
    }
    page.heading(verdict(comparison))?;
    page.sentence(method(comparison))?;
    for sentence in summary(comparison) {
        page.sentence(sentence)?;
    }
    page.heading("COMPARED")?;
    page.sentence(side("baseline", &comparison.baseline))?;
    page.sentence(side("current", &comparison.current))?;
    page.sentence(WORDS)?;
    let rows = |words: [Word; 2]| -> Vec<&Row> {
        comparison.rows.iter().filter(|row| words.contains(&row.word)).collect()
    };
    table("NEW OR UP", &rows([Word::New, Word::Up]), comparison, page)?;
    table("GONE OR DOWN", &rows([Word::Gone, Word::Down]), comparison, page)?;
    table("NO DIFFERENCE SHOWN", &rows([Word::Same; 2]), comparison, page)
}

/// What a reader in a hurry needs.
pub(super) fn verdict(comparison: &Comparison) -> String {
    let (one, many) = match comparison.by {
        By::Kind => ("kind of failure", "kinds of failure"),
        By::KindAndStage => ("kind and stage of failure", "kinds and stages of failure"),
        By::Class => ("class of failure", "classes of failure"),
    };
    let counted = |count: u64| format!("{count} {}", if count == 1 { one } else { many });
    let [worse, better] = shown(comparison).map(|rows| rows.len() as u64);
    match (worse, better) {
        (0, 0) if comparison.rows.is_empty() => "NO CHANGE: nothing failed on either side".into(),
        (0, 0) if comparison.rows.iter().all(|row| row.difference == 0.0) => {
            "NO CHANGE: the same shares on both sides".into()
        }
        (0, 0) => "NO DIFFERENCE SHOWN: whatever changed can be chance".into(),
        (_, 0) => format!("WORSE: more of {}, hardly by chance", counted(worse)),
        (0, _) => format!("BETTER: less of {}, hardly by chance", counted(better)),
        _ => format!(
            "WORSE AND BETTER: more of {}, less of {better}, hardly by chance",
            counted(worse)
        ),
    }
}

/// The rows with more, and those with less, hardly by chance.
fn shown(comparison: &Comparison) -> [Vec<&Row>; 2] {
    let shown = |is_more: bool| {
        let rows = comparison.rows.iter().filter(|row| row.is_shown());
        rows.filter(|row| (row.difference > 0.0) == is_more).collect::<Vec<_>>()
    };
    let mut better = shown(false);
    better.sort_by(|one, other| one.difference.total_cmp(&other.difference));
    [shown(true), better]
}

/// The verdict in detail.
pub(super) fn summary(comparison: &Comparison) -> Vec<String> {
    let [worse, better] = shown(comparison);
    let mut sentences = Vec::new();
    for (what, rows) in [("more", &worse), ("less", &better)] {
        for row in rows.iter().take(NAMED) {
            sentences.push(format!(
                "{what}: {}, {} before, {} now",
                name(row, comparison.by),
                share(row.baseline),
                share(row.current)
            ));
        }
        if let Some(more @ 1..) = rows.len().checked_sub(NAMED) {
            sentences.push(format!("{what}: {}, see below", counted(more as u64, "other")));
        }
    }
    let uncertain =
        |word: Word| comparison.rows.iter().filter(move |row| row.word == word && !row.is_shown());
    for word in [Word::New, Word::Gone] {
        let names: Vec<_> =
            uncertain(word).take(NAMED).map(|row| name(row, comparison.by)).collect();
        if !names.is_empty() {
            let more = match uncertain(word).count() - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            sentences.push(format!(
                "{}, but perhaps by chance: {}{more}",
                word.as_str(),
                names.join(", ")
            ));
        }
    }
    let widest = comparison.rows.iter().flat_map(|row| row.interval).map(f64::abs);
    if worse.is_empty()
        && better.is_empty()
        && let Some(widest) = widest.max_by(f64::total_cmp)
    {
        sentences.push(format!(
            "with this many rollouts, a true change of up to {:.0} percentage points can go \
             unnoticed",
            (100.0 * widest).ceil()
        ));
    }
    sentences
}

pub(super) fn side(which: &str, side: &SideReport) -> String {
    let SideReport { path, expected, seen, failed, .. } = side;
    let path = Escaped(path);
    match expected {
        Some(expected) => format!(
            "{which}: `{path}`, {seen} of {expected} expected rollouts seen, {failed} failed"
        ),
        None => format!(
            "{which}: `{path}`, {seen} rollouts seen, {failed} failed; how many were expected is unknown"
        ),
    }
}

pub(super) fn method(comparison: &Comparison) -> String {
    let test = match comparison.test {
        Test::Mcnemar => "McNemar's exact test",
        Test::SignFlip => "the sign-flip test",
        Test::Fisher => "Fisher's exact test",
    };
    match (&comparison.why_unpaired, comparison.changes) {
        (Some(why), _) => format!("unpaired, since {why}: {test}"),
        (None, Some(Changes { recovered, newly_failed })) => format!(
            "paired by input: {test}; {} failed in the baseline and no longer do, {newly_failed} \
             the other way round",
            counted(recovered, "rollout")
        ),
        (None, None) => test.to_owned(),
    }
}

fn table(
    title: &str,
    rows: &[&Row],
    comparison: &Comparison,
    page: &mut Page<'_>,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    page.heading(title)?;
    let shown = &rows[..rows.len().min(SHOWN)];
    let mut cells: Vec<Vec<String>> = shown
        .iter()
        .map(|row| {
            let counts = [row.baseline, row.current]
                .map(|side| format!("{} of {}", side.count(), side.of()));
            let [baseline, current] = counts;
            vec![
                row.word.as_str().to_owned(),
                label(row, comparison.by),
                baseline,
                current,
                points(row.difference),
            ]
        })
        .collect();
    let others: usize = COLUMNS
        .iter()
        .enumerate()
        .filter(|(column, _)| *column != NAME)
        .map(|(column, (name, _))| column_width(name, cells.iter().map(|row| &*row[column])))
        .sum();
    let room = page.width.saturating_sub(others + 2).max(NAME_WIDTH);
    for row in &mut cells {
        row[NAME] = fit(&row[NAME], room).into_owned();
    }
    page.table(COLUMNS, cells, |page, row| page.detail(8, detail(shown[row], comparison)))?;
    if rows.len() > shown.len() {
        page.line(format!("  and {} more", rows.len() - shown.len()))?;
    }
    Ok(())
}

/// How sure a row is.
pub(super) fn detail(row: &Row, comparison: &Comparison) -> String {
    let mut parts = Vec::new();
    if let (Some(class), By::Kind | By::KindAndStage) = (row.class, comparison.by) {
        parts.push(class.to_owned());
    }
    let [lower, upper] = row.interval;
    parts.push(format!("95% interval {} to {}", points(lower), points(upper)));
    if row.word == Word::New {
        let [_, upper] = row.baseline.interval();
        parts.push(format!("at most {:.1}% in the baseline", 100.0 * upper));
    }
    parts.push(format!("p {}", probability(row.p)));
    parts.push(format!("q {}", probability(row.q)));
    parts.join(" · ")
}

/// What a row is, in a table.
pub(super) fn label(row: &Row, by: By) -> String {
    if by == By::Class
        && let Some(class) = row.class
    {
        return class.to_owned();
    }
    let kind = row.kind.as_deref().map_or_else(|| "(no kind)".to_owned(), quoted);
    match row.stage {
        Some(stage) => format!("{kind}, {stage}"),
        None => kind,
    }
}

/// What a row is, in a sentence.
pub(super) fn name(row: &Row, by: By) -> String {
    let label = label(row, by);
    match row.class {
        Some(class) if by != By::Class => format!("`{label}` ({class})"),
        _ => format!("`{label}`"),
    }
}

fn share(share: Share) -> String {
    format!("{} of {} ({})", share.count(), share.of(), percent(share.count(), share.of()))
}

/// A difference in percentage points.
pub(super) fn points(difference: f64) -> String {
    let points = format!("{:+.1}", 100.0 * difference);
    if points == "-0.0" { "+0.0".to_owned() } else { points }
}

fn probability(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}
