//! The names that are not registered.

use failure_kinds_triage::Report;
use maud::{Markup, html};

use crate::html::{self, name, sentence};
use crate::page::{quoted, rows};
use crate::triage::text::rest::{GATE_DERIVED_HINT, legacy_hint, unregistered_hint};

/// How many unregistered names are shown. All of them are in the JSON, and among the groups.
const SHOWN: usize = 100;

pub(super) fn section(report: &Report) -> Markup {
    let unregistered = report
        .unregistered
        .iter()
        .take(SHOWN)
        .map(|name| (quoted(&name.name), "unregistered", unregistered_hint(name), name.count));
    let legacy = report
        .legacy
        .iter()
        .map(|name| (name.name.to_owned(), "a legacy label", legacy_hint(name), name.count));
    let gate_derived = report.gate_derived.iter().map(|(name, count)| {
        ((*name).to_owned(), "gate-derived", GATE_DERIVED_HINT.to_owned(), *count)
    });
    let names: Vec<_> = unregistered.chain(legacy).chain(gate_derived).collect();
    let panel = html! {
        div.panel {
            table id="unregistered" {
                thead {
                    tr {
                        th scope="col" data-column="name" data-sort="text" { "Name" }
                        th scope="col" data-column="state" data-sort="text" { "It is" }
                        th scope="col" { "Write instead" }
                        th.n scope="col" data-column="rows" data-sort="number" { "Rows" }
                    }
                }
                tbody {
                    @for (text, state, instead, count) in &names {
                        tr {
                            th scope="row" { (name(text)) }
                            td { (state) }
                            td.text { (sentence(instead)) }
                            td.n { (count) }
                        }
                    }
                }
            }
            @if let Some(more) = more(report) { p.soft { (more) } }
        }
    };
    html! {
        @if !names.is_empty() { (html::section("names", "Names that are not registered", &panel)) }
    }
}

/// The unregistered names that are not in the table.
fn more(report: &Report) -> Option<String> {
    let rest = report.unregistered.iter().skip(SHOWN);
    let more = rest.len() as u64 + report.more_unregistered.names;
    let count = rest.map(|name| name.count).sum::<u64>() + report.more_unregistered.count;
    (more > 0).then(|| format!("{more} more unregistered names in {}.", rows(count)))
}
