//! The comparison as a page for a browser.

use std::io::{self, Write};

use askama::Template;
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{By, Comparison, Row, SideReport, Word};

use super::text::{
    CAVEATS, LEGEND, PARTS, READING, detail, headline, label, method, more_rows, parts, points,
    seen, unnoticed, verdict, what, what_counts,
};
use crate::html::{Bar, Frame, Name, Part, Sentence, Side, heading};
use crate::page::counted;

/// Writes the page.
pub(super) fn write(comparison: &Comparison, stream: &mut dyn Write) -> io::Result<()> {
    Page::new(comparison)?.write_into(&mut { stream })
}

#[derive(Template)]
#[template(path = "compare.html")]
struct Page<'c> {
    frame: Frame,
    headline: String,
    verdict: Sentence<'c>,
    unnoticed: Option<String>,
    caveats: String,
    notes: Vec<Sentence<'c>>,
    sides: [SideView; 2],
    method: Sentence<'c>,
    what_counts: String,
    /// What a row is.
    what: String,
    /// The number of rows; empty if there is none.
    all: String,
    words: Vec<(&'static str, String)>,
    classes: Vec<(Side, String)>,
    /// The ends of the axis that all intervals are drawn on.
    axis: (String, String),
    /// The rows with a clear difference, and the others.
    parts: [Rows<'c>; 2],
    more_rows: Option<String>,
    reading: String,
    legend: Vec<Sentence<'c>>,
}

struct SideView {
    which: &'static str,
    path: String,
    seen: String,
    bar: Bar,
}

/// A table of rows.
struct Rows<'c> {
    id: &'static str,
    heading: String,
    rows: Vec<RowView<'c>>,
}

struct RowView<'c> {
    row: &'c Row,
    /// Its side, unless its name says it.
    side: Option<Side>,
    name: Name,
    data_kind: Option<String>,
    points: String,
    detail: String,
    /// Where the interval starts and ends, and the difference, in percent of the axis.
    from: String,
    to: String,
    at: String,
    look: &'static str,
}

impl<'c> Page<'c> {
    fn new(comparison: &'c Comparison) -> io::Result<Self> {
        let headline = headline(comparison);
        let ends = comparison.rows.iter().flat_map(|row| row.interval).map(f64::abs);
        // At least a percentage point, so that equal sides have an axis too.
        let end = ends.fold(0.01, f64::max);
        let count = |is_counted: &dyn Fn(&Row) -> bool| {
            let count = comparison.rows.iter().filter(|row| is_counted(row)).count();
            (count > 0).then(|| counted(count as u64, "row"))
        };
        let [shown, others] = parts(comparison)
            .map(|rows| rows.into_iter().map(|row| RowView::new(row, comparison, end)).collect());
        let [shown_heading, others_heading] = PARTS.map(heading);
        Ok(Self {
            frame: Frame::new(format!("{headline} - failure-kinds compare"), comparison)?,
            headline,
            verdict: Sentence(verdict(comparison).into()),
            unnoticed: unnoticed(comparison),
            caveats: heading(CAVEATS),
            notes: comparison.notes.iter().map(|note| Sentence(note.into())).collect(),
            sides: [("Baseline", &comparison.baseline), ("Current", &comparison.current)].map(
                |(which, side)| SideView {
                    which,
                    path: Escaped(&side.path).to_string(),
                    seen: seen(side),
                    bar: bar(side),
                },
            ),
            method: Sentence(method(comparison).into()),
            what_counts: what_counts(comparison),
            what: heading(what(comparison.by)),
            all: count(&|_| true).unwrap_or_default(),
            words: [Word::New, Word::Up, Word::Gone, Word::Down, Word::Same]
                .into_iter()
                .filter_map(|word| Some((word.as_str(), count(&|row| row.word == word)?)))
                .collect(),
            classes: Side::all()
                .into_iter()
                .filter_map(|side| Some((side, count(&|row| row.class == Some(side.class))?)))
                .collect(),
            axis: (points(-end), points(end)),
            parts: [
                Rows { id: "differences", heading: shown_heading, rows: shown },
                Rows { id: "others", heading: others_heading, rows: others },
            ],
            more_rows: more_rows(&comparison.more_rows),
            reading: heading(READING),
            legend: match comparison.rows.len() {
                0 => Vec::new(),
                _ => LEGEND.map(|sentence| Sentence(sentence.into())).into(),
            },
        })
    }
}

/// The rollouts of a side.
fn bar(side: &SideReport) -> Bar {
    let SideReport { seen, failed, degraded, omitted, missing, .. } = *side;
    Bar::new([
        Part::new("failed", "failed", failed),
        Part::degraded(degraded),
        Part::new("passed", "passed", seen.saturating_sub(failed + degraded)),
        Part::omitted(omitted),
        Part::missing(missing.unwrap_or(0)),
    ])
}

impl<'c> RowView<'c> {
    fn new(row: &'c Row, comparison: &Comparison, end: f64) -> Self {
        // The axis keeps a margin, so that no mark is cut.
        let place = |difference: f64| format!("{:.2}", 50.0 + 48.0 * difference / end);
        let [from, to] = row.interval.map(place);
        Self {
            row,
            side: row.class.filter(|_| comparison.by != By::Class).map(Side::named),
            name: Name(label(row, comparison.by)),
            data_kind: row.kind.as_deref().map(|kind| Escaped(kind).to_string()),
            points: points(row.difference),
            detail: detail(row),
            from,
            to,
            at: place(row.difference),
            look: match row.is_shown() {
                true if row.difference > 0.0 => "worse",
                true => "better",
                false => "same",
            },
        }
    }
}
