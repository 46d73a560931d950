//! The report: computed once, rendered in several forms.

pub(super) mod csv;
pub(super) mod json;
pub(super) mod text;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use failure_kinds::{Evidence, FailureClassificationConfig, FailureStage, HttpEvidence};
use failure_kinds_core::{Entry, resolve, suggest};
use serde::Serialize;

use super::inputs::Skipped;
use super::rollouts::RolloutCounts;
use super::tally::{self, At, Counts, Tally};
use crate::escape::{Escaped, path_text};
use crate::terminal;

/// The report. What is not serialised is for people only.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) files: Vec<FileReport>,
    pub(super) skipped_files: Vec<SkippedFile>,
    pub(super) totals: Counts,
    pub(super) runs: Vec<RunReport>,
    pub(super) rollouts: RolloutReport,
    pub(super) ignored: Vec<Ignored>,
    pub(super) groups: Vec<Group>,
    pub(super) unregistered: Vec<Unregistered>,
    pub(super) legacy: Vec<Legacy>,
    pub(super) quota_resets: Vec<QuotaReset>,
    #[serde(skip)]
    pub(super) gate_derived: Vec<(String, u64)>,
    /// Failure rows that say of themselves that they are final.
    #[serde(skip)]
    pub(super) terminal: u64,
    /// The first malformed lines.
    #[serde(skip)]
    pub(super) malformed_lines: Vec<MalformedLine>,
    /// What else is to be known of single files, as sentences.
    #[serde(skip)]
    pub(super) notes: Vec<String>,
    /// Rows that name no rollout.
    #[serde(skip)]
    pub(super) unidentified: u64,
    /// Whether the groups count deciding rows only.
    #[serde(skip)]
    pub(super) latest: bool,
}

/// A file that was read.
#[derive(Debug, Serialize)]
pub(super) struct FileReport {
    pub(super) path: String,
    #[serde(flatten)]
    pub(super) counts: Counts,
    pub(super) truncated_last_line: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct SkippedFile {
    pub(super) path: String,
    pub(super) why: String,
}

#[derive(Debug, Serialize)]
pub(super) struct RunReport {
    pub(super) path: String,
    #[serde(flatten)]
    pub(super) rollouts: RolloutReport,
    /// The paths of its files.
    #[serde(skip)]
    pub(super) files: Vec<String>,
    /// What its files hold.
    #[serde(skip)]
    pub(super) counts: Counts,
}

/// What became of rollouts. Without an inventory nobody knows how many there should be.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct RolloutReport {
    pub(super) expected: Option<u64>,
    pub(super) seen: u64,
    pub(super) missing: Option<u64>,
    pub(super) failed: u64,
    pub(super) degraded: u64,
    pub(super) recovered: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Ignored {
    pub(super) field: &'static str,
    pub(super) r#type: &'static str,
    pub(super) count: u64,
}

/// Failure rows of one class, kind, stage, HTTP label and rule.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    pub(super) class: &'static str,
    pub(super) kind: Option<String>,
    pub(super) registry: &'static str,
    pub(super) stage: Option<&'static str>,
    pub(super) http_label: Option<&'static str>,
    pub(super) rule: &'static str,
    pub(super) server: bool,
    pub(super) count: u64,
    pub(super) terminal: u64,
    pub(super) http_statuses: BTreeMap<u16, u64>,
    #[serde(skip)]
    pub(super) example: Option<Example>,
}

/// A row of a group to look at.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) path: String,
    pub(super) line: u64,
    /// The start of its reason, as it was written.
    pub(super) reason: Option<String>,
    /// Of several examples the one of the smallest rank is shown.
    pub(super) rank: (bool, At),
}

#[derive(Debug, Serialize)]
pub(super) struct Unregistered {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) suggestion: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Legacy {
    pub(super) name: &'static str,
    pub(super) count: u64,
    pub(super) state: &'static str,
    pub(super) successor: Option<&'static str>,
    pub(super) hint: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct QuotaReset {
    pub(super) at: String,
    pub(super) unix: i64,
    pub(super) count: u64,
}

/// A line that is no row.
#[derive(Debug)]
pub(super) struct MalformedLine {
    pub(super) path: String,
    pub(super) line: u64,
    pub(super) why: String,
}

/// What was read, before it is put in the order of the report.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) files: Vec<FileReport>,
    pub(super) runs: Vec<RunReport>,
    pub(super) tally: Tally,
    pub(super) notes: Vec<String>,
    /// The path of each file by its number.
    pub(super) paths: Vec<String>,
}

/// How failures are put on a side and counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'c> {
    pub(super) config: &'c FailureClassificationConfig,
    /// Whether the recorded stage was admitted by the caller.
    pub(super) admit_stage: bool,
    /// Whether the groups count deciding rows only.
    pub(super) latest: bool,
}

impl Report {
    /// The report of what was read.
    pub(super) fn new(seen: Seen, skipped: Vec<Skipped>, terms: Terms<'_>) -> Self {
        let Seen { mut files, runs, tally, notes, paths } = seen;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let names = names(&tally);
        let mut totals = Counts::default();
        for file in &files {
            totals.add(&file.counts);
        }
        Self {
            totals,
            rollouts: RolloutReport::of_all(&runs),
            ignored: tally
                .ignored()
                .map(|(field, r#type, count)| Ignored {
                    field: field.as_str(),
                    r#type: r#type.as_str(),
                    count,
                })
                .collect(),
            groups: groups(&tally, &paths, terms),
            unregistered: names.unregistered,
            legacy: names.legacy,
            gate_derived: names.gate_derived,
            quota_resets: tally
                .quota_resets
                .iter()
                .map(|(&unix, &count)| QuotaReset { at: rfc3339(unix), unix, count })
                .collect(),
            terminal: tally
                .cells()
                .filter(|(_, evidence, _)| evidence.terminal)
                .map(|(_, _, cell)| cell.rows)
                .sum(),
            malformed_lines: tally
                .malformed
                .iter()
                .map(|(at, why)| MalformedLine {
                    path: paths[at.file as usize].clone(),
                    line: at.line,
                    why: why.to_string(),
                })
                .collect(),
            unidentified: tally.unidentified,
            skipped_files: skipped
                .into_iter()
                .map(|skipped| SkippedFile {
                    path: path_text(&skipped.path).into_owned(),
                    why: skipped.why.into_owned(),
                })
                .collect(),
            files,
            runs,
            notes,
            latest: terms.latest,
        }
    }
}

impl Report {
    /// A file of a run that ends in the middle of a line.
    pub(super) fn truncated(&self, run: &RunReport) -> Option<&FileReport> {
        self.files.iter().find(|file| file.truncated_last_line && run.files.contains(&file.path))
    }

    /// Tells on standard error what the forms for programs have no place for.
    pub(super) fn tell_notes(&self) {
        for MalformedLine { path, line, why } in &self.malformed_lines {
            terminal::warning(&format_args!("{}:{line}: {why}", Escaped::new(path)));
        }
        for note in &self.notes {
            terminal::warning(note);
        }
    }
}

impl RolloutReport {
    pub(super) fn new(counts: RolloutCounts, has_inventory: bool) -> Self {
        Self {
            expected: has_inventory.then_some(counts.expected),
            seen: counts.seen,
            missing: has_inventory.then_some(counts.missing),
            failed: counts.failed,
            degraded: counts.degraded,
            recovered: counts.recovered,
        }
    }

    fn of_all(runs: &[RunReport]) -> Self {
        let sum = |count: fn(&Self) -> u64| runs.iter().map(|run| count(&run.rollouts)).sum();
        let sum_if_known =
            |count: fn(&Self) -> Option<u64>| runs.iter().map(|run| count(&run.rollouts)).sum();
        Self {
            expected: sum_if_known(|rollouts| rollouts.expected),
            seen: sum(|rollouts| rollouts.seen),
            missing: sum_if_known(|rollouts| rollouts.missing),
            failed: sum(|rollouts| rollouts.failed),
            degraded: sum(|rollouts| rollouts.degraded),
            recovered: sum(|rollouts| rollouts.recovered),
        }
    }
}

/// The groups of the failure rows, the largest first.
fn groups(tally: &Tally, paths: &[String], terms: Terms<'_>) -> Vec<Group> {
    let mut groups: HashMap<GroupKey<'_>, (Group, Option<&tally::Example>)> = HashMap::new();
    for (kind, evidence, cell) in tally.cells() {
        let count = if terms.latest { cell.deciding } else { cell.rows };
        if count == 0 {
            continue;
        }
        let mut given =
            Evidence::new().kind(kind).stage(evidence.stage).http_status(&evidence.http_status);
        if terms.admit_stage {
            given = given.admit_stage();
        }
        let class = terms.config.classify(&given);
        let key = GroupKey {
            class: class.class.as_str(),
            kind,
            stage: evidence.stage.map(FailureStage::as_str),
            http_label: class.http.map(HttpEvidence::as_str),
            rule: class.rule.as_str(),
        };
        let (group, example) =
            groups.entry(key).or_insert_with(|| (Group::new(&key, class.server), None));
        group.count += count;
        if evidence.terminal {
            group.terminal += count;
        }
        if let Some(status) = evidence.http_status {
            *group.http_statuses.entry(status).or_default() += count;
        }
        *example = tally::first(*example, cell.example.as_ref());
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by(|(one_key, (one, _)), (other_key, (other, _))| {
        other.count.cmp(&one.count).then_with(|| one_key.cmp(other_key))
    });
    groups
        .into_iter()
        .map(|(_, (group, example))| Group {
            example: example.map(|example| Example {
                path: paths[example.at.file as usize].clone(),
                line: example.at.line,
                reason: example.reason.as_deref().map(str::to_owned),
                rank: example.rank(),
            }),
            ..group
        })
        .collect()
}

/// What makes a group, in the order that groups are sorted by: null first, then by bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct GroupKey<'t> {
    class: &'static str,
    kind: Option<&'t str>,
    stage: Option<&'static str>,
    http_label: Option<&'static str>,
    rule: &'static str,
}

impl Group {
    fn new(key: &GroupKey<'_>, server: bool) -> Self {
        Self {
            class: key.class,
            kind: key.kind.map(str::to_owned),
            registry: key.kind.map_or("absent", |kind| resolve(kind).as_str()),
            stage: key.stage,
            http_label: key.http_label,
            rule: key.rule,
            server,
            count: 0,
            terminal: 0,
            http_statuses: BTreeMap::new(),
            example: None,
        }
    }
}

/// The observed names that are no kinds, the most frequent first.
struct Names {
    unregistered: Vec<Unregistered>,
    legacy: Vec<Legacy>,
    gate_derived: Vec<(String, u64)>,
}

fn names(tally: &Tally) -> Names {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (kind, _, cell) in tally.cells() {
        if let Some(kind) = kind {
            *counts.entry(kind).or_default() += cell.rows;
        }
    }
    let mut names =
        Names { unregistered: Vec::new(), legacy: Vec::new(), gate_derived: Vec::new() };
    for (name, count) in counts {
        match resolve(name) {
            Entry::Registered(_) | Entry::Extension { .. } => {}
            Entry::Legacy(legacy) => names.legacy.push(Legacy {
                name: legacy.label,
                count,
                state: legacy.state(),
                successor: legacy.successor(),
                hint: legacy.hint(),
            }),
            Entry::GateDerived(_) => names.gate_derived.push((name.to_owned(), count)),
            Entry::Unregistered => names.unregistered.push(Unregistered {
                name: name.to_owned(),
                count,
                suggestion: suggest(name).map(|suggestion| suggestion.name),
            }),
        }
    }
    // The sorts are stable, and the names come in their order.
    names.unregistered.sort_by_key(|name| Reverse(name.count));
    names.legacy.sort_by_key(|name| Reverse(name.count));
    names.gate_derived.sort_by_key(|(_, count)| Reverse(*count));
    names
}

/// A unix time that a reason can name, which lies in the years 1 to 9999.
fn rfc3339(unix: i64) -> String {
    jiff::Timestamp::from_second(unix).map_or_else(|_| unix.to_string(), |time| time.to_string())
}
