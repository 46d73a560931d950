//! The report: computed once, written in several forms by the command.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use failure_kinds::{Evidence, FailureClassificationConfig, FailureStage, HttpEvidence};
use failure_kinds_core::{Entry, resolve, suggest};
use serde::Serialize;

use super::inputs::Skipped;
use super::rollouts::RolloutCounts;
use super::tally::{self, At, Counts, Tally};
use failure_kinds_core::text::path_text;

/// The version of the report's JSON: keys are only added.
const SCHEMA_VERSION: u32 = 1;

/// The report. What is not serialised is for people only.
#[derive(Debug, Serialize)]
pub struct Report {
    schema_version: u32,
    pub files: Vec<FileReport>,
    pub skipped_files: Vec<SkippedFile>,
    pub totals: Counts,
    pub runs: Vec<RunReport>,
    pub rollouts: RolloutReport,
    pub ignored: Vec<Ignored>,
    pub groups: Vec<Group>,
    pub unregistered: Vec<Unregistered>,
    pub legacy: Vec<Legacy>,
    pub quota_resets: Vec<QuotaReset>,
    #[serde(skip)]
    pub gate_derived: Vec<(String, u64)>,
    /// Failure rows that say of themselves that they are final.
    #[serde(skip)]
    pub terminal: u64,
    /// The first malformed lines.
    #[serde(skip)]
    pub malformed_lines: Vec<MalformedLine>,
    /// What else is to be known of single files, as sentences.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Rows that name no rollout.
    #[serde(skip)]
    pub unidentified: u64,
    /// Whether the groups count deciding rows only.
    #[serde(skip)]
    pub latest: bool,
}

/// A file that was read.
#[derive(Debug, Serialize)]
pub struct FileReport {
    pub path: String,
    #[serde(flatten)]
    pub counts: Counts,
    pub truncated_last_line: bool,
}

#[derive(Debug, Serialize)]
pub struct SkippedFile {
    pub path: String,
    pub why: String,
}

#[derive(Debug, Serialize)]
pub struct RunReport {
    pub path: String,
    #[serde(flatten)]
    pub rollouts: RolloutReport,
    /// The paths of its files.
    #[serde(skip)]
    pub files: Vec<String>,
    /// What its files hold.
    #[serde(skip)]
    pub counts: Counts,
}

/// What became of rollouts. Without an inventory nobody knows how many there should be.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct RolloutReport {
    pub expected: Option<u64>,
    pub seen: u64,
    pub missing: Option<u64>,
    pub failed: u64,
    pub degraded: u64,
    pub recovered: u64,
}

#[derive(Debug, Serialize)]
pub struct Ignored {
    pub field: &'static str,
    pub r#type: &'static str,
    pub count: u64,
}

/// Failure rows of one class, kind, stage, HTTP label and rule.
#[derive(Debug, Serialize)]
pub struct Group {
    pub class: &'static str,
    pub kind: Option<String>,
    pub registry: &'static str,
    pub stage: Option<&'static str>,
    pub http_label: Option<&'static str>,
    pub rule: &'static str,
    pub server: bool,
    pub count: u64,
    pub terminal: u64,
    pub http_statuses: BTreeMap<u16, u64>,
    #[serde(skip)]
    pub example: Option<Example>,
}

/// A row of a group to look at.
#[derive(Debug)]
pub struct Example {
    pub path: String,
    pub line: u64,
    /// The start of its reason, as it was written.
    pub reason: Option<String>,
    /// Of several examples the one of the smallest rank is shown.
    pub rank: (bool, At),
}

#[derive(Debug, Serialize)]
pub struct Unregistered {
    pub name: String,
    pub count: u64,
    pub suggestion: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub struct Legacy {
    pub name: &'static str,
    pub count: u64,
    pub state: &'static str,
    pub successor: Option<&'static str>,
    pub hint: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub struct QuotaReset {
    pub at: String,
    pub unix: i64,
    pub count: u64,
}

/// A line that is no row.
#[derive(Debug)]
pub struct MalformedLine {
    pub path: String,
    pub line: u64,
    pub why: String,
}

/// What was read, before it is put in the order of the report.
#[derive(Debug, Default)]
pub struct Seen {
    pub files: Vec<FileReport>,
    pub runs: Vec<RunReport>,
    pub tally: Tally,
    pub notes: Vec<String>,
    /// The path of each file by its number.
    pub paths: Vec<String>,
}

/// How failures are put on a side and counted.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'c> {
    pub config: &'c FailureClassificationConfig,
    /// Whether the recorded stage was admitted by the caller.
    pub admit_stage: bool,
    /// Whether the groups count deciding rows only.
    pub latest: bool,
}

impl Report {
    /// The report of what was read.
    #[must_use]
    pub fn new(seen: Seen, skipped: Vec<Skipped>, terms: Terms<'_>) -> Self {
        let Seen { mut files, runs, tally, notes, paths } = seen;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let names = names(&tally);
        let mut totals = Counts::default();
        for file in &files {
            totals.add(&file.counts);
        }
        Self {
            schema_version: SCHEMA_VERSION,
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
    #[must_use]
    pub fn truncated(&self, run: &RunReport) -> Option<&FileReport> {
        self.files.iter().find(|file| file.truncated_last_line && run.files.contains(&file.path))
    }
}

impl RolloutReport {
    pub(crate) fn new(counts: RolloutCounts, has_inventory: bool) -> Self {
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
