//! The report: computed once, printed in several formats by the command.

use chrono::{DateTime, SecondsFormat};
use failure_kinds_core::text::path_text;
use serde::{Deserialize, Serialize};

use self::groups::Groups;
pub(crate) use self::groups::{ABSENT, registry};
pub use self::groups::{ClassReport, Example, Group, LastCallReport, MoreGroups};
use self::names::Names;
pub use self::names::{Legacy, MoreUnregistered, Unregistered};
pub use self::runs::{Outcomes, RolloutReport, RunReport};
use super::captures::Calls;
use super::digest;
use super::seen::{Seen, Terms};
use super::tally::{At, Counts, Omitted};

mod groups;
mod names;
mod runs;

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
    /// Whether it is an inventory, whose lines are not rows.
    #[serde(skip)]
    pub is_inventory: bool,
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
        let (mut runs, decided) = runs::runs(seen);
        let names = Names::new(tally);
        let Groups { mut groups, more_groups, classes, places } =
            Groups::new(seen, terms, &decided, &names.is_unregistered);
        runs::add_failures(seen, &places, &mut runs, &mut groups);
        let (mut terminal, mut is_final, mut rejudgeable) = (0, 0, 0);
        for cell in tally.cells() {
            terminal += if cell.evidence.terminal { cell.rows } else { 0 };
            is_final += if cell.evidence.is_final { cell.rows } else { 0 };
            rejudgeable += if tally.is_rejudgeable(cell) { cell.rows } else { 0 };
        }
        let path = |at: At| seen.path(at.file).to_owned();
        let files = seen.files.iter().filter(|file| file.is_listed);
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
                    is_inventory: file.is_inventory,
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
            terminal,
            is_final,
            rejudgeable,
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
        .skipped()
        .map(|skipped| SkippedFile {
            path: path_text(&skipped.path).into_owned(),
            why: skipped.why.to_string(),
        })
        .collect();
    skipped.sort_by(|one, other| (&one.path, &one.why).cmp(&(&other.path, &other.why)));
    skipped.dedup_by(|one, other| (&one.path, &one.why) == (&other.path, &other.why));
    skipped
}

/// A unix time that a reason can name, which is in the years 1 to 9999.
fn rfc3339(unix: i64) -> String {
    let time = DateTime::from_timestamp(unix, 0);
    time.map_or_else(|| unix.to_string(), |time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
}
