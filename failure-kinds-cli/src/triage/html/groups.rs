//! The groups of failure rows.

use std::collections::HashMap;

use failure_kinds_core::text::Escaped;
use failure_kinds_core::{Entry, resolve};
use failure_kinds_triage::{Group, Report, Unregistered};
use maud::{Markup, html};

use super::runs::run_name;
use super::{NO_STAGE, shown, sides, total};
use crate::html::{self, Bar, MANY, Side, name, sentence};
use crate::page::{counted, quoted, rows};
use crate::triage::text::rest::unregistered_hint;
use crate::triage::text::{below, calls};

/// How many groups a notebook shows.
const SHOWN: usize = 30;

pub(super) fn section(report: &Report, base: &str) -> Markup {
    let table = Table::new(report, base);
    let more = report.more_groups;
    let content = html! {
        div.filters.needs-script {
            button type="button" data-filter="" { "All " (rows(table.total)) }
            @for (side, count) in sides(report) {
                button type="button" data-filter={ "class=" (side.class) } { (side) " " (rows(count)) }
            }
            @let what = "Filter by name, reason or path";
            input type="search" placeholder=(what) aria-label=(what);
            p.shown role="status" {}
        }
        div.panel {
            table.groups.upright.many[!table.is_small] id="failures" {
                caption.hidden-text { "Failure rows of one class, kind, stage, HTTP label and rule" }
                thead {
                    tr {
                        th scope="col" data-column="class" data-sort="text" { "Side" }
                        th scope="col" data-column="kind" data-sort="text" { "Kind" }
                        th scope="col" data-column="stage" data-sort="text" { "Stage" }
                        th.n scope="col" data-column="rows" data-sort="number" { "Rows" }
                        th.n scope="col" data-column="rollouts" data-sort="number" { "Rollouts" }
                    }
                }
                @for group in &report.groups { (table.group(group)) }
            }
            @if more.groups > 0 {
                p.soft { (more.groups) " more groups with " (rows(more.count)) " are not listed." }
            }
        }
    };
    html::section("groups", "Groups of failure rows", &content)
}

/// The first groups, for a notebook.
pub(super) fn notebook(report: &Report) -> Markup {
    let more = report.groups.get(SHOWN..).unwrap_or_default();
    html! {
        table {
            thead {
                tr {
                    th { "Side" }
                    th { "Kind" }
                    th { "Stage" }
                    th { "HTTP" }
                    th { "Rows" }
                    th { "Rollouts" }
                }
            }
            tbody {
                @for group in report.groups.iter().take(SHOWN) {
                    tr {
                        td { (Side::named(group.class).word) }
                        td { (name(&shown(group.kind.as_deref()))) }
                        td { (group.stage.unwrap_or(NO_STAGE)) }
                        td { (group.http_label.unwrap_or("none")) }
                        td { (group.count) }
                        td { (group.rollouts) }
                    }
                }
            }
        }
        @if !more.is_empty() { p { (more.len()) " more groups are in " code { "groups" } "." } }
    }
}

/// What all groups share.
struct Table<'r> {
    report: &'r Report,
    base: &'r str,
    /// All failure rows.
    total: u64,
    /// Whether all groups are laid out at once.
    is_small: bool,
    unregistered: HashMap<&'r str, &'r Unregistered>,
    /// The place of the run of each file.
    run_of: HashMap<&'r str, usize>,
}

impl<'r> Table<'r> {
    fn new(report: &'r Report, base: &'r str) -> Self {
        let unregistered = report.unregistered.iter().map(|name| (&*name.name, name));
        let files = report.runs.iter().enumerate();
        let files =
            files.flat_map(|(place, run)| run.files.iter().map(move |file| (&**file, place)));
        Self {
            report,
            base,
            total: total(report),
            is_small: report.groups.len() <= MANY,
            unregistered: unregistered.collect(),
            run_of: files.collect(),
        }
    }

    fn group(&self, group: &Group) -> Markup {
        let side = Side::named(group.class);
        let run = self.only_run(group);
        html! {
            tbody.group
                data-class=(side.class)
                data-kind=[group.kind.as_deref().map(|kind| Escaped(kind).to_string())]
                data-stage=[group.stage]
                data-rule=(group.rule)
                data-label=[group.http_label]
                data-run=[run.as_deref()]
                data-rows=(group.count)
            {
                tr {
                    td class={ "tag " (side.class) } { (side.word) }
                    th scope="row" { (name(&shown(group.kind.as_deref()))) }
                    td { (group.stage.unwrap_or(NO_STAGE)) }
                    td.n { (group.count) }
                    td.n { (group.rollouts) }
                }
                tr {
                    td colspan="5" {
                        // Of many groups it is mostly too small to be seen.
                        @if self.is_small { (Bar::of_share(side.class, group.count, self.total)) }
                        p { (sentence(&(self.meaning(group) + &self.facts(group)))) }
                        (statuses(group))
                        (self.runs(group, run.is_none()))
                        @if let Some(line) = calls::line(self.report, &[group]) { p { "Rows by " (sentence(&line)) } }
                        (self.example(group))
                    }
                }
            }
        }
    }

    /// The run of the group, if it is the only one.
    fn only_run(&self, group: &Group) -> Option<String> {
        let mut runs = group.runs.keys();
        let run = match (runs.next(), runs.next()) {
            (Some(run), None) => Some(run),
            // Rows that decide no rollout are of the run of their example.
            (None, _) => group.example.as_ref().and_then(|example| self.run_of.get(&*example.path)),
            (Some(_), Some(_)) => None,
        };
        run.map(|run| Escaped(&self.report.runs[*run].path).to_string())
    }

    /// The rollouts of each run. Of one run there is nothing to tell apart.
    fn runs(&self, group: &Group, are_filters: bool) -> Markup {
        let Self { report, base, .. } = self;
        html! {
            @if report.runs.len() > 1 && !group.runs.is_empty() {
                ul.chips {
                    li { "Rollouts by run" }
                    @for (run, count) in &group.runs {
                        @let path = &report.runs[*run].path;
                        li data-run=[are_filters.then(|| Escaped(path).to_string())] {
                            (run_name(report, base, path)) "×" (count)
                        }
                    }
                }
            }
        }
    }

    fn example(&self, group: &Group) -> Markup {
        let Some(example) = &group.example else { return Markup::default() };
        let place = format!("{}:{}", Escaped(&example.path), example.line);
        html! {
            @if let Some(reason) = &example.reason {
                blockquote dir="auto" { (Escaped(reason).to_string()) }
            }
            p {
                code { (below(self.base, &example.path)) ":" (example.line) }
                button.copy type="button" data-copy=(place) aria-label={ "Copy " (place) } { "copy" }
            }
        }
    }

    /// What the name of a group says.
    fn meaning(&self, group: &Group) -> String {
        let Some(kind) = group.kind.as_deref() else {
            return "The rows name no kind.".to_owned();
        };
        match resolve(kind) {
            Entry::Registered(kind) => kind.summary.to_owned(),
            Entry::Extension { server, .. } => {
                format!("A kind of the server `{}` only.", quoted(server))
            }
            Entry::Legacy(legacy) => match legacy.successor() {
                Some(successor) => format!("A legacy label, now `{successor}`."),
                None => format!("A legacy label: {}.", legacy.hint().unwrap_or_default()),
            },
            Entry::GateDerived(class) => class.summary.to_owned(),
            Entry::Unregistered => match self.unregistered.get(kind) {
                Some(name) => {
                    format!("Not registered: {}.", unregistered_hint(name).trim_end_matches('?'))
                }
                None => "Not registered.".to_owned(),
            },
        }
    }

    /// What else is known about the rows of a group: sentences after the one with its meaning. Names
    /// are code only where that is affordable: of 10,000 groups, each element counts.
    fn facts(&self, group: &Group) -> String {
        let name = |name: &str| if self.is_small { format!("`{name}`") } else { name.to_owned() };
        let rule = name(group.rule);
        let label = group
            .http_label
            .map_or(String::new(), |label| format!(" HTTP label: {}.", name(label)));
        let counts = [
            (group.terminal, "terminal"),
            (group.is_final, "final"),
            (group.rejudgeable, "rejudgeable"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let flags: Vec<_> =
            counts.map(|(count, what)| format!("{} {what}", rows(*count))).collect();
        let flags =
            if flags.is_empty() { String::new() } else { format!(" {}.", flags.join(", ")) };
        let server = if group.server { " Server subcategory." } else { "" };
        let degraded = match group.degraded {
            0 => String::new(),
            count => format!(" {} degraded.", counted(count, "rollout")),
        };
        format!(" Rule: {rule}.{label}{flags}{degraded}{server}")
    }
}

fn statuses(group: &Group) -> Markup {
    html! {
        @if !group.http_statuses.is_empty() {
            ul.chips {
                li { "Rows by HTTP status" }
                @for (status, count) in &group.http_statuses { li { (status) "×" (count) } }
            }
        }
    }
}
