//! The comparison as a page for a browser.

use std::io::{self, Write};

use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{By, Comparison, Row, SideReport, Word};
use maud::{Markup, html};

use super::text::{
    CAVEATS, LEGEND, PARTS, READING, detail, headline, label, method, more_rows, parts, points,
    seen, unnoticed, verdict, what, what_counts,
};
use crate::html::{self, Bar, MANY, Part, Side, heading, items, name, section, sentence};
use crate::page::counted;

/// Writes the page.
pub(super) fn write(comparison: &Comparison, stream: &mut dyn Write) -> io::Result<()> {
    let title = format!("{} - failure-kinds compare", headline(comparison));
    html::write(&title, content(comparison), "", comparison, stream)
}

fn content(comparison: &Comparison) -> Markup {
    let [differences, others] = parts(comparison);
    let [differences_heading, others_heading] = PARTS.map(heading);
    let legend = LEGEND.map(|text| format!("{text}."));
    html! {
        h1 { (headline(comparison)) }
        @if !comparison.notes.is_empty() {
            section.note aria-labelledby="notes" {
                h2 id="notes" { (heading(CAVEATS)) }
                ul { (items(&comparison.notes)) }
            }
        }
        p.verdict { (sentence(&verdict(comparison))) "." }
        @if let Some(unnoticed) = unnoticed(comparison) { p.soft { (unnoticed) "." } }
        (sides(comparison))
        @if !comparison.rows.is_empty() { (filters(comparison)) }
        (table("differences", &differences_heading, &differences, comparison))
        (table("others", &others_heading, &others, comparison))
        @if let Some(more) = more_rows(&comparison.more_rows) { p.soft { (more) "." } }
        @if !comparison.rows.is_empty() {
            (section("reading", &heading(READING), &html! { ul.panel { (items(&legend)) } }))
        }
    }
}

fn sides(comparison: &Comparison) -> Markup {
    let sides = [("Baseline", &comparison.baseline), ("Current", &comparison.current)];
    html! {
        section.panel.sides aria-label="Compared sides" {
            @for (which, side) in sides {
                @let bar = bar(side);
                div {
                    h2 { (which) " " code { (Escaped(&side.path).to_string()) } }
                    p.soft { (seen(side)) }
                    (bar)
                    (bar.key())
                }
            }
            p.soft {
                (sentence(&method(comparison))) "."
                @if !comparison.rows.is_empty() { " " (what_counts(comparison)) "." }
            }
        }
    }
}

/// The rollouts of a side.
fn bar(side: &SideReport) -> Bar {
    let SideReport { seen, failed, degraded, omitted, missing, .. } = *side;
    Bar::new([
        Part::new("failed", "failed", failed),
        Part::degraded(degraded),
        Part::passed(seen.saturating_sub(failed + degraded)),
        Part::omitted(omitted),
        Part::missing(missing.unwrap_or(0)),
    ])
}

/// What shows some rows only.
fn filters(comparison: &Comparison) -> Markup {
    let count = |is_counted: &dyn Fn(&Row) -> bool| {
        let count = comparison.rows.iter().filter(|row| is_counted(row)).count();
        (count > 0).then(|| counted(count as u64, "row"))
    };
    html! {
        div.filters.needs-script {
            button type="button" data-filter="" { "All " (count(&|_| true).unwrap_or_default()) }
            @for word in [Word::New, Word::Up, Word::Gone, Word::Down, Word::Same] {
                @if let Some(count) = count(&|row| row.word == word) {
                    button type="button" data-filter={ "word=" (word.as_str()) } {
                        (word.as_str()) " " (count)
                    }
                }
            }
            @for side in Side::all() {
                @if let Some(count) = count(&|row| row.class == Some(side.class)) {
                    button type="button" data-filter={ "class=" (side.class) } { (side) " " (count) }
                }
            }
            input type="search" placeholder="Filter by name" aria-label="Filter by name";
            p.shown role="status" {}
        }
    }
}

/// A table of some of the rows.
fn table(id: &str, heading: &str, rows: &[&Row], comparison: &Comparison) -> Markup {
    let ends = comparison.rows.iter().flat_map(|row| row.interval).map(f64::abs);
    // At least a percentage point, so that equal sides have an axis too.
    let end = ends.fold(0.01, f64::max);
    html! {
        @if !rows.is_empty() {
            section.part aria-labelledby={ (id) "-heading" } {
                h2 id={ (id) "-heading" } { (heading) }
                div.panel {
                    table.groups.compared.upright.many[rows.len() > MANY] id=(id) {
                        caption.hidden-text {
                            "Rollouts of each row on both sides, with the difference of their shares in "
                            "percentage points"
                        }
                        thead {
                            tr {
                                th scope="col" data-column="word" data-sort="text" { "Change" }
                                th scope="col" data-column="kind" data-sort="text" {
                                    (html::heading(what(comparison.by)))
                                }
                                th.n scope="col" data-column="baseline" data-sort="number" { "Baseline" }
                                th.n scope="col" data-column="current" data-sort="number" { "Current" }
                                th.n scope="col" data-column="points" data-sort="number" { "Points" }
                            }
                            tr {
                                td colspan="5" {
                                    div.axis.soft aria-hidden="true" {
                                        span { (points(-end)) }
                                        span { "0" }
                                        span { (points(end)) " points" }
                                    }
                                }
                            }
                        }
                        @for row in rows { (self::row(row, comparison.by, end)) }
                    }
                }
            }
        }
    }
}

/// A row, with its interval on an axis that ends there.
fn row(row: &Row, by: By, end: f64) -> Markup {
    // A row by class is named by its side.
    let side = row.class.filter(|_| by != By::Class).map(Side::named);
    html! {
        tbody.group
            data-class=[row.class]
            data-kind=[row.kind.as_deref().map(|kind| Escaped(kind).to_string())]
            data-stage=[row.stage]
            data-word=(row.word.as_str())
        {
            tr {
                td { strong { (row.word.as_str()) } }
                th scope="row" {
                    @if let Some(side) = side { (side) " " }
                    (name(&label(row, by)))
                }
                td.n { (row.baseline.count()) small { " of " (row.baseline.of()) } }
                td.n { (row.current.count()) small { " of " (row.current.of()) } }
                td.n { (points(row.difference)) }
            }
            tr { td colspan="5" { (interval(row, end)) p { (detail(row)) } } }
        }
    }
}

fn interval(row: &Row, end: f64) -> Markup {
    // The axis keeps a margin, so that no mark is cut.
    let place = |difference: f64| format!("{:.2}%", 50.0 + 48.0 * difference / end);
    let [from, to] = row.interval.map(place);
    let look = match row.is_shown() {
        true if row.difference > 0.0 => "worse",
        true => "better",
        false => "same",
    };
    html! {
        svg.interval aria-hidden="true" {
            line.zero x1="50%" x2="50%" y1="0" y2="100%" {}
            line.reach x1=(from) x2=(to) y1="50%" y2="50%" {}
            circle class=(look) cx=(place(row.difference)) cy="50%" r="4" {}
        }
    }
}
