//! What was counted over rows. Parts of a run are tallied apart and merged; nothing depends on
//! the order of rows except through the place of a row, which is kept where it matters.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use failure_kinds::{FailureStage, kinds, quota_reset_unix};
use foldhash::fast::RandomState;
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::rollouts::{Place, RolloutCounts, Rollouts, Verdict};
use super::row::{self, Facts, Field, Identity, KEYS_READ, RawRow};
use failure_kinds_rows::{Check, JsonType, Keys, LineNumbers, Malformed, Position, RowSink, Text};

/// How many malformed lines are shown.
pub const MALFORMED_SHOWN: usize = 20;
/// How much of a reason is kept as an example, in characters.
const REASON_KEPT: usize = 300;

/// The counts of a file, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub rows: u64,
    pub failures: u64,
    pub results: u64,
    pub masked: u64,
    pub degraded: u64,
    pub conflicts: u64,
    pub malformed: u64,
}

impl Counts {
    pub const fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.failures += other.failures;
        self.results += other.results;
        self.masked += other.masked;
        self.degraded += other.degraded;
        self.conflicts += other.conflicts;
        self.malformed += other.malformed;
    }
}

/// What failure rows are told apart by. Each distinct one is classified once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evidence {
    /// The number of the kind's name.
    kind: Option<u32>,
    pub stage: Option<FailureStage>,
    pub http_status: Option<u16>,
    pub terminal: bool,
}

/// The failure rows of one evidence.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// All of them.
    pub rows: u64,
    /// Those that decide their rollout; a row without identity is a rollout of its own.
    pub deciding: u64,
    /// The first row of them, of those that give a reason if there are any.
    pub example: Option<Example>,
}

/// A row to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub at: At,
    /// The start of its reason, as it was written.
    pub reason: Option<Box<str>>,
}

impl Example {
    /// Of two examples the one of the smaller rank is shown: with a reason rather than without,
    /// then by the order of files and lines.
    pub fn rank(&self) -> (bool, At) {
        rank(self.reason.is_some(), self.at)
    }
}

const fn rank(has_reason: bool, at: At) -> (bool, At) {
    (!has_reason, at)
}

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The number of the file.
    pub file: u32,
    /// The number of the line, from 1; while the file is being read, the ordinal of its position.
    pub line: u64,
}

impl At {
    const fn new(file: u32, at: Position) -> Self {
        Self { file, line: at.ordinal() }
    }
}

/// What was counted.
#[derive(Debug, Default)]
pub struct Tally {
    pub counts: Counts,
    names: Names,
    cells: IndexMap<Evidence, Cell, RandomState>,
    ignored: [[u64; JsonType::ALL.len()]; Field::ALL.len()],
    /// How many rows name each reset of a quota, by unix time.
    pub quota_resets: BTreeMap<i64, u64>,
    /// The first malformed lines.
    pub malformed: BTreeMap<At, Malformed>,
    /// Rows that name no rollout.
    pub unidentified: u64,
    /// Lines of an inventory.
    pub inventory: u64,
    /// Lines of an inventory that name no rollout.
    pub unidentified_inventory: u64,
    rollouts: Rollouts,
}

impl Tally {
    /// Takes a row.
    fn row(&mut self, facts: &Facts<'_>, at: At, in_results: bool) {
        self.counts.rows += 1;
        self.counts.masked += u64::from(facts.masked);
        self.counts.conflicts += u64::from(facts.conflict);
        for &(field, json_type) in &facts.ignored {
            self.ignored[field as usize][json_type as usize] += 1;
        }
        let identity = facts.identity;
        let verdict = if facts.failure {
            self.counts.failures += 1;
            self.counts.degraded += u64::from(facts.degraded);
            let degraded = facts.degraded;
            let cell = self.failure(facts, at);
            if degraded { Verdict::Degraded(cell) } else { Verdict::Failed(cell) }
        } else {
            self.counts.results += 1;
            Verdict::Result
        };
        match (identity, verdict) {
            (Some(identity), _) => {
                self.rollouts.row(identity, Place { in_results, line: at.line }, verdict);
            }
            (None, Verdict::Failed(cell) | Verdict::Degraded(cell)) => {
                self.unidentified += 1;
                self.cells[cell as usize].deciding += 1;
            }
            (None, Verdict::Result) => self.unidentified += 1,
        }
    }

    /// Takes a failure row; gives the number of its cell.
    fn failure(&mut self, facts: &Facts<'_>, at: At) -> u32 {
        // Of other kinds the reason is not even decoded.
        let quota = kinds::PROVIDER_QUOTA_EXHAUSTED;
        if let (Some(kind), Some(reason)) = (facts.kind, facts.reason)
            && kind.is(quota.as_str())
            && let Some(unix) = quota_reset_unix(quota.as_str(), &reason.decode())
        {
            *self.quota_resets.entry(unix).or_default() += 1;
        }
        let evidence = Evidence {
            kind: facts.kind.map(|kind| self.names.number(kind)),
            stage: facts.stage,
            http_status: facts.http_status,
            terminal: facts.terminal,
        };
        let entry = self.cells.entry(evidence);
        let number = number(entry.index());
        let cell = entry.or_default();
        cell.rows += 1;
        let rank = rank(facts.reason.is_some(), at);
        if cell.example.as_ref().is_none_or(|example| rank < example.rank()) {
            let start = |reason: Text<'_>| {
                let reason = reason.decode();
                let end =
                    reason.char_indices().nth(REASON_KEPT).map_or(reason.len(), |(end, _)| end);
                reason[..end].into()
            };
            cell.example = Some(Example { at, reason: facts.reason.map(start) });
        }
        number
    }

    /// Takes a line of the run's inventory.
    fn expect(&mut self, identity: Option<Identity>) {
        self.inventory += 1;
        match identity {
            Some(identity) => self.rollouts.expect(identity),
            None => self.unidentified_inventory += 1,
        }
    }

    fn note_malformed(&mut self, at: At, why: Malformed) {
        self.counts.malformed += 1;
        self.malformed.insert(at, why);
        if self.malformed.len() > MALFORMED_SHOWN {
            self.malformed.pop_last();
        }
    }

    /// Takes over what another part counted.
    pub fn merge(&mut self, other: Self) {
        self.counts.add(&other.counts);
        self.unidentified += other.unidentified;
        self.inventory += other.inventory;
        self.unidentified_inventory += other.unidentified_inventory;
        let names: Vec<u32> =
            other.names.0.into_iter().map(|Name(name)| self.names.insert(name)).collect();
        let mut cells = Vec::with_capacity(other.cells.len());
        for (evidence, cell) in other.cells {
            let kind = evidence.kind.map(|kind| names[kind as usize]);
            let entry = self.cells.entry(Evidence { kind, ..evidence });
            cells.push(number(entry.index()));
            entry.or_default().merge(cell);
        }
        for (counts, other) in
            self.ignored.as_flattened_mut().iter_mut().zip(other.ignored.as_flattened())
        {
            *counts += other;
        }
        for (unix, count) in other.quota_resets {
            *self.quota_resets.entry(unix).or_default() += count;
        }
        self.malformed.extend(other.malformed);
        while self.malformed.len() > MALFORMED_SHOWN {
            self.malformed.pop_last();
        }
        self.rollouts.merge(other.rollouts, &cells);
    }

    /// Gives the lines of a file their numbers, once all of it was read.
    ///
    /// Rollouts keep the ordinals: they are only compared with each other.
    pub fn number_lines(&mut self, lines: &LineNumbers) {
        let number = |at: At| At { line: lines.of(at.line), ..at };
        for example in self.cells.values_mut().filter_map(|cell| cell.example.as_mut()) {
            example.at = number(example.at);
        }
        self.malformed = std::mem::take(&mut self.malformed)
            .into_iter()
            .map(|(at, why)| (number(at), why))
            .collect();
    }

    /// Settles which rows decide, once all of a run is tallied, and forgets its rollouts.
    pub fn close_run(&mut self) -> RolloutCounts {
        let rollouts = std::mem::take(&mut self.rollouts);
        rollouts.count(|cell| self.cells[cell as usize].deciding += 1)
    }

    /// The failure rows, by their evidence and the name of their kind.
    pub fn cells(&self) -> impl Iterator<Item = (Option<&str>, &Evidence, &Cell)> {
        self.cells.iter().map(|(evidence, cell)| {
            (evidence.kind.map(|kind| &*self.names.0[kind as usize].0), evidence, cell)
        })
    }

    /// What could not be used, in the order of the report.
    pub fn ignored(&self) -> impl Iterator<Item = (Field, JsonType, u64)> {
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

/// The distinct names of kinds, each with its number.
#[derive(Debug, Default)]
struct Names(IndexSet<Name, RandomState>);

/// A name that is found by its bytes, so that those of a row need not be decoded.
#[derive(Debug, PartialEq, Eq)]
struct Name(Box<str>);

impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_bytes().hash(state);
    }
}

impl Names {
    fn number(&mut self, name: Text<'_>) -> u32 {
        match name.as_plain().and_then(|name| self.0.get_index_of(name)) {
            Some(index) => number(index),
            None => self.insert(name.decode().into()),
        }
    }

    fn insert(&mut self, name: Box<str>) -> u32 {
        number(self.0.insert_full(Name(name)).0)
    }
}

impl Cell {
    fn merge(&mut self, other: Self) {
        self.rows += other.rows;
        self.deciding += other.deciding;
        self.example = first(self.example.take(), other.example);
    }
}

/// The example that is shown of two.
pub fn first<E: Borrow<Example>>(one: Option<E>, other: Option<E>) -> Option<E> {
    one.into_iter().chain(other).min_by_key(|example| example.borrow().rank())
}

/// A position as the number that stands for it. Four billion distinct names fit no memory.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than four billion distinct names and combinations")
}

/// Rows of one file, on their way into a tally.
#[derive(Debug)]
pub struct Rows {
    pub tally: Tally,
    /// The number of the file.
    pub file: u32,
    /// Whether it is the file of results of its run.
    pub in_results: bool,
    pub check: Check,
}

impl RowSink<KEYS_READ> for Rows {
    const KEYS: &'static Keys<KEYS_READ> = &row::KEYS;

    fn row(&mut self, at: Position, row: &RawRow<'_>) -> Result<(), Malformed> {
        let facts = row::facts(row, self.check)?;
        self.tally.row(&facts, At::new(self.file, at), self.in_results);
        Ok(())
    }

    fn malformed(&mut self, at: Position, why: Malformed) {
        self.tally.note_malformed(At::new(self.file, at), why);
    }
}

impl From<Rows> for Tally {
    fn from(rows: Rows) -> Self {
        rows.tally
    }
}

/// Lines of an inventory, on their way into a tally.
#[derive(Debug)]
pub struct Inventory {
    pub tally: Tally,
    /// The number of the file.
    pub file: u32,
}

impl RowSink<KEYS_READ> for Inventory {
    const KEYS: &'static Keys<KEYS_READ> = &row::KEYS;

    fn row(&mut self, _: Position, row: &RawRow<'_>) -> Result<(), Malformed> {
        self.tally.expect(row::identity(row)?);
        Ok(())
    }

    fn malformed(&mut self, at: Position, why: Malformed) {
        self.tally.note_malformed(At::new(self.file, at), why);
    }
}

impl From<Inventory> for Tally {
    fn from(inventory: Inventory) -> Self {
        inventory.tally
    }
}
