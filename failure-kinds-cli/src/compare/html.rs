//! The comparison as a page for a browser.

use std::io::{self, Write};

use askama::Template;
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{By, Comparison, Row, SideReport, Word};

use super::text::{WORDS, detail, label, method, points, side, summary, verdict};
use crate::html::{Bar, Frame, Name, Part, Sentence, Side, heading};

/// Writes the page.
pub(super) fn write(comparison: &Comparison, stream: &mut dyn Write) -> io::Result<()> {
    Page::new(comparison)?.write_into(&mut { stream })
}

#[derive(Template)]
#[template(path = "compare.html")]
struct Page<'c> {
    frame: Frame,
    headline: String,
    notes: Vec<Sentence<'c>>,
    summary: Vec<Sentence<'c>>,
    sides: [SideView<'c>; 2],
    /// What a row is.
    what: &'static str,
    words: Vec<(&'static str, usize)>,
    classes: Vec<(Side, usize)>,
    /// The ends of the axis that all intervals are drawn on.
    axis: (String, String),
    rows: Vec<RowView<'c>>,
    legend: Sentence<'c>,
}

struct SideView<'c> {
    sentence: Sentence<'c>,
    bar: Bar,
}

struct RowView<'c> {
    row: &'c Row,
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
        let headline = heading(&verdict(comparison));
        let plain = |text: String| Sentence(text.into());
        let ends = comparison.rows.iter().flat_map(|row| row.interval).map(f64::abs);
        // At least a percentage point, so that equal sides have an axis too.
        let end = ends.fold(0.01, f64::max);
        Ok(Self {
            frame: Frame::new(format!("{headline} - failure-kinds compare"), comparison)?,
            headline,
            notes: comparison.notes.iter().map(|note| Sentence(note.into())).collect(),
            summary: [method(comparison)]
                .into_iter()
                .chain(summary(comparison))
                .map(plain)
                .collect(),
            sides: [("baseline", &comparison.baseline), ("current", &comparison.current)].map(
                |(which, report)| SideView {
                    sentence: plain(side(which, report)),
                    bar: bar(report),
                },
            ),
            what: match comparison.by {
                By::Kind => "Kind",
                By::KindAndStage => "Kind and stage",
                By::Class => "Side",
            },
            words: [Word::New, Word::Up, Word::Gone, Word::Down, Word::Same]
                .into_iter()
                .map(|word| {
                    (word.as_str(), comparison.rows.iter().filter(|row| row.word == word).count())
                })
                .filter(|(_, count)| *count > 0)
                .collect(),
            classes: Side::all()
                .into_iter()
                .map(|side| {
                    let of_side =
                        comparison.rows.iter().filter(|row| row.class == Some(side.class));
                    (side, of_side.count())
                })
                .filter(|(_, count)| *count > 0)
                .collect(),
            axis: (points(-end), points(end)),
            rows: comparison.rows.iter().map(|row| RowView::new(row, comparison, end)).collect(),
            legend: Sentence(WORDS.into()),
        })
    }
}

/// The rollouts of a side.
fn bar(side: &SideReport) -> Bar {
    Bar::new([
        Part::new("failed", "failed", side.failed),
        Part::new("passed", "not failed", side.seen.saturating_sub(side.failed)),
        Part::new("missing", "missing", side.missing.unwrap_or(0)),
    ])
}

impl<'c> RowView<'c> {
    fn new(row: &'c Row, comparison: &Comparison, end: f64) -> Self {
        // The axis keeps a margin, so that no mark is cut.
        let place = |difference: f64| format!("{:.2}", 50.0 + 48.0 * difference / end);
        let [from, to] = row.interval.map(place);
        Self {
            row,
            name: Name(label(row, comparison.by)),
            data_kind: row.kind.as_deref().map(|kind| Escaped(kind).to_string()),
            points: points(row.difference),
            detail: detail(row, comparison),
            from,
            to,
            at: place(row.difference),
            look: match row.word {
                Word::New | Word::Up => "worse",
                Word::Gone | Word::Down => "better",
                Word::Same => "same",
            },
        }
    }
}
