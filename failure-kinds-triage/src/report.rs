//! The report: computed once, printed in several formats by the command.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, HashMap};
use std::iter;

use failure_kinds::{FailureClass, FailureStage, HttpEvidence};
use failure_kinds_core::text::path_text;
use failure_kinds_core::{Entry, resolve, suggest};
use serde::{Deserialize, Serialize};

use super::best::Best;
use super::captures::{Calls, CapturesReport};
use super::digest;
use super::rollouts::{RolloutCounts, RolloutStatus};
use super::seen::{Failure, Seen, Terms};
use super::tally::{At, Cell, Counts, Evidence, NameId, Omitted};

/// The version of the report's JSON: keys are only added.
pub(crate) const SCHEMA_VERSION: u32 = 1;
/// How many groups, how many unregistered names, and how many rows of a comparison are listed. The
/// rest is summed.
pub(crate) const LISTED: usize = 10_000;

/// The report. What is not serialized is for people only.
#[derive(Debug, Serialize)]
pub struct Report {
    schema_version: u32,
    /// How the failures were classified and counted.
    pub classification: ClassificationReport,
    /// The files that were read, by path.
    pub files: Vec<FileReport>,
    /// The files and folders that were not read, by path.
    pub skipped_files: Vec<SkippedFile>,
    /// The counts of all files.
    pub totals: Totals,
    /// The runs, by path.
    pub runs: Vec<RunReport>,
    /// The rollouts of all runs.
    pub rollouts: RolloutReport,
    /// The values that could not be used.
    pub ignored: Vec<Ignored>,
    /// The failure rows, those with the highest counts first: at most 10,000 groups.
    pub groups: Vec<Group>,
    /// The sum of the other groups.
    pub more_groups: MoreGroups,
    /// The names that are not known, those with the highest counts first: at most 10,000.
    pub unregistered: Vec<Unregistered>,
    /// The sum of the other names.
    pub more_unregistered: MoreUnregistered,
    /// The legacy labels.
    pub legacy: Vec<Legacy>,
    /// The resets of quotas, by time.
    pub quota_resets: Vec<QuotaReset>,
    /// The first rows whose kind keys disagree.
    pub conflicts: Vec<Conflict>,
    /// The gate-derived classes.
    #[serde(skip)]
    pub gate_derived: Vec<(&'static str, u64)>,
    /// The classes of all groups, with the highest count first.
    #[serde(skip)]
    pub classes: Vec<ClassReport>,
    /// How many distinct names of kinds there are.
    #[serde(skip)]
    pub names: usize,
    /// Failure rows that no retry may follow, as their producers say.
    #[serde(skip)]
    pub terminal: u64,
    /// Failure rows that are the model's own scored zeros.
    #[serde(skip)]
    pub is_final: u64,
    /// Failure rows whose saved answers can be judged again.
    #[serde(skip)]
    pub rejudgeable: u64,
    /// The first unrouted row.
    #[serde(skip)]
    pub unrouted_row: Option<OmittedRow>,
    /// The first other omitted row.
    #[serde(skip)]
    pub omitted_row: Option<OmittedRow>,
    /// The first malformed lines.
    #[serde(skip)]
    pub malformed_lines: Vec<MalformedLine>,
    /// Notes about single files, as sentences.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Attempts without identity.
    #[serde(skip)]
    pub unidentified: u64,
}

/// How failures were classified and counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassificationReport {
    /// Equal exactly for equal configurations.
    pub digest: String,
    /// Whether the recorded stage was admitted.
    pub admit_stage: bool,
    /// Whether the failed last model call was admitted.
    pub admit_calls: bool,
    /// Where captures of model calls were sought.
    pub calls: String,
    /// Whether the groups count deciding rows only.
    pub latest: bool,
}

/// A file that was read.
#[derive(Debug, Serialize)]
pub struct FileReport {
    /// Its path.
    pub path: String,
    /// What it holds.
    #[serde(flatten)]
    pub counts: Counts,
    /// Whether it ends in the middle of a line.
    pub truncated_last_line: bool,
    /// Whether any of its rows holds a key that triage reads.
    pub recognised: bool,
}

/// A file or folder that was not read.
#[derive(Debug, Serialize)]
pub struct SkippedFile {
    /// Its path.
    pub path: String,
    /// Why it was not read.
    pub why: String,
}

/// The counts of all files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Failures, results and omitted rows.
    pub rows: u64,
    /// Attempts that failed.
    pub failures: u64,
    /// Attempts that did not fail.
    pub results: u64,
    /// Rows that are not attempts.
    pub omitted: u64,
    /// Those of them that say that one failed request ended the whole run.
    pub unrouted: u64,
    /// Rows that are left out of scores.
    pub masked: u64,
    /// Failures that were measured nevertheless.
    pub degraded: u64,
    /// Rows whose kind keys disagree.
    pub conflicts: u64,
    /// Lines that are not rows.
    pub malformed: u64,
}

/// A run.
#[derive(Debug, Serialize)]
pub struct RunReport {
    /// The path of its stem.
    pub path: String,
    /// Its rollouts.
    #[serde(flatten)]
    pub rollouts: RolloutReport,
    /// Its captures of model calls; `None` if it has none.
    pub captures: Option<CapturesReport>,
    /// The paths of its files, the inventory included.
    #[serde(skip)]
    pub files: Vec<String>,
    /// What its files hold.
    #[serde(skip)]
    pub counts: Counts,
    /// Attempts without identity, any of which may be of a missing rollout.
    #[serde(skip)]
    pub unidentified: u64,
    /// Its rollouts, each counted once.
    #[serde(skip)]
    pub outcomes: Outcomes,
}

/// Rollouts by what became of them: each is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// By the class of the failure that decides.
    pub failed: BTreeMap<FailureClass, u64>,
    /// Failed, and measured nevertheless.
    pub degraded: u64,
    /// Passed after another attempt failed.
    pub recovered: u64,
    /// Passed, and no attempt failed.
    pub passed: u64,
    /// With omitted rows only.
    pub omitted: u64,
    /// Expected, without any row.
    pub missing: u64,
}

impl Outcomes {
    /// All of them together.
    #[must_use]
    pub fn all(&self) -> u64 {
        let Self { failed, degraded, recovered, passed, omitted, missing } = self;
        failed.values().sum::<u64>() + degraded + recovered + passed + omitted + missing
    }
}

/// What became of rollouts. Without an inventory nobody knows how many there should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RolloutReport {
    /// Distinct rollouts of the inventories.
    pub expected: Option<u64>,
    /// Rollouts with a failure or a result.
    pub seen: u64,
    /// Expected rollouts without any row.
    pub missing: Option<u64>,
    /// Rollouts with a row that no inventory names.
    pub unexpected: Option<u64>,
    /// Rollouts with omitted rows only.
    pub omitted: u64,
    /// Rollouts that a failure decides.
    pub failed: u64,
    /// Rollouts that a failure decides which was measured nevertheless.
    pub degraded: u64,
    /// Rollouts of which an attempt failed, and the deciding row did not.
    pub recovered: u64,
}

/// How many values of a field were of a type that could not be used.
#[derive(Debug, Serialize)]
pub struct Ignored {
    /// What the values were for.
    pub field: &'static str,
    /// Their JSON type.
    pub r#type: &'static str,
    /// How many.
    pub count: u64,
}

/// Failure rows of one class, kind, stage, HTTP label and rule.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The side.
    pub class: &'static str,
    /// The name, as observed.
    pub kind: Option<String>,
    /// What the name is to the vocabulary.
    pub registry: &'static str,
    /// The recorded stage.
    pub stage: Option<&'static str>,
    /// The label of the rows' own HTTP status.
    pub http_label: Option<&'static str>,
    /// The rule that decided the class.
    pub rule: &'static str,
    /// Whether it belongs to the server subcategory.
    pub server: bool,
    /// How many rows; deciding ones with `latest`.
    pub count: u64,
    /// How many rollouts one of its rows decides; a row without identity is one of its own.
    pub rollouts: u64,
    /// How many of the rows are terminal.
    pub terminal: u64,
    /// How many of the rows are the model's own scored zeros.
    #[serde(rename = "final")]
    pub is_final: u64,
    /// How many of the rows have an answer that can be judged again.
    pub rejudgeable: u64,
    /// How many of the rows have each status.
    pub http_statuses: BTreeMap<u16, u64>,
    /// What model calls the rows ended on; `None` if captures were not looked for.
    pub last_call: Option<LastCallReport>,
    /// How many rollouts its rows decide in each run, by the place of the run among all runs.
    #[serde(skip)]
    pub runs: BTreeMap<usize, u64>,
    /// How many of the rollouts that its rows decide are degraded.
    #[serde(skip)]
    pub degraded: u64,
    /// A row to look at.
    #[serde(skip)]
    pub example: Option<Example>,
}

/// What model calls the rows of a group ended on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LastCallReport {
    /// Rows of which a last call was read.
    pub observed: u64,
    /// The other rows, which says nothing about their calls.
    pub unobserved: u64,
    /// Rows that ended on a failed call.
    pub failed: u64,
    /// The statuses of these calls.
    pub statuses: BTreeMap<u16, u64>,
    /// Why these calls failed.
    pub categories: BTreeMap<&'static str, u64>,
    /// The models of these calls, as recorded.
    pub models: BTreeMap<String, u64>,
    /// Statuses and categories together.
    #[serde(skip)]
    pub causes: BTreeMap<(Option<u16>, &'static str), u64>,
}

impl LastCallReport {
    /// Counts rows of one failure.
    fn add(&mut self, failure: &Failure<'_>, count: u64) {
        *if failure.call_observed { &mut self.observed } else { &mut self.unobserved } += count;
        let Some(call) = failure.failed_call else { return };
        let category = call.category.as_str();
        self.failed += count;
        if let Some(status) = call.status {
            *self.statuses.entry(status).or_default() += count;
        }
        *self.categories.entry(category).or_default() += count;
        if let Some(model) = &call.model {
            *self.models.entry(model.to_string()).or_default() += count;
        }
        *self.causes.entry((call.status, category)).or_default() += count;
    }

    /// Takes over the counts of other rows.
    pub fn merge(&mut self, other: &Self) {
        self.observed += other.observed;
        self.unobserved += other.unobserved;
        self.failed += other.failed;
        add(&mut self.statuses, &other.statuses);
        add(&mut self.categories, &other.categories);
        add(&mut self.models, &other.models);
        add(&mut self.causes, &other.causes);
    }
}

/// Adds counts to others.
fn add<K: Clone + Ord>(here: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, count) in other {
        *here.entry(key.clone()).or_default() += count;
    }
}

/// The sum of the groups that are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoreGroups {
    /// How many groups.
    pub groups: u64,
    /// How many rows.
    pub count: u64,
    /// How many rollouts.
    pub rollouts: u64,
}

/// The failure rows of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassReport {
    /// The class.
    pub class: FailureClass,
    /// How many rows; deciding ones with `latest`.
    pub count: u64,
    /// Those of them in the server subcategory.
    pub server: u64,
    /// How many distinct kinds, none included.
    pub kinds: u64,
}

/// A row of a group to look at.
#[derive(Debug)]
pub struct Example {
    /// The path of its file.
    pub path: String,
    /// The number of its line.
    pub line: u64,
    /// The start of its reason, as it was written.
    pub reason: Option<String>,
    /// Whether the row decides a rollout, or has no identity.
    pub decides: bool,
}

impl Example {
    /// Of several examples the one with the smallest key is shown: one that decides a rollout, one
    /// with a reason, then by the order of files and lines.
    #[must_use]
    pub fn key(&self) -> (bool, bool, &str, u64) {
        (!self.decides, self.reason.is_none(), &self.path, self.line)
    }
}

/// A name that is not known.
#[derive(Debug, Serialize)]
pub struct Unregistered {
    /// The name.
    pub name: String,
    /// How many rows have it.
    pub count: u64,
    /// A registered name that may be meant.
    pub suggestion: Option<&'static str>,
}

/// The sum of the unregistered names that are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoreUnregistered {
    /// How many names.
    pub names: u64,
    /// How many rows have them.
    pub count: u64,
}

/// A legacy label.
#[derive(Debug, Serialize)]
pub struct Legacy {
    /// The label.
    pub name: &'static str,
    /// How many rows have it.
    pub count: u64,
    /// What became of it.
    pub state: &'static str,
    /// The kind that it is now.
    pub successor: Option<&'static str>,
    /// What to do, if there is no successor.
    pub hint: Option<&'static str>,
}

/// A time at which a quota is reset.
#[derive(Debug, Serialize)]
pub struct QuotaReset {
    /// In RFC 3339.
    pub at: String,
    /// In seconds since 1970.
    pub unix: i64,
    /// How many rows name it.
    pub count: u64,
}

/// A row whose kind keys disagree.
#[derive(Debug, Serialize)]
pub struct Conflict {
    /// The path of its file.
    pub path: String,
    /// The number of its line.
    pub line: u64,
    /// The two names.
    pub names: [String; 2],
}

/// A row that is not an attempt.
#[derive(Debug)]
pub struct OmittedRow {
    /// The path of its file.
    pub path: String,
    /// The number of its line.
    pub line: u64,
    /// The name that it holds.
    pub kind: Option<String>,
    /// The start of its reason, as it was written.
    pub reason: Option<String>,
}

/// A line that is not a row.
#[derive(Debug)]
pub struct MalformedLine {
    /// The path of its file.
    pub path: String,
    /// The number of the line.
    pub line: u64,
    /// Why it is not a row.
    pub why: String,
}

impl Report {
    /// The report on what was read.
    #[must_use]
    pub fn new(seen: &Seen, terms: &Terms<'_>) -> Self {
        let tally = &seen.tally;
        let calls = seen.calls.as_ref().unwrap_or(&Calls::Auto);
        let (mut runs, decided) = runs(seen);
        let names = names(seen);
        let Groups { mut groups, more_groups, classes, places } =
            groups(seen, terms, &decided, &names.is_unregistered);
        add_outcomes(seen, &places, &mut runs, &mut groups);
        let path = |at: At| seen.path(at.file).to_owned();
        let files = seen.files.iter().filter(|file| file.is_listed);
        let sum = |of: fn(&Seen, &Cell) -> bool| {
            tally.cells().iter().filter(|cell| of(seen, cell)).map(|cell| cell.rows).sum()
        };
        Self {
            schema_version: SCHEMA_VERSION,
            classification: ClassificationReport {
                digest: digest::of(terms.config),
                admit_stage: terms.admit_stage,
                admit_calls: terms.admit_calls,
                calls: calls.text().into_owned(),
                latest: terms.latest,
            },
            files: files
                .map(|file| FileReport {
                    path: file.path.clone(),
                    counts: file.counts,
                    truncated_last_line: file.truncated_last_line,
                    recognised: file.recognised,
                })
                .collect(),
            skipped_files: skipped(seen),
            totals: Totals::new(&tally.counts, tally.unrouted),
            rollouts: RolloutReport::of_all(&runs),
            runs,
            ignored: tally
                .ignored()
                .map(|(field, r#type, count)| Ignored {
                    field: field.as_str(),
                    r#type: r#type.as_str(),
                    count,
                })
                .collect(),
            groups,
            more_groups,
            unregistered: names.unregistered,
            more_unregistered: names.more_unregistered,
            legacy: names.legacy,
            quota_resets: tally
                .quota_resets
                .iter()
                .map(|(&unix, &count)| QuotaReset { at: rfc3339(unix), unix, count })
                .collect(),
            conflicts: tally
                .conflicts
                .iter()
                .map(|(at, names)| Conflict {
                    path: path(at),
                    line: at.line,
                    names: names.clone().map(String::from),
                })
                .collect(),
            gate_derived: names.gate_derived,
            classes,
            names: tally.names.len(),
            terminal: sum(|_, cell| cell.evidence.terminal),
            is_final: sum(|_, cell| cell.evidence.is_final),
            rejudgeable: sum(|seen, cell| seen.tally.is_rejudgeable(cell)),
            unrouted_row: tally.unrouted_row.iter().map(|found| omitted(seen, found)).next(),
            omitted_row: tally.omitted_row.iter().map(|found| omitted(seen, found)).next(),
            malformed_lines: tally
                .malformed
                .iter()
                .map(|(at, why)| MalformedLine {
                    path: path(at),
                    line: at.line,
                    why: why.to_string(),
                })
                .collect(),
            notes: seen.notes().collect(),
            unidentified: tally.unidentified,
        }
    }

    /// How many rows have names that are not known.
    #[must_use]
    pub fn unregistered_rows(&self) -> u64 {
        let listed: u64 = self.unregistered.iter().map(|name| name.count).sum();
        listed + self.more_unregistered.count
    }

    /// A file of a run that ends in the middle of a line.
    #[must_use]
    pub fn truncated(&self, run: &RunReport) -> Option<&FileReport> {
        self.files.iter().find(|file| file.truncated_last_line && run.files.contains(&file.path))
    }
}

impl Totals {
    const fn new(counts: &Counts, unrouted: u64) -> Self {
        let Counts { rows, failures, results, omitted, masked, degraded, conflicts, malformed } =
            *counts;
        Self { rows, failures, results, omitted, unrouted, masked, degraded, conflicts, malformed }
    }
}

fn omitted(seen: &Seen, (at, row): (At, &Omitted)) -> OmittedRow {
    OmittedRow {
        path: seen.path(at.file).to_owned(),
        line: at.line,
        kind: row.kind.as_deref().map(str::to_owned),
        reason: row.reason.as_deref().map(str::to_owned),
    }
}

fn skipped(seen: &Seen) -> Vec<SkippedFile> {
    let mut skipped: Vec<_> = seen
        .skipped
        .iter()
        .map(|skipped| SkippedFile {
            path: path_text(&skipped.path).into_owned(),
            why: skipped.why.to_string(),
        })
        .collect();
    skipped.sort_by(|one, other| (&one.path, &one.why).cmp(&(&other.path, &other.why)));
    skipped.dedup_by(|one, other| (&one.path, &one.why) == (&other.path, &other.why));
    skipped
}

/// What the rows of each cell decide. A row without identity is a rollout of its own.
struct Decided {
    /// How many rollouts.
    rollouts: Vec<u64>,
    /// Whether the example decides one.
    by_example: Vec<bool>,
}

/// The runs, and what the rows of each cell decide.
fn runs(seen: &Seen) -> (Vec<RunReport>, Decided) {
    let cells = seen.tally.cells();
    let mut decided = Decided {
        rollouts: cells.iter().map(|cell| cell.unidentified).collect(),
        by_example: cells.iter().map(|cell| cell.unidentified > 0).collect(),
    };
    let mut files: HashMap<&str, Vec<String>> = HashMap::new();
    for file in &seen.files {
        files.entry(&file.run).or_default().push(file.path.clone());
    }
    let runs = seen
        .runs
        .iter()
        .map(|(path, run)| RunReport {
            path: path.clone(),
            rollouts: RolloutReport::new(
                run.rollouts.count(|cell, file, line| {
                    let cell = cell as usize;
                    decided.rollouts[cell] += 1;
                    decided.by_example[cell] |= cells[cell].example() == At { file, line };
                }),
                run.has_inventory,
            ),
            captures: run.captures.clone().filter(CapturesReport::is_any),
            files: files.remove(&**path).unwrap_or_default(),
            counts: run.counts,
            unidentified: run.unidentified,
            outcomes: Outcomes::default(),
        })
        .collect();
    (runs, decided)
}

/// Adds what became of each rollout to its run and to the group of its deciding row.
fn add_outcomes(seen: &Seen, places: &Places, runs: &mut [RunReport], groups: &mut [Group]) {
    let mut by_group = vec![0_u64; groups.len()];
    for (place, (run, report)) in iter::zip(seen.runs.values(), runs).enumerate() {
        let outcomes = &mut report.outcomes;
        let mut by_class = [0_u64; FailureClass::ALL.len()];
        run.rollouts.outcomes().for_each(|(status, is_recovered, cell)| {
            let group = cell.map(|cell| places.groups[cell as usize] as usize);
            if let Some(group) = group.filter(|group| *group < groups.len()) {
                by_group[group] += 1;
                if status == RolloutStatus::Degraded {
                    groups[group].degraded += 1;
                }
            }
            *match status {
                RolloutStatus::Failed => {
                    let class = cell.map(|cell| places.classes[cell as usize]);
                    &mut by_class[class.unwrap_or(FailureClass::Unknown) as usize]
                }
                RolloutStatus::Degraded => &mut outcomes.degraded,
                RolloutStatus::Passed if is_recovered => &mut outcomes.recovered,
                RolloutStatus::Passed => &mut outcomes.passed,
                RolloutStatus::Omitted => &mut outcomes.omitted,
                RolloutStatus::Missing => &mut outcomes.missing,
            } += 1;
        });
        let by_class = iter::zip(FailureClass::ALL.iter().copied(), by_class);
        outcomes.failed = by_class.filter(|(_, count)| *count > 0).collect();
        for (group, count) in
            iter::zip(&mut *groups, &mut by_group).filter(|(_, count)| **count > 0)
        {
            group.runs.insert(place, std::mem::take(count));
        }
    }
}

impl RolloutReport {
    fn new(counts: RolloutCounts, has_inventory: bool) -> Self {
        Self {
            expected: has_inventory.then_some(counts.expected),
            seen: counts.seen,
            missing: has_inventory.then_some(counts.missing),
            unexpected: has_inventory.then_some(counts.unexpected),
            omitted: counts.omitted,
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
            unexpected: sum_if_known(|rollouts| rollouts.unexpected),
            omitted: sum(|rollouts| rollouts.omitted),
            failed: sum(|rollouts| rollouts.failed),
            degraded: sum(|rollouts| rollouts.degraded),
            recovered: sum(|rollouts| rollouts.recovered),
        }
    }
}

/// What makes a group apart from its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    class: FailureClass,
    stage: Option<&'static str>,
    http_label: Option<&'static str>,
    rule: &'static str,
    server: bool,
}

impl Shape {
    fn new(seen: &Seen, cell: &Cell, terms: &Terms<'_>) -> Self {
        let class = seen.failure(cell).classify(terms);
        Self {
            class: class.class,
            stage: cell.evidence.stage.map(FailureStage::as_str),
            http_label: class.http.map(HttpEvidence::as_str),
            rule: class.rule.as_str(),
            server: class.server,
        }
    }
}

/// The distinct shapes, of which there are few.
#[derive(Default)]
struct Shapes {
    list: Vec<Shape>,
    numbers: HashMap<Shape, u16>,
    /// No rule has an entry for a name that is not known, so what else is known of a failure
    /// decides, and there may be millions of names.
    of_unregistered: HashMap<Evidence, u16>,
}

impl Shapes {
    fn number(&mut self, shape: Shape) -> u16 {
        *self.numbers.entry(shape).or_insert_with(|| {
            self.list.push(shape);
            u16::try_from(self.list.len() - 1).expect("fewer shapes than 65,536")
        })
    }

    fn of_unregistered(&mut self, evidence: Evidence, shape: impl FnOnce() -> Shape) -> u16 {
        if let Some(number) = self.of_unregistered.get(&evidence) {
            return *number;
        }
        let number = self.number(shape());
        self.of_unregistered.insert(evidence, number);
        number
    }
}

/// A cell and what it is grouped by. There may be millions, so names and shapes are numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    kind: Option<NameId>,
    shape: u16,
    cell: u32,
}

struct Groups {
    groups: Vec<Group>,
    more_groups: MoreGroups,
    classes: Vec<ClassReport>,
    places: Places,
}

/// Where the rows of each cell are counted.
struct Places {
    /// The class of each cell that counts.
    classes: Vec<FailureClass>,
    /// The place of each cell's group in the list; beyond its end if the group is not listed.
    groups: Vec<u32>,
}

/// The groups of the failure rows, the largest first.
fn groups(seen: &Seen, terms: &Terms<'_>, decided: &Decided, is_unregistered: &[bool]) -> Groups {
    let cells = seen.tally.cells();
    let count = |cell: u32| {
        let index = cell as usize;
        if terms.latest { decided.rollouts[index] } else { cells[index].rows }
    };
    let mut shapes = Shapes::default();
    let mut members = Vec::with_capacity(cells.len());
    let mut places = Places {
        classes: vec![FailureClass::Unknown; cells.len()],
        groups: vec![u32::MAX; cells.len()],
    };
    for (number, cell) in (0..).zip(cells).filter(|(number, _)| count(*number) > 0) {
        let kind = cell.evidence.kind;
        let shape = if kind.is_some_and(|kind| is_unregistered[kind.index()]) {
            let evidence = Evidence { kind: None, ..cell.evidence };
            shapes.of_unregistered(evidence, || Shape::new(seen, cell, terms))
        } else {
            shapes.number(Shape::new(seen, cell, terms))
        };
        places.classes[number as usize] = shapes.list[usize::from(shape)].class;
        members.push(Member { kind, shape, cell: number });
    }
    members.sort_unstable();

    let mut by_class: HashMap<FailureClass, ClassReport> = HashMap::new();
    let mut more = MoreGroups::default();
    let kind = |members: &[Member]| seen.tally.kind(&cells[members[0].cell as usize]);
    let shape = |members: &[Member]| shapes.list[usize::from(members[0].shape)];
    let mut best = Best::new(LISTED, |one: &(u64, &[Member]), other: &(u64, &[Member])| {
        let key = |members| {
            let Shape { class, stage, http_label, rule, .. } = shape(members);
            (class.as_str(), kind(members), stage, http_label, rule)
        };
        other.0.cmp(&one.0).then_with(|| key(one.1).cmp(&key(other.1)))
    });
    for of_kind in members.chunk_by(|one, other| one.kind == other.kind) {
        let mut classes_of_kind = Vec::new();
        for group in of_kind.chunk_by(|one, other| one.shape == other.shape) {
            let Shape { class, server, .. } = shape(group);
            let rows = group.iter().map(|member| count(member.cell)).sum();
            more.groups += 1;
            more.count += rows;
            let rollouts = group.iter().map(|member| decided.rollouts[member.cell as usize]);
            more.rollouts += rollouts.sum::<u64>();
            let of_class = by_class.entry(class).or_insert(ClassReport {
                class,
                count: 0,
                server: 0,
                kinds: 0,
            });
            of_class.count += rows;
            of_class.server += if server { rows } else { 0 };
            if !classes_of_kind.contains(&class) {
                classes_of_kind.push(class);
                of_class.kinds += 1;
            }
            best.add((rows, group));
        }
    }
    let groups: Vec<Group> = best
        .into_sorted()
        .into_iter()
        .zip(0..)
        .map(|((count_of_group, members), place)| {
            for member in members {
                places.groups[member.cell as usize] = place;
            }
            let group = group(seen, kind(members), shape(members), members, &count, decided);
            more.groups -= 1;
            more.count -= count_of_group;
            more.rollouts -= group.rollouts;
            group
        })
        .collect();
    let mut classes: Vec<ClassReport> = by_class.into_values().collect();
    classes.sort_by_key(|class| (Reverse(class.count), class.class.as_str()));
    Groups { groups, more_groups: more, classes, places }
}

/// The registry state of a failure without a kind.
pub(crate) const ABSENT: &str = "absent";

/// What a kind is to the vocabulary.
pub(crate) fn registry(kind: Option<&str>) -> &'static str {
    kind.map_or(ABSENT, |kind| resolve(kind).as_str())
}

fn group(
    seen: &Seen,
    kind: Option<&str>,
    shape: Shape,
    members: &[Member],
    count: &impl Fn(u32) -> u64,
    decided: &Decided,
) -> Group {
    let mut group = Group {
        class: shape.class.as_str(),
        kind: kind.map(str::to_owned),
        registry: registry(kind),
        stage: shape.stage,
        http_label: shape.http_label,
        rule: shape.rule,
        server: shape.server,
        count: 0,
        rollouts: 0,
        terminal: 0,
        is_final: 0,
        rejudgeable: 0,
        http_statuses: BTreeMap::new(),
        runs: BTreeMap::new(),
        degraded: 0,
        last_call: seen.reads_calls().then(LastCallReport::default),
        example: None,
    };
    for &Member { cell: number, .. } in members {
        let cell = &seen.tally.cells()[number as usize];
        let failure = seen.failure(cell);
        let count = count(number);
        group.count += count;
        group.rollouts += decided.rollouts[number as usize];
        group.terminal += if failure.terminal { count } else { 0 };
        group.is_final += if failure.is_final { count } else { 0 };
        group.rejudgeable += if failure.rejudgeable { count } else { 0 };
        if let Some(status) = failure.http_status {
            *group.http_statuses.entry(status).or_default() += count;
        }
        if let Some(last_call) = &mut group.last_call {
            last_call.add(&failure, count);
        }
    }
    let cell = |member: &Member| &seen.tally.cells()[member.cell as usize];
    let rank = |member: &&Member| {
        let index = member.cell as usize;
        (!decided.by_example[index], decided.rollouts[index] == 0, cell(member).rank())
    };
    group.example = members.iter().min_by_key(rank).map(|member| {
        let at = cell(member).example();
        Example {
            path: seen.path(at.file).to_owned(),
            line: at.line,
            reason: seen.tally.reason(member.cell).map(str::to_owned),
            decides: decided.by_example[member.cell as usize],
        }
    });
    group
}

/// The observed names that are not kinds, the most frequent first.
struct Names {
    unregistered: Vec<Unregistered>,
    more_unregistered: MoreUnregistered,
    legacy: Vec<Legacy>,
    gate_derived: Vec<(&'static str, u64)>,
    /// Whether each of all observed names is not known.
    is_unregistered: Vec<bool>,
}

fn names(seen: &Seen) -> Names {
    let tally = &seen.tally;
    let mut counts = vec![0; tally.names.len()];
    for cell in tally.cells() {
        if let Some(kind) = cell.evidence.kind {
            counts[kind.index()] += cell.rows;
        }
    }
    let mut more = MoreUnregistered::default();
    let mut unregistered = Best::new(LISTED, by_count);
    let (mut legacy, mut gate_derived) = (Vec::new(), Vec::new());
    let mut is_unregistered = vec![false; tally.names.len()];
    for (number, (name, count)) in iter::zip(tally.names.iter(), counts).enumerate() {
        match resolve(name) {
            Entry::Registered(_) | Entry::Extension { .. } => {}
            Entry::Legacy(label) => legacy.push(Legacy {
                name: label.label,
                count,
                state: label.state(),
                successor: label.successor(),
                hint: label.hint(),
            }),
            Entry::GateDerived(class) => gate_derived.push((class.name, count)),
            Entry::Unregistered => {
                more.names += 1;
                more.count += count;
                unregistered.add((name, count));
                is_unregistered[number] = true;
            }
        }
    }
    let unregistered: Vec<_> = unregistered.into_sorted();
    for (_, count) in &unregistered {
        more.names -= 1;
        more.count -= count;
    }
    legacy.sort_by(|one, other| by_count(&(one.name, one.count), &(other.name, other.count)));
    gate_derived.sort_by(by_count);
    Names {
        unregistered: unregistered
            .into_iter()
            .map(|(name, count)| Unregistered {
                name: name.to_owned(),
                count,
                suggestion: suggest(name).map(|suggestion| suggestion.name),
            })
            .collect(),
        more_unregistered: more,
        legacy,
        gate_derived,
        is_unregistered,
    }
}

/// The order of names: by count, the highest first, then by name.
fn by_count((one, one_count): &(&str, u64), (other, other_count): &(&str, u64)) -> Ordering {
    other_count.cmp(one_count).then_with(|| one.cmp(other))
}

/// A unix time that a reason can name, which is in the years 1 to 9999.
fn rfc3339(unix: i64) -> String {
    jiff::Timestamp::from_second(unix).map_or_else(|_| unix.to_string(), |time| time.to_string())
}
