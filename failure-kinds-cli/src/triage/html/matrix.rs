//! The failure rows by kind and stage.

use failure_kinds_core::STAGES;
use failure_kinds_triage::{Group, Report};
use maud::{Markup, html};

use super::{ABSENT, NO_STAGE, data, shown, sides};
use crate::html::{self, Side, filter, name};
use crate::page::{rows, share};
use crate::triage::text::failures::{count, largest_first};

/// How many kinds the table shows.
const KINDS: usize = 25;

pub(super) fn section(report: &Report) -> Markup {
    let groups: Vec<&Group> = report.groups.iter().collect();
    let all = largest_first(&groups, |group| (group.kind.as_deref(), group.class));
    let more = all.get(KINDS..).unwrap_or_default();
    let more_rows: u64 = more.iter().map(|(_, groups)| count(groups)).sum();
    let panel = html! {
        div.panel {
            (table(&groups, &all))
            @if !more.is_empty() {
                p.soft { (more.len()) " more kinds with " (more_rows) " rows are among the groups below." }
            }
            ul.key {
                @for (side, count) in sides(report) {
                    li { span { (side) " side: " strong { (rows(count)) } " " small { (side.summary) } } }
                }
            }
        }
    };
    html::section("kinds", "Failure rows by kind and stage", &panel)
}

/// Groups of one kind and class.
type OfKind<'g> = ((Option<&'g str>, &'static str), Vec<&'g Group>);

fn table(groups: &[&Group], all: &[OfKind<'_>]) -> Markup {
    let total = count(groups);
    let occurs = |stage: Option<&str>| groups.iter().any(|group| group.stage == stage);
    let stages: Vec<Option<&str>> =
        [None].into_iter().chain(STAGES.map(Some)).filter(|stage| occurs(*stage)).collect();
    html! {
        table.matrix.upright {
            caption.hidden-text { "Failure rows by kind and stage" }
            thead {
                tr {
                    th scope="col" { "Kind" }
                    @for stage in &stages {
                        @let filter = filter(&[("stage", stage.unwrap_or(ABSENT))]);
                        th.n scope="col" {
                            a href="#groups" data-filter=(filter) { (stage.unwrap_or(NO_STAGE)) }
                        }
                    }
                    th.n scope="col" { "All rows" }
                }
            }
            tbody {
                @for ((kind, class), groups) in all.iter().take(KINDS) {
                    @let data = data(*kind);
                    @let side = Side::named(class);
                    tr class=(side.class) {
                        th scope="row" {
                            (side) " "
                            a href="#groups" data-filter=(filter(&[("class", class), ("kind", &data)])) { (name(&shown(*kind))) }
                        }
                        @for stage in &stages {
                            @let of_stage = groups.iter().filter(|group| group.stage == *stage);
                            @let count = of_stage.map(|group| group.count).sum();
                            @let stage = stage.unwrap_or(ABSENT);
                            (cell(count, total, &filter(&[("class", class), ("kind", &data), ("stage", stage)])))
                        }
                        td.n { (count(groups)) }
                    }
                }
            }
        }
    }
}

fn cell(count: u64, total: u64, filter: &str) -> Markup {
    let shade = share(count, total, 8).max(1);
    html! {
        @if count == 0 {
            td.zero { "·" }
        } @else {
            td class={ "s" (shade) } { a href="#groups" data-filter=(filter) { (count) } }
        }
    }
}
