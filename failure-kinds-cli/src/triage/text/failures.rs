//! What failed: class, then kind, then stage.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use comfy_table::CellAlignment::{Left, Right};

use crate::page::{Columns, Page, bar, counted, fit, percent, quoted, rows};
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Example, Group, Report};

const COLUMNS: &Columns =
    &[("KIND, STAGE", Left), ("ROWS", Right), ("SHARE", Right), ("", Left), ("BY RULE", Left)];
/// What the columns take beside that of the kind and the bar.
const BESIDE: usize = 38;
/// How many kinds of a class are shown.
const SHOWN: usize = 25;
/// Where the details of a line start.
const INDENT: usize = 6;

pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let groups: Vec<&Group> = report.groups.iter().collect();
    let total = count(&groups);
    if total == 0 {
        return page.heading(no_failure(report));
    }
    let what = if report.classification.latest { "deciding failure rows" } else { "failure rows" };
    for (class, groups) in largest_first(&groups, |group| group.class) {
        let of_class = count(&groups);
        let server = groups.iter().filter(|group| group.server).map(|group| group.count).sum();
        let server = match server {
            0 => String::new(),
            server => format!(", {server} in the server subcategory"),
        };
        let percent = percent(of_class, total);
        page.heading(format!("{} {of_class} of {total} {what} ({percent}){server}", side(class)))?;
        write_class(&groups, total, page)?;
    }
    Ok(())
}

/// No failure is good news only when rows are there and count.
fn no_failure(report: &Report) -> String {
    let masked = match report.totals.masked {
        0 => String::new(),
        masked => format!(", {masked} of them masked"),
    };
    let missing = match report.runs.iter().filter_map(|run| run.rollouts.missing).sum() {
        0 => String::new(),
        missing => format!(", but {} left none", counted(missing, "expected rollout")),
    };
    format!("NO FAILURE in {}{masked}{missing}", rows(report.totals.rows))
}

/// How many rows there are in groups.
pub(super) fn count(groups: &[&Group]) -> u64 {
    groups.iter().map(|group| group.count).sum()
}

/// The row of groups to look at.
pub(super) fn example<'r>(groups: &[&'r Group]) -> Option<&'r Example> {
    groups.iter().filter_map(|group| group.example.as_ref()).min_by_key(|example| example.key())
}

/// The groups by a key, those with the most rows first, and then by the key.
pub(super) fn largest_first<'r, K: Ord>(
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

/// A class in words.
fn side(class: &str) -> &str {
    match class {
        "model" => "MODEL SIDE:",
        "evaluation" => "EVALUATION SIDE:",
        _ => "SIDE UNKNOWN:",
    }
}

fn write_class(groups: &[&Group], total: u64, page: &mut Page<'_>) -> io::Result<()> {
    let bar_width = (page.width / 7).clamp(8, 24);
    let name_width = page.width.saturating_sub(BESIDE + bar_width);
    let cells = |name: &str, groups: &[&Group], rules: String| {
        let count = count(groups);
        let share = percent(count, total);
        let bar = bar(count, total, bar_width);
        vec![fit(name, name_width).into_owned(), count.to_string(), share, bar, rules]
    };
    let kinds = largest_first(groups, |group| group.kind.as_deref());
    let mut lines = Vec::new();
    let mut details = Vec::new();
    for (kind, groups) in kinds.iter().take(SHOWN) {
        let name = kind.map_or("no kind".to_owned(), quoted);
        let stages = largest_first(groups, |group| group.stage);
        if let [(stage, _)] = &stages[..] {
            let name = stage.map_or(name.clone(), |stage| format!("{name}, {stage}"));
            lines.push(cells(&name, groups, rules(groups)));
            details.push(groups.clone());
            continue;
        }
        lines.push(cells(&name, groups, String::new()));
        details.push(Vec::new());
        for (stage, groups) in stages {
            let name = format!("  {}", stage.unwrap_or("no stage"));
            lines.push(cells(&name, &groups, rules(&groups)));
            details.push(groups);
        }
    }
    page.table(COLUMNS, lines, |page, row| write_details(&details[row], page))?;
    if kinds.len() > SHOWN {
        let rows: u64 = kinds[SHOWN..].iter().map(|(_, groups)| count(groups)).sum();
        let more = kinds.len() - SHOWN;
        page.line(format!("  and {more} more kinds with {rows} rows; `--format json` has all"))?;
    }
    Ok(())
}

fn rules(groups: &[&Group]) -> String {
    let rules = largest_first(groups, |group| group.rule);
    rules.iter().map(|(rule, _)| *rule).collect::<Vec<_>>().join(", ")
}

/// The recorded statuses, each with its label, and the first reason with its place.
fn write_details(groups: &[&Group], page: &mut Page<'_>) -> io::Result<()> {
    let statuses: Vec<String> = largest_first(groups, |group| group.http_label)
        .iter()
        .filter_map(|(label, groups)| statuses(*label, groups))
        .collect();
    if !statuses.is_empty() {
        page.detail(INDENT, format!("HTTP {}", statuses.join(" · ")))?;
    }
    if let Some(example) = example(groups) {
        let place = page.path(&format!("{}:{}", example.path, example.line), page.width / 2);
        let reason = Escaped(example.reason.as_deref().unwrap_or("(no reason is recorded)"));
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
