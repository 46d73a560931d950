//! What was read, before it is classified. It can be merged and reported any number of times.

use std::collections::BTreeMap;

use failure_kinds::{Classification, Evidence, FailureClassificationConfig, FailureStage};
use failure_kinds_core::text::{Escaped, EscapedPath};
use serde::{Deserialize, Serialize};

use super::captures::{Calls, CapturesReport, FailedCall};
use super::inputs::Skipped;
use super::rollouts::{RolloutStatus, Rollouts};
use super::tally::{At, Cell, Counts, Part, Tally, merge_captures};
use crate::Error;

const NOT_RECOGNISED: &str = "no row holds a key that triage reads, such as `failure_kind` or \
                              `_ng_task_index`";
/// What may be the matter with a file of one row.
const ONE_OBJECT: &str = "; if it is a data frame or a report, write an object of its own per row";

/// What was read of files, run by run.
///
/// Parts that were read separately [merge](Self::merge) in any order to what one reading of all
/// inputs gives. A part is made of whole files; those of one run may be in different parts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// All files by path. The place of a file is its number.
    pub(crate) files: Vec<SeenFile>,
    #[serde(with = "stored::skipped")]
    pub(crate) skipped: Vec<Skipped>,
    /// By the path of the stem.
    pub(crate) runs: BTreeMap<String, SeenRun>,
    pub(crate) tally: Tally,
    /// Where captures of model calls were looked for.
    #[serde(with = "stored::calls")]
    pub(crate) calls: Option<Calls>,
    /// Notes about single files, as sentences.
    pub(crate) notes: Vec<String>,
}

/// A file that was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each with a name")]
pub(crate) struct SeenFile {
    pub(crate) path: String,
    /// The path of its run.
    pub(crate) run: String,
    /// Whether it is in the report. An inventory is only if something is wrong with it.
    pub(crate) is_listed: bool,
    /// Whether it is an inventory, whose lines are not rows.
    pub(crate) is_inventory: bool,
    pub(crate) counts: Counts,
    pub(crate) truncated_last_line: bool,
    pub(crate) recognised: bool,
}

/// What was read of one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SeenRun {
    pub(crate) has_inventory: bool,
    /// What its files of rows hold.
    pub(crate) counts: Counts,
    /// Attempts without identity.
    pub(crate) unidentified: u64,
    pub(crate) rollouts: Rollouts,
    /// What joining captures gave; `None` if none were wanted.
    #[serde(with = "stored::captures")]
    pub(crate) captures: Option<CapturesReport>,
}

/// How failures are classified and counted.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'c> {
    /// The classes of failures.
    pub config: &'c FailureClassificationConfig,
    /// Whether the caller admits the recorded stage.
    pub admit_stage: bool,
    /// Whether the caller admits the failed last model call.
    pub admit_calls: bool,
    /// Whether the groups count deciding rows only.
    pub latest: bool,
}

impl<'c> Terms<'c> {
    /// Everything is admitted, and all rows count.
    #[must_use]
    pub const fn new(config: &'c FailureClassificationConfig) -> Self {
        Self { config, admit_stage: true, admit_calls: true, latest: false }
    }
}

impl Seen {
    /// Takes over what was read of other files.
    pub fn merge(&mut self, mut other: Self) {
        let (here, there) = self.take_files(std::mem::take(&mut other.files));
        self.number_files(&here);
        other.number_files(&there);
        self.skipped.extend(other.skipped);
        self.notes.extend(other.notes);
        self.calls = self.calls.take().or(other.calls);
        let cells = self.tally.merge(other.tally);
        for (path, mut run) in other.runs {
            if let Some(cells) = &cells {
                run.rollouts.number_cells(cells);
            }
            self.runs.entry(path).or_default().merge(run);
        }
    }

    /// Adds files; returns the new numbers of those that were here and of those that come.
    fn take_files(&mut self, files: Vec<SeenFile>) -> (Vec<u32>, Vec<u32>) {
        let here = std::mem::take(&mut self.files).into_iter().map(|file| (file, false));
        let there = files.into_iter().map(|file| (file, true));
        let mut files: Vec<_> = here.chain(there).collect();
        files.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for (number, (file, is_new)) in (0..).zip(files) {
            if is_new { &mut there } else { &mut here }.push(number);
            self.files.push(file);
        }
        (here, there)
    }

    fn number_files(&mut self, numbers: &[u32]) {
        self.tally.place(|at| At { file: numbers[at.file as usize], ..at });
        for run in self.runs.values_mut() {
            run.rollouts.number_files(numbers);
        }
    }

    /// Takes over what was read of a file of a run.
    pub(crate) fn add(&mut self, run: &str, part: Part, is_inventory: bool) {
        let Part { tally, mut rollouts, captures } = part;
        let counts = if is_inventory { Counts::default() } else { tally.counts };
        let unidentified = tally.unidentified;
        if let Some(cells) = self.tally.merge(tally) {
            rollouts.number_cells(&cells);
        }
        let run = self.runs.entry(run.to_owned()).or_default();
        run.merge(SeenRun {
            has_inventory: is_inventory,
            counts,
            unidentified,
            rollouts,
            captures,
        });
    }

    /// Checks that what was read is what triage reads: an all-clear for another format would be
    /// worse than an error.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.runs.is_empty()
            && let Some(unread) = self.unread().next()
        {
            let path = EscapedPath(&unread.path);
            return Err(Error::Input(format!("`{path}` {}", unread.why)));
        }
        let rows: u64 = self.foreign().map(|file| file.counts.rows).sum();
        match self.foreign().next() {
            Some(file) if rows == self.tally.counts.rows => {
                let path = Escaped(&file.path);
                let advice = if rows == 1 { ONE_OBJECT } else { "" };
                Err(Error::Input(format!("`{path}`: {NOT_RECOGNISED}{advice}")))
            }
            _ => Ok(()),
        }
    }

    /// The files whose rows hold no key that triage reads.
    fn foreign(&self) -> impl Iterator<Item = &SeenFile> {
        self.files.iter().filter(|file| file.counts.rows > 0 && !file.recognised)
    }

    /// Notes about single files, as sentences.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let foreign = self.foreign();
        let foreign = foreign.map(|file| format!("{}: {NOT_RECOGNISED}", Escaped(&file.path)));
        self.notes.iter().cloned().chain(self.shared_captures()).chain(foreign)
    }

    /// Warns of a folder that has the captures of several runs: the same id may be in each of them.
    fn shared_captures(&self) -> impl Iterator<Item = String> {
        let mut runs: BTreeMap<&str, u64> = BTreeMap::new();
        for run in self.runs.values() {
            if let Some(folder) =
                run.captures.as_ref().and_then(|captures| captures.folder.as_deref())
            {
                *runs.entry(folder).or_default() += 1;
            }
        }
        runs.into_iter().filter(|(_, runs)| *runs > 1).map(|(folder, runs)| {
            format!(
                "{}: {runs} runs share these captures, and their rollouts can have the same ids; \
                 give each run its own folder",
                Escaped(folder)
            )
        })
    }

    /// The paths of the files that were read, inventories included.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| &*file.path)
    }

    /// Whether every number in it is that of something that is there.
    #[cfg(feature = "bytes")]
    pub(crate) fn is_consistent(&self) -> bool {
        let (files, cells) = (self.files.len(), self.tally.cells().len());
        self.tally.is_consistent(files)
            && self.runs.values().all(|run| run.rollouts.is_consistent(files, cells))
    }

    /// What was not read, in no particular order.
    pub(crate) fn skipped(&self) -> impl Iterator<Item = Skipped> {
        let captures = self.runs.values().filter_map(|run| run.captures.as_ref()?.unread.as_ref());
        self.skipped.iter().cloned().chain(captures.map(|unread| unread.skipped()))
    }

    /// The files that should have been read and could not be: what they hold is missing.
    pub fn unread(&self) -> impl Iterator<Item = Skipped> {
        self.skipped().filter(|skipped| skipped.is_error)
    }

    /// The runs, by path.
    pub fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        self.runs.iter().map(|(path, run)| Run { path, run, seen: self })
    }

    /// How a cell is classified.
    pub(crate) fn failure(&self, cell: &Cell) -> Failure<'_> {
        Failure {
            kind: self.tally.kind(cell),
            stage: cell.evidence.stage,
            http_status: cell.evidence.http_status.map(Into::into),
            terminal: cell.evidence.terminal,
            is_final: cell.evidence.is_final,
            rejudgeable: self.tally.is_rejudgeable(cell),
            call_observed: cell.evidence.last_call.is_observed(),
            failed_call: self.tally.failed_call(cell),
        }
    }

    /// Whether captures of model calls were looked for.
    pub(crate) fn reads_calls(&self) -> bool {
        self.calls != Some(Calls::Off)
    }

    pub(crate) fn path(&self, file: u32) -> &str {
        &self.files[file as usize].path
    }
}

impl SeenRun {
    fn merge(&mut self, other: Self) {
        self.has_inventory |= other.has_inventory;
        self.counts.add(&other.counts);
        self.unidentified += other.unidentified;
        self.rollouts.merge(other.rollouts);
        merge_captures(&mut self.captures, other.captures);
    }
}

/// A run that was read.
#[derive(Clone, Copy, Debug)]
pub struct Run<'s> {
    path: &'s str,
    run: &'s SeenRun,
    seen: &'s Seen,
}

impl<'s> Run<'s> {
    /// The path of its stem.
    #[must_use]
    pub const fn path(&self) -> &'s str {
        self.path
    }

    /// Whether it has an inventory. Without one, nobody knows which rollouts are expected.
    pub(crate) const fn has_inventory(&self) -> bool {
        self.run.has_inventory
    }

    /// Its rollouts, by task and rollout: all with a row, and all that the inventory names.
    pub fn rollouts(&self) -> impl Iterator<Item = Rollout<'s>> + use<'s> {
        let Self { run, seen, .. } = *self;
        run.rollouts.iter().map(move |rollout| Rollout {
            task: rollout.task,
            rollout: rollout.rollout,
            status: rollout.status,
            expected: run.has_inventory.then_some(rollout.is_expected),
            recovered: rollout.is_recovered,
            row: rollout.row.map(|row| DecidingRow {
                attempt: row.attempt,
                path: seen.path(row.file),
                line: row.line,
                masked: row.is_masked,
                failure: row.cell.map(|cell| seen.failure(&seen.tally.cells()[cell as usize])),
            }),
        })
    }
}

/// One rollout of a run, by its deciding row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollout<'s> {
    /// `_ng_task_index`.
    pub task: i64,
    /// `_ng_rollout_index`.
    pub rollout: i64,
    /// What became of it.
    pub status: RolloutStatus,
    /// Whether the inventory names it; `None` if the run has no inventory.
    pub expected: Option<bool>,
    /// Whether another row of it failed, and the deciding one did not.
    pub recovered: bool,
    /// The row that decides; `None` if it has no attempt.
    pub row: Option<DecidingRow<'s>>,
}

/// The row that decides a rollout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidingRow<'s> {
    /// `_ng_attempt_index`; 0 if absent.
    pub attempt: i64,
    /// The path of its file, as in the report.
    pub path: &'s str,
    /// The number of its line, from 1.
    pub line: u64,
    /// Whether it is left out of scores.
    pub masked: bool,
    /// What failed, if it is a failure.
    pub failure: Option<Failure<'s>>,
}

/// What is known about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each with a name")]
pub struct Failure<'s> {
    /// Its name.
    pub kind: Option<&'s str>,
    /// Where it originated.
    pub stage: Option<FailureStage>,
    /// Its own status.
    pub http_status: Option<u16>,
    /// Whether the producer says that no retry may follow.
    pub terminal: bool,
    /// Whether it is the model's own scored zero, which no retry may replace.
    pub is_final: bool,
    /// Whether the model's answer was saved and can be judged again.
    pub rejudgeable: bool,
    /// Whether the last model call of the attempt was read.
    pub call_observed: bool,
    /// The last model call, if it failed.
    pub failed_call: Option<&'s FailedCall>,
}

impl Failure<'_> {
    /// Classifies it.
    #[must_use]
    pub fn classify(&self, terms: &Terms<'_>) -> Classification {
        let mut given =
            Evidence::new().kind(self.kind).stage(self.stage).http_status(&self.http_status);
        if terms.admit_stage {
            given = given.admit_stage();
        }
        if let Some(call) = self.failed_call.filter(|_| terms.admit_calls) {
            given = given.call_status(&call.status);
        }
        terms.config.classify(&given)
    }
}

/// How what is not to be in a report, or holds a path, is stored.
#[expect(clippy::ref_option, reason = "what serde calls takes references")]
mod stored {
    pub(super) mod skipped {
        use std::borrow::Cow;
        use std::path::PathBuf;

        use failure_kinds_core::text::path_text;
        use serde::{Deserialize, Deserializer, Serializer};

        use crate::inputs::Skipped;

        pub(in crate::seen) fn serialize<S: Serializer>(
            skipped: &[Skipped],
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(
                skipped
                    .iter()
                    .map(|skipped| (path_text(&skipped.path), &skipped.why, skipped.is_error)),
            )
        }

        pub(in crate::seen) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Vec<Skipped>, D::Error> {
            let stored: Vec<(PathBuf, String, bool)> = Vec::deserialize(deserializer)?;
            let skipped = stored.into_iter();
            Ok(skipped
                .map(|(path, why, is_error)| Skipped { path, why: Cow::Owned(why), is_error })
                .collect())
        }
    }

    pub(super) mod calls {
        use std::path::PathBuf;

        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        use crate::captures::Calls;

        pub(in crate::seen) fn serialize<S: Serializer>(
            calls: &Option<Calls>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            calls.as_ref().map(Calls::text).serialize(serializer)
        }

        pub(in crate::seen) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Calls>, D::Error> {
            let text: Option<String> = Option::deserialize(deserializer)?;
            Ok(text.map(|text| Calls::from(PathBuf::from(text))))
        }
    }

    pub(super) mod captures {
        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        use crate::captures::{CapturesReport, UnreadCaptures};

        pub(in crate::seen) fn serialize<S: Serializer>(
            captures: &Option<CapturesReport>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            let stored = captures.as_ref().map(|report| (report, report.carries, &report.unread));
            stored.serialize(serializer)
        }

        pub(in crate::seen) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<CapturesReport>, D::Error> {
            type Stored = (CapturesReport, bool, Option<Box<UnreadCaptures>>);
            let stored: Option<Stored> = Option::deserialize(deserializer)?;
            Ok(stored.map(|(report, carries, unread)| CapturesReport { carries, unread, ..report }))
        }
    }
}
