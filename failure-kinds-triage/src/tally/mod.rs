//! What was counted over rows. Parts of a file are tallied separately and merged. Nothing depends
//! on the order of rows, except through the place of a row, which is kept where it matters.

mod calls;
mod cells;
mod names;
mod part;
mod place;

use std::collections::BTreeMap;
use std::num::NonZero;

use failure_kinds::{is_rejudged, kinds, quota_reset_unix};
use failure_kinds_rows::{JsonType, Malformed, Text};
use serde::{Deserialize, Serialize};

use self::calls::FailedCalls;
use self::cells::Cells;
pub(crate) use self::cells::{Cell, Evidence};
pub(crate) use self::names::NameId;
use self::names::Names;
pub(crate) use self::part::{Inventory, Part, Rows, merge_captures};
pub(crate) use self::place::At;
use self::place::First;
use crate::captures::{FailedCall, LastCall};
use crate::row::{Facts, Field, Sort};

/// How many malformed lines are shown.
const MALFORMED_SHOWN: usize = 20;

/// How many rows whose kind keys disagree are listed.
const CONFLICTS_LISTED: usize = 3;

/// How much of a reason is kept as an example, in characters.
const REASON_KEPT: usize = 300;

/// The counts of a file, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Failures, results and omitted rows.
    pub rows: u64,
    /// Attempts that failed.
    pub failures: u64,
    /// Attempts that did not fail.
    pub results: u64,
    /// Rows that are not attempts, unrouted ones included.
    pub omitted: u64,
    /// Rows that are left out of scores.
    pub masked: u64,
    /// Failures that were measured nevertheless.
    pub degraded: u64,
    /// Rows whose kind keys disagree.
    pub conflicts: u64,
    /// Lines that are not rows.
    pub malformed: u64,
}

impl Counts {
    pub(crate) const fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.failures += other.failures;
        self.results += other.results;
        self.omitted += other.omitted;
        self.masked += other.masked;
        self.degraded += other.degraded;
        self.conflicts += other.conflicts;
        self.malformed += other.malformed;
    }
}

/// What an omitted row says, for people.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Omitted {
    pub(crate) kind: Option<Box<str>>,
    /// The start of its reason, as it was written.
    pub(crate) reason: Option<Box<str>>,
}

/// What was counted, but for the rollouts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) counts: Counts,
    /// The omitted rows that say that one failed request ended the whole run.
    pub(crate) unrouted: u64,
    /// Whether a row holds a key by which a row of this format is recognised.
    pub(crate) recognised: bool,
    pub(crate) names: Names,
    calls: FailedCalls,
    cells: Cells,
    ignored: [[u64; JsonType::ALL.len()]; Field::ALL.len()],
    /// How many rows name each reset of a quota, by unix time.
    pub(crate) quota_resets: BTreeMap<i64, u64>,
    /// The first malformed lines.
    pub(crate) malformed: First<Box<str>, MALFORMED_SHOWN>,
    /// The first rows whose kind keys disagree, with both names.
    pub(crate) conflicts: First<[Box<str>; 2], CONFLICTS_LISTED>,
    /// The first unrouted row.
    pub(crate) unrouted_row: First<Omitted, 1>,
    /// The first other omitted row.
    pub(crate) omitted_row: First<Omitted, 1>,
    /// Attempts without identity.
    pub(crate) unidentified: u64,
    /// Lines of an inventory.
    pub(crate) inventory: u64,
    /// Lines of an inventory that name no rollout.
    pub(crate) unidentified_inventory: u64,
}

impl Tally {
    /// Counts a row.
    #[inline]
    fn row(&mut self, facts: &Facts<'_>, at: At) {
        self.counts.rows += 1;
        match facts.sort {
            Sort::Failure => self.counts.failures += 1,
            Sort::Result => self.counts.results += 1,
            Sort::Omitted => {
                self.counts.omitted += 1;
                self.omitted_row.add(at, || Omitted::of(facts));
            }
            Sort::Unrouted => {
                self.counts.omitted += 1;
                self.unrouted += 1;
                self.unrouted_row.add(at, || Omitted::of(facts));
            }
        }
        self.counts.masked += u64::from(facts.masked);
        self.counts.degraded += u64::from(facts.degraded);
        if let Some(names) = facts.conflict {
            self.counts.conflicts += 1;
            self.conflicts.add(at, || names.map(|name| name.decode().into()));
        }
        for &(field, json_type) in &facts.ignored {
            self.ignored[field as usize][json_type as usize] += 1;
        }
    }

    /// Counts a failure row; returns the number of its cell.
    fn failure(&mut self, facts: &Facts<'_>, last_call: &LastCall, at: At) -> u32 {
        // Of other kinds the reason is not even decoded.
        let quota = kinds::PROVIDER_QUOTA_EXHAUSTED;
        if facts.kind.as_ref().is_some_and(|kind| kind.is(quota.as_str()))
            && let Some(reason) = facts.reason
            && let Some(unix) = quota_reset_unix(quota.as_str(), &reason.decode())
        {
            *self.quota_resets.entry(unix).or_default() += 1;
        }
        let evidence = Evidence {
            kind: facts.kind.map(|kind| self.names.number(kind)),
            http_status: facts.http_status.and_then(NonZero::new),
            stage: facts.stage,
            terminal: facts.terminal,
            is_final: facts.is_final,
            answer: facts.answer,
            last_call: self.calls.number(last_call),
        };
        self.cells.row(evidence, facts.reason, at, &self.names)
    }

    /// Counts an attempt without identity.
    fn unidentified(&mut self, cell: Option<u32>) {
        self.unidentified += 1;
        if let Some(cell) = cell {
            self.cells.list[cell as usize].unidentified += 1;
        }
    }

    fn note_malformed(&mut self, at: At, why: Malformed) {
        self.counts.malformed += 1;
        self.malformed.add(at, || why.to_string().into());
    }

    /// Takes over what another part counted. Returns the numbers that its cells have here, unless
    /// they stay the same.
    pub(crate) fn merge(&mut self, other: Self) -> Option<Vec<u32>> {
        self.counts.add(&other.counts);
        self.unrouted += other.unrouted;
        self.recognised |= other.recognised;
        self.unidentified += other.unidentified;
        self.inventory += other.inventory;
        self.unidentified_inventory += other.unidentified_inventory;
        for (counts, other) in
            self.ignored.as_flattened_mut().iter_mut().zip(other.ignored.as_flattened())
        {
            *counts += other;
        }
        for (unix, count) in other.quota_resets {
            *self.quota_resets.entry(unix).or_default() += count;
        }
        self.malformed.merge(other.malformed);
        self.conflicts.merge(other.conflicts);
        self.unrouted_row.merge(other.unrouted_row);
        self.omitted_row.merge(other.omitted_row);
        if self.cells.list.is_empty() {
            (self.names, self.calls, self.cells) = (other.names, other.calls, other.cells);
            return None;
        }
        let names = self.names.merge(&other.names);
        let calls = self.calls.merge(&other.calls);
        Some(self.cells.merge(other.cells, &names, &calls, &self.names))
    }

    /// Moves everything to other places, of the same order.
    pub(crate) fn place(&mut self, place: impl Fn(At) -> At) {
        for cell in &mut self.cells.list {
            At { file: cell.file, line: cell.line } = place(cell.example());
        }
        self.malformed.place(&place);
        self.conflicts.place(&place);
        self.unrouted_row.place(&place);
        self.omitted_row.place(&place);
    }

    /// The failure rows by their evidence. The place of a cell is its number.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells.list
    }

    /// The failed last call of a cell.
    pub(crate) fn failed_call(&self, cell: &Cell) -> Option<&FailedCall> {
        cell.evidence.last_call.failed().map(|call| &self.calls.list[call])
    }

    /// The name of a cell's kind.
    pub(crate) fn kind(&self, cell: &Cell) -> Option<&str> {
        cell.evidence.kind.map(|kind| self.names.get(kind))
    }

    /// Whether the saved answers of a cell can be judged again.
    pub(crate) fn is_rejudgeable(&self, cell: &Cell) -> bool {
        cell.evidence.answer && self.kind(cell).is_some_and(is_rejudged)
    }

    /// The start of the reason at a cell's example, as it was written.
    pub(crate) fn reason(&self, cell: u32) -> Option<&str> {
        self.cells.reasons.get(&cell).map(|reason| &**reason)
    }

    /// Whether every number in it is that of something that is there.
    #[cfg(feature = "bytes")]
    pub(crate) fn is_consistent(&self, files: usize) -> bool {
        let is_file = |at: At| (at.file as usize) < files;
        let evidence = |evidence: &Evidence| {
            evidence.kind.is_none_or(|kind| kind.index() < self.names.len())
                && evidence.last_call.failed().is_none_or(|call| call < self.calls.list.len())
        };
        self.cells.list.iter().all(|cell| evidence(&cell.evidence) && is_file(cell.example()))
            && self.malformed.iter().all(|(at, _)| is_file(at))
            && self.conflicts.iter().all(|(at, _)| is_file(at))
            && self.unrouted_row.iter().all(|(at, _)| is_file(at))
            && self.omitted_row.iter().all(|(at, _)| is_file(at))
    }

    /// What could not be used, in the order of the report.
    pub(crate) fn ignored(&self) -> impl Iterator<Item = (Field, JsonType, u64)> {
        Field::ALL
            .into_iter()
            .flat_map(|field| {
                JsonType::ALL.map(|json_type| {
                    (field, json_type, self.ignored[field as usize][json_type as usize])
                })
            })
            .filter(|(_, _, count)| *count > 0)
    }
}

impl Omitted {
    fn of(facts: &Facts<'_>) -> Self {
        Self { kind: facts.kind.map(|kind| kind.decode().into()), reason: facts.reason.map(start) }
    }
}

/// The start of a reason.
fn start(reason: Text<'_>) -> Box<str> {
    let reason = reason.decode();
    let end = reason.char_indices().nth(REASON_KEPT).map_or(reason.len(), |(end, _)| end);
    reason[..end].into()
}

/// An index as a number of half the size. Four billion distinct names fit no memory.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than four billion distinct names and combinations")
}
