//! What failed: class, then kind, then stage.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use comfy_table::CellAlignment::{Left, Right};

use super::calls;
use crate::page::{Columns, Page, bar, column_width, counted, fit, percent, quoted, rows};
use failure_kinds::FailureClass;
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{ClassReport, Example, Group, Report};

const COLUMNS: &Columns =
    &[("KIND, STAGE", Left), ("ROWS", Right), ("SHARE", Right), ("", Left), ("BY RULE", Left)];
/// The column of the bars.
const BAR: usize = 3;
/// How many kinds of a class are shown.
const SHOWN: usize = 25;
/// Where the details of a line start.
const INDENT: usize = 6;

pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let total = report.classes.iter().map(|class| class.count).sum();
    if total == 0 {
        return page.heading(no_failure(report));
    }
    let what = if report.classification.latest { "deciding failure rows" } else { "failure rows" };
    for class in &report.classes {
        let server = match class.server {
            0 => String::new(),
            server => format!(", {server} in the server subcategory"),
        };
        let (count, percent) = (class.count, percent(class.count, total));
        let side = side(class.class);
        page.heading(format!("{side} {count} of {total} {what} ({percent}){server}"))?;
        write_class(report, class, total, page)?;
    }
    Ok(())
}

/// No failure is good news only if there are rows, and if they count.
pub(in crate::triage) fn no_failure(report: &Report) -> String {
    let totals = &report.totals;
    let parts = [(totals.masked, "masked"), (totals.omitted, "omitted")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!(", {count} of them {what}"));
    let missing = report.runs.iter().filter_map(|run| run.rollouts.missing).sum();
    let faults = [
        (missing, counted(missing, "expected rollout"), "left none"),
        (totals.malformed, counted(totals.malformed, "line"), "could not be read"),
    ];
    let faults = faults.into_iter().filter(|(count, ..)| *count > 0);
    let faults = faults.map(|(_, what, verb)| format!(", but {what} {verb}"));
    let rest: String = parts.chain(faults).collect();
    format!("NO FAILURE in {}{rest}", rows(totals.rows))
}

/// How many rows there are in groups.
pub(in crate::triage) fn count(groups: &[&Group]) -> u64 {
    groups.iter().map(|group| group.count).sum()
}

/// The row of groups to look at.
pub(super) fn example<'r>(groups: &[&'r Group]) -> Option<&'r Example> {
    groups.iter().filter_map(|group| group.example.as_ref()).min_by_key(|example| example.key())
}

/// The groups by a key, those with the most rows first, and then by the key.
pub(in crate::triage) fn largest_first<'r, K: Ord>(
    groups: &[&'r Group],
    key: impl Fn(&'r Group) -> K,
) -> Vec<(K, Vec<&'r Group>)> {
    let mut parts: BTreeMap<K, Vec<&Group>> = BTreeMap::new();
    for group in groups {
        parts.entry(key(group)).or_default().push(group);
    }
    let mut parts: Vec<_> = parts.into_iter().collect();
    parts.sort_by_key(|(_, groups)| Reverse(count(groups)));
    parts
}

/// The groups of a class.
pub(super) fn groups_of(report: &Report, class: FailureClass) -> Vec<&Group> {
    report.groups.iter().filter(|group| group.class == class.as_str()).collect()
}

/// A class in words.
const fn side(class: FailureClass) -> &'static str {
    match class {
        FailureClass::Model => "MODEL SIDE:",
        FailureClass::Evaluation => "EVALUATION SIDE:",
        _ => "SIDE UNKNOWN:",
    }
}

fn write_class(
    report: &Report,
    class: &ClassReport,
    total: u64,
    page: &mut Page<'_>,
) -> io::Result<()> {
    let bar_width = (page.width / 7).clamp(8, 24);
    let cells = |name: &str, groups: &[&Group], rules: String| {
        let count = count(groups);
        let bar = bar(count, total, bar_width);
        vec![name.to_owned(), count.to_string(), percent(count, total), bar, rules]
    };
    let groups = groups_of(report, class.class);
    let kinds = largest_first(&groups, |group| group.kind.as_deref());
    let mut lines = Vec::new();
    let mut details = Vec::new();
    for (kind, groups) in kinds.iter().take(SHOWN) {
        let name = kind.map_or("no kind".to_owned(), quoted);
        let stages = largest_first(groups, |group| group.stage);
        if let [(stage, _)] = &stages[..] {
            let name = stage.map_or(name.clone(), |stage| format!("{name}, {stage}"));
            lines.push(cells(&name, groups, rules(groups).join(", ")));
            details.push(groups.clone());
            continue;
        }
        lines.push(cells(&name, groups, String::new()));
        details.push(Vec::new());
        for (stage, groups) in stages {
            let name = format!("  {}", stage.unwrap_or("no stage"));
            lines.push(cells(&name, &groups, rules(&groups).join(", ")));
            details.push(groups);
        }
    }
    fit_names(&mut lines, page.width);
    page.table(COLUMNS, lines, |page, row| write_details(report, &details[row], page))?;
    let shown: u64 = kinds.iter().take(SHOWN).map(|(_, groups)| count(groups)).sum();
    if kinds.len() > SHOWN {
        let (kinds, rows) = (class.kinds - SHOWN as u64, rows(class.count - shown));
        page.line(format!("  and {kinds} more kinds with {rows}; {}", all_in_json(report)))?;
    }
    Ok(())
}

/// Where to find the rest of a list.
pub(super) fn all_in_json(report: &Report) -> String {
    match report.more_groups.groups + report.more_unregistered.names {
        0 => "`--format json` has all".to_owned(),
        _ => "`--format json` has the first 10,000".to_owned(),
    }
}

/// Shortens names, so that the lines of a table fit. Where too little of the names would be left,
/// there is no room for bars.
fn fit_names(lines: &mut [Vec<String>], width: usize) {
    const NAME: usize = 24;
    let room = |lines: &[Vec<String>]| {
        let taken = COLUMNS.iter().enumerate().skip(1).map(|(column, (name, _))| {
            column_width(name, lines.iter().map(|cells| &*cells[column]))
        });
        width.saturating_sub(taken.sum::<usize>() + 2)
    };
    if room(lines) < NAME {
        for cells in lines.iter_mut() {
            cells[BAR].clear();
        }
    }
    let room = room(lines).max(NAME / 2);
    for cells in lines {
        cells[0] = fit(&cells[0], room).into_owned();
    }
}

/// The rules that decide, the most frequent first.
pub(super) fn rules<'r>(groups: &[&'r Group]) -> Vec<&'r str> {
    largest_first(groups, |group| group.rule).into_iter().map(|(rule, _)| rule).collect()
}

/// The recorded statuses, each with its label, and the first reason with its place.
fn write_details(report: &Report, groups: &[&Group], page: &mut Page<'_>) -> io::Result<()> {
    let statuses: Vec<String> = largest_first(groups, |group| group.http_label)
        .iter()
        .filter_map(|(label, groups)| statuses(*label, groups))
        .collect();
    if !statuses.is_empty() {
        page.detail(INDENT, format!("HTTP {}", statuses.join(" · ")))?;
    }
    if let Some(calls) = calls::line(report, groups) {
        page.detail(INDENT, calls)?;
    }
    if let Some(example) = example(groups) {
        let place = page.path(&format!("{}:{}", example.path, example.line), page.width / 2);
        let no_reason = match report.more_groups.groups {
            0 => "(no reason is recorded)",
            // With this many groups most reasons are dropped.
            _ => "(no reason is kept)",
        };
        let reason = Escaped(example.reason.as_deref().unwrap_or(no_reason));
        page.detail_cut(INDENT, format!("{place}  {reason}"))?;
    }
    Ok(())
}

/// `502×9, 503×8 (http_gateway)`
fn statuses(label: Option<&str>, groups: &[&Group]) -> Option<String> {
    let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
    for (status, count) in groups.iter().flat_map(|group| &group.http_statuses) {
        *counts.entry(*status).or_default() += count;
    }
    let counts = counts.iter().map(|(status, count)| format!("{status}×{count}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let label = label.map_or(String::new(), |label| format!(" ({label})"));
    (!counts.is_empty()).then(|| format!("{counts}{label}"))
}
