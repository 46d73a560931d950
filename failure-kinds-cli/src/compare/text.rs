//! The comparison for people: whether to worry, about what, and how sure that is.

use std::io::{self, Write};
use std::iter;

use comfy_table::CellAlignment::{Left, Right};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{By, Changes, Comparison, MoreRows, Row, SideReport, Test, Word};

use crate::page::{Page, column_width, counted, fit, quoted};
use crate::terminal;
use crate::words::DEGRADED;

/// The column of names, which gives way.
const NAME: usize = 1;
/// The least that is shown of a name.
const NAME_WIDTH: usize = 16;

/// How many rows of each part of the table are shown.
const SHOWN: usize = 40;
/// How many rows of a direction the verdict names.
const NAMED: usize = 3;

/// The heading of what to know before the numbers.
pub(super) const CAVEATS: &str = "WHAT MAY DISTORT THIS COMPARISON";
/// The headings of the rows with a clear difference, and of those whose difference may be chance.
pub(super) const PARTS: [&str; 2] = ["CLEAR DIFFERENCES", "MAY BE CHANCE"];
/// The heading of [`LEGEND`].
pub(super) const READING: &str = "HOW TO READ THIS";

/// What the words and figures mean.
pub(super) const LEGEND: [&str; 4] = [
    "`new`: none in the baseline; `gone`: none in the current side. Whether that can be chance, p and q say",
    "`up` and `down`: a clear difference in the share of rollouts; `~`: one that may be chance, or none",
    "likely: the true difference is between these, in percentage points, with 95% confidence, if the \
     sides are taken as separate samples. Where this and q disagree, q decides",
    "p: how often chance alone makes a difference this large; q: p, corrected for looking at all rows \
     at once. A difference is clear if q is below 0.05; any other may be chance",
];

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
        page.heading(CAVEATS)?;
        comparison.notes.iter().try_for_each(|note| page.sentence(note))?;
    }
    page.heading(headline(comparison))?;
    for sentence in [Some(verdict(comparison)), unnoticed(comparison)].into_iter().flatten() {
        page.sentence(sentence)?;
    }
    page.heading("COMPARED")?;
    page.sentence(side("baseline", &comparison.baseline))?;
    page.sentence(side("current", &comparison.current))?;
    page.sentence(method(comparison))?;
    if !comparison.rows.is_empty() {
        page.sentence(what_counts(comparison))?;
    }
    for (title, rows) in PARTS.into_iter().zip(parts(comparison)) {
        table(title, &rows, comparison, page)?;
    }
    if let Some(more) = more_rows(&comparison.more_rows) {
        page.line(format!("  {more}"))?;
    }
    if comparison.rows.is_empty() {
        return Ok(());
    }
    page.heading(READING)?;
    LEGEND.iter().try_for_each(|sentence| page.sentence(sentence))
}

/// `5 of 7 rollouts failed, then 2 of 7 (-42.9 points)`
///
/// What is missing or degraded did not fail, so it is said too.
pub(super) fn headline(comparison: &Comparison) -> String {
    let sides = [&comparison.baseline, &comparison.current];
    let [before, now] = sides.map(|side| side.share(side.failed));
    let counts = [
        ("missing", sides.map(|side| side.missing.unwrap_or(0))),
        ("degraded", sides.map(|side| side.degraded)),
    ];
    let counts: Vec<_> = counts.iter().filter(|(_, counts)| *counts != [0, 0]).collect();
    let rest = |side: usize| {
        let parts = counts.iter().map(|(what, counts)| format!(", {} {what}", counts[side]));
        parts.collect::<Vec<_>>().concat()
    };
    let [before_rest, now_rest] = if counts.is_empty() {
        [",".to_owned(), String::new()]
    } else {
        [rest(0) + ";", format!(" failed{}", rest(1))]
    };
    format!(
        "{} of {} failed{before_rest} then {} of {}{now_rest} ({} points)",
        before.count(),
        counted(before.of(), "rollout"),
        now.count(),
        now.of(),
        points(now.value() - before.value())
    )
}

/// Whether anything is clearly worse or better, in a sentence.
pub(super) fn verdict(comparison: &Comparison) -> String {
    let [mut shown, others] = parts(comparison);
    // The largest differences first, in either direction.
    shown.sort_by(|one, other| other.difference.abs().total_cmp(&one.difference.abs()));
    let (more, less): (Vec<&Row>, Vec<&Row>) =
        shown.into_iter().partition(|row| row.difference > 0.0);
    let names = |rows: &[&Row]| {
        let mut names: Vec<_> =
            rows.iter().take(NAMED).map(|row| name(row, comparison.by)).collect();
        if rows.len() > NAMED {
            names.push(format!("{} more", rows.len() - NAMED));
        }
        let last = names.pop().unwrap_or_default();
        if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
    };
    match (more.is_empty(), less.is_empty()) {
        (true, true) if others.is_empty() => "No change: nothing failed on either side".to_owned(),
        (true, true) if others.iter().all(|row| row.difference == 0.0) => {
            "No change: the same shares on both sides".to_owned()
        }
        (true, true) => "No clear difference: whatever changed may be chance".to_owned(),
        (false, true) => format!("Worse: clearly more {}", names(&more)),
        (true, false) => format!("Better: clearly fewer {}", names(&less)),
        (false, false) => format!(
            "Worse and better: clearly more {}, but clearly fewer {}",
            names(&more),
            names(&less)
        ),
    }
}

/// The rows with a clear difference, and those whose difference may be chance.
pub(super) fn parts(comparison: &Comparison) -> [Vec<&Row>; 2] {
    let (shown, others) = comparison.rows.iter().partition(|row| row.is_shown());
    [shown, others]
}

/// What can hide where no difference is clear.
pub(super) fn unnoticed(comparison: &Comparison) -> Option<String> {
    let widest = comparison.rows.iter().flat_map(|row| row.interval).map(f64::abs);
    let widest = widest.max_by(f64::total_cmp)?;
    (!comparison.rows.iter().any(Row::is_shown)).then(|| {
        format!(
            "With this many rollouts, a true change of up to {:.0} percentage points can go \
             unnoticed",
            (100.0 * widest).ceil()
        )
    })
}

/// A side with its path and its counts, in a sentence.
fn side(which: &str, side: &SideReport) -> String {
    let SideReport { path, failed, degraded, omitted, missing, .. } = side;
    let others =
        [(*degraded, "degraded"), (*omitted, "omitted"), (missing.unwrap_or(0), "missing")];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others = others.map(|(count, what)| format!("{count} {what}"));
    let counts: Vec<_> = iter::once(format!("{failed} failed")).chain(others).collect();
    format!("{which}: `{}`, {}, {}", Escaped(path), seen(side), counts.join(", "))
}

/// `32 of 32 expected rollouts seen`
pub(super) fn seen(side: &SideReport) -> String {
    match side.expected {
        Some(expected) => format!("{} of {expected} expected rollouts seen", side.seen),
        None => {
            format!("{} seen, how many were expected is unknown", counted(side.seen, "rollout"))
        }
    }
}

/// What the counts of rows are of.
pub(super) fn what_counts(comparison: &Comparison) -> String {
    let degraded = match comparison.baseline.degraded + comparison.current.degraded {
        0 => String::new(),
        _ => format!(", and those that are degraded ({DEGRADED})"),
    };
    format!("Each row below counts the rollouts that failed in one way{degraded}")
}

/// How the sides are compared, and why.
pub(super) fn method(comparison: &Comparison) -> String {
    let test = match comparison.test {
        Test::Mcnemar => "McNemar's exact test",
        Test::SignFlip => "a sign-flip test",
        Test::Fisher => "Fisher's exact test",
    };
    match (&comparison.why_unpaired, comparison.changes) {
        (Some(why), _) => format!("Compared as two separate samples ({test}), since {why}"),
        (None, Some(Changes { recovered, newly_failed })) => format!(
            "Each rollout is compared with the one of the same input ({test}); of those with a row \
             on both sides, {} failed in the baseline and no longer do, {newly_failed} the other \
             way round",
            counted(recovered, "rollout")
        ),
        (None, None) => format!("Compared by {test}"),
    }
}

/// The rows that are not listed.
pub(super) fn more_rows(more: &MoreRows) -> Option<String> {
    (!more.is_empty()).then(|| {
        format!(
            "{} not listed: {} in the baseline, {} in the current side",
            counted(more.rows, "more row"),
            counted(more.baseline, "rollout"),
            more.current
        )
    })
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
    let columns = [
        ("", Left),
        (what(comparison.by), Left),
        ("BASELINE", Right),
        ("CURRENT", Right),
        ("POINTS", Right),
    ];
    let shown = &rows[..rows.len().min(SHOWN)];
    let mut cells: Vec<Vec<String>> = shown
        .iter()
        .map(|row| {
            let [baseline, current] = [row.baseline, row.current]
                .map(|side| format!("{} of {}", side.count(), side.of()));
            let word = row.word.as_str().to_owned();
            vec![word, label(row, comparison.by), baseline, current, points(row.difference)]
        })
        .collect();
    let others: usize = columns
        .iter()
        .enumerate()
        .filter(|(column, _)| *column != NAME)
        .map(|(column, (name, _))| column_width(name, cells.iter().map(|row| &*row[column])))
        .sum();
    let room = page.width.saturating_sub(others + 2).max(NAME_WIDTH);
    for row in &mut cells {
        row[NAME] = fit(&row[NAME], room).into_owned();
    }
    page.table(&columns, cells, |page, row| {
        let row = shown[row];
        let class = row.class.filter(|_| comparison.by != By::Class).map(side_of);
        let facts = class.into_iter().map(str::to_owned).chain([detail(row)]);
        page.detail(8, facts.collect::<Vec<_>>().join(" · "))
    })?;
    if rows.len() > shown.len() {
        let all = if comparison.more_rows.is_empty() { "all" } else { "the first 10,000" };
        let more = rows.len() - shown.len();
        page.line(format!("  and {more} more; `--format json` has {all}"))?;
    }
    Ok(())
}

/// What a row is, as the name of a column.
pub(super) const fn what(by: By) -> &'static str {
    match by {
        By::Kind => "KIND",
        By::KindAndStage => "KIND, STAGE",
        By::Class => "SIDE",
    }
}

/// How sure a row is.
pub(super) fn detail(row: &Row) -> String {
    let [lower, upper] = row.interval;
    let mut parts = vec![format!("likely {} to {} points", points(lower), points(upper))];
    if row.word == Word::New {
        let [_, upper] = row.baseline.interval();
        parts.push(format!("up to {:.1}% possible in the baseline", 100.0 * upper));
    }
    parts.push(probability("p", row.p));
    parts.push(probability("q", row.q));
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

/// The side of a class, in words.
fn side_of(class: &'static str) -> &'static str {
    if class == "unknown" { "side unknown" } else { class }
}

/// What a row is, in a sentence.
pub(super) fn name(row: &Row, by: By) -> String {
    let label = label(row, by);
    match row.class {
        Some(class) if by != By::Class => format!("`{label}` ({})", side_of(class)),
        _ => format!("`{label}`"),
    }
}

/// A difference in percentage points.
pub(super) fn points(difference: f64) -> String {
    let points = format!("{:+.1}", 100.0 * difference);
    if points == "-0.0" { "+0.0".to_owned() } else { points }
}

/// A probability in one word, so that no line breaks inside it.
fn probability(name: &str, p: f64) -> String {
    if p < 0.001 { format!("{name}<0.001") } else { format!("{name}={p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_breaks_inside_a_probability() {
        assert_eq!(probability("p", 0.000_999), "p<0.001");
        assert_eq!(probability("q", 0.001), "q=0.001");
        assert_eq!(probability("q", 1.0), "q=1.000");
    }

    #[test]
    fn points_have_a_sign() {
        assert_eq!(points(0.125), "+12.5");
        assert_eq!(points(-0.000_1), "+0.0");
        assert_eq!(points(-0.5), "-50.0");
    }
}
