//! What was counted over rows. Parts of a file are tallied separately and merged. Nothing depends
//! on the order of rows, except through the place of a row, which is kept where it matters.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::num::NonZero;
use std::ops::Range;

use failure_kinds::{FailureStage, is_rejudged, kinds, quota_reset_unix};
use foldhash::fast::RandomState;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::captures::{Captures, CapturesReport, FailedCall, Joined, LastCall};
use super::index::{self, Index};
use super::rollouts::{Place, Rollouts, Verdict};
use super::row::{self, Facts, Field, Identity, KEYS_READ, RawRow, Sort};
use failure_kinds_rows::{
    Check, JsonType, Keys, LineNumbers, Malformed, Position, Progress, RowSink, SyntaxError, Text,
};

/// How many malformed lines are shown.
const MALFORMED_SHOWN: usize = 20;
/// How many rows whose kind keys disagree are listed.
const CONFLICTS_LISTED: usize = 3;
/// How much of a reason is kept as an example, in characters.
const REASON_KEPT: usize = 300;
/// How many cells keep the reason of an example: those with the most rows.
const REASONS_KEPT: usize = 10_000;

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

/// What distinguishes failure rows. Each distinct one is classified once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// The name of the kind.
    pub(crate) kind: Option<NameId>,
    pub(crate) http_status: Option<NonZero<u16>>,
    pub(crate) stage: Option<FailureStage>,
    pub(crate) terminal: bool,
    pub(crate) is_final: bool,
    /// Whether the answer was saved.
    pub(crate) answer: bool,
    /// The model call that the attempt ended on.
    pub(crate) last_call: CallId,
}

/// In one word and the call, since every failure row is looked up by it.
impl Hash for Evidence {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let kind = self.kind.map_or(0, |NameId(kind)| kind.get());
        let status = self.http_status.map_or(0, NonZero::get);
        let stage = self.stage.map_or(0, |stage| stage as u8 + 1);
        let flags = [self.terminal, self.is_final, self.answer];
        let flags = flags.iter().fold(0, |flags, flag| flags << 1 | u8::from(*flag));
        let [high, low] = status.to_be_bytes();
        let rest = u32::from_be_bytes([high, low, stage, flags]);
        state.write_u64(u64::from(kind) << 32 | u64::from(rest));
        self.last_call.hash(state);
    }
}

/// The failure rows of one evidence.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) evidence: Evidence,
    /// The file of the example.
    file: u32,
    /// The line of the example.
    line: u64,
    pub(crate) rows: u64,
    /// Those of them that have no identity: each is a rollout of its own.
    pub(crate) unidentified: u64,
    /// Whether the reason of the example is kept.
    has_reason: bool,
}

impl Cell {
    /// A row to look at.
    pub(crate) const fn example(&self) -> At {
        At { file: self.file, line: self.line }
    }

    const fn look_at(&mut self, at: At, has_reason: bool) {
        At { file: self.file, line: self.line } = at;
        self.has_reason = has_reason;
    }

    /// The smallest decides which of two examples is shown: one with a reason, then by the order
    /// of files and lines.
    pub(crate) const fn rank(&self) -> (bool, At) {
        rank(self.has_reason, self.example())
    }
}

const fn rank(has_reason: bool, at: At) -> (bool, At) {
    (!has_reason, at)
}

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct At {
    /// The number of the file.
    pub(crate) file: u32,
    /// The number of the line, from 1; while the file is being read, the ordinal of its position.
    pub(crate) line: u64,
}

impl At {
    /// In the only file of a part.
    const fn new(at: Position) -> Self {
        Self { file: 0, line: at.ordinal() }
    }
}

/// The first few of what was found at lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct First<T, const SHOWN: usize>(BTreeMap<At, T>);

impl<T, const SHOWN: usize> Default for First<T, SHOWN> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T, const SHOWN: usize> First<T, SHOWN> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (At, &T)> {
        self.0.iter().map(|(at, what)| (*at, what))
    }

    fn add(&mut self, at: At, what: impl FnOnce() -> T) {
        if self.0.len() == SHOWN {
            if self.0.last_key_value().is_some_and(|(last, _)| *last < at) {
                return;
            }
            self.0.pop_last();
        }
        self.0.insert(at, what());
    }

    fn merge(&mut self, other: Self) {
        for (at, what) in other.0 {
            self.add(at, || what);
        }
    }

    fn place(&mut self, place: impl Fn(At) -> At) {
        self.0 = std::mem::take(&mut self.0).into_iter().map(|(at, it)| (place(at), it)).collect();
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

/// What was counted over the lines of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) tally: Tally,
    pub(crate) rollouts: Rollouts,
    /// What joining captures gave; `None` if they are not wanted or not there.
    pub(crate) captures: Option<CapturesReport>,
}

impl Part {
    /// Takes a row.
    fn row(&mut self, facts: &Facts<'_>, last_call: &LastCall, at: At, in_results: bool) {
        let (identity, is_masked) = (facts.identity, facts.masked);
        let (verdict, cell) = match facts.sort {
            Sort::Failure => {
                let cell = self.tally.failure(facts, last_call, at);
                let degraded = facts.degraded;
                let verdict =
                    if degraded { Verdict::Degraded(cell) } else { Verdict::Failed(cell) };
                (verdict, Some(cell))
            }
            Sort::Result => (Verdict::Result, None),
            Sort::Omitted | Sort::Unrouted => (Verdict::Omitted, None),
        };
        self.tally.row(facts, at);
        match (identity, verdict) {
            (Some(identity), verdict) => {
                let place = Place { in_results, file: at.file, line: at.line };
                self.rollouts.row(identity, place, verdict, is_masked);
            }
            (None, Verdict::Omitted) => {}
            (None, _) => self.tally.unidentified(cell),
        }
    }

    /// Counts what joining a failure row gave.
    fn joined(&mut self, joined: &Joined) {
        self.captures.get_or_insert_default().add(joined);
    }

    /// Takes a line of the run's inventory.
    fn expect(&mut self, identity: Option<Identity>) {
        self.tally.inventory += 1;
        match identity {
            Some(identity) => self.rollouts.expect(identity),
            None => self.tally.unidentified_inventory += 1,
        }
    }

    /// Takes over what another part of the same file counted.
    pub(crate) fn merge(&mut self, mut other: Self) {
        if let Some(cells) = self.tally.merge(other.tally) {
            other.rollouts.number_cells(&cells);
        }
        self.rollouts.merge(other.rollouts);
        merge_captures(&mut self.captures, other.captures);
    }

    /// Gives the file the number that it has among all files.
    pub(crate) fn number_file(&mut self, file: u32) {
        self.tally.place(|at| At { file, ..at });
        self.rollouts.number_files(&[file]);
    }

    /// Gives the lines of a file their numbers, once all of it was read.
    pub(crate) fn number_lines(&mut self, lines: &LineNumbers) {
        self.tally.place(|at| At { line: lines.of(at.line), ..at });
        self.rollouts.number_lines(lines);
    }
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

/// The number of a name, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct NameId(NonZero<u32>);

impl NameId {
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    fn new(index: u32) -> Self {
        Self(NonZero::new(index + 1).expect("it is at least 1"))
    }
}

/// What is known of the last model call of an attempt, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct CallId(u32);

impl CallId {
    const UNOBSERVED: Self = Self(0);
    const SUCCEEDED: Self = Self(1);
    /// The number of the first failed call.
    const FAILED: usize = 2;

    pub(crate) fn is_observed(self) -> bool {
        self != Self::UNOBSERVED
    }

    /// The place among the failed calls.
    const fn failed(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Self::FAILED)
    }
}

/// The distinct failed last calls. Unlike names there are few of them.
#[derive(Clone, Debug, Default)]
struct FailedCalls {
    list: Vec<FailedCall>,
    numbers: HashMap<FailedCall, CallId, RandomState>,
}

impl FailedCalls {
    fn number(&mut self, last: &LastCall) -> CallId {
        match last {
            LastCall::Unobserved => CallId::UNOBSERVED,
            LastCall::Succeeded => CallId::SUCCEEDED,
            LastCall::Failed(call) => self.insert(call),
        }
    }

    fn insert(&mut self, call: &FailedCall) -> CallId {
        if let Some(known) = self.numbers.get(call) {
            return *known;
        }
        let new = CallId(number(self.list.len() + CallId::FAILED));
        self.list.push(call.clone());
        self.numbers.insert(call.clone(), new);
        new
    }

    /// Takes over other calls; returns their numbers here.
    fn merge(&mut self, other: &Self) -> Vec<CallId> {
        other.list.iter().map(|call| self.insert(call)).collect()
    }
}

impl Serialize for FailedCalls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FailedCalls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut calls = Self::default();
        for call in Vec::deserialize(deserializer)? {
            calls.insert(&call);
        }
        Ok(calls)
    }
}

/// The distinct names of kinds. There may be millions, so they share one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    index: Index,
}

impl Names {
    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// All names, by their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.at(index))
    }

    fn get(&self, name: NameId) -> &str {
        self.at(name.index())
    }

    fn at(&self, index: usize) -> &str {
        &self.text[range(&self.ends, index)]
    }

    /// The number of a name. It is sought by its bytes, so that those of a row need not be
    /// decoded.
    fn number(&mut self, name: Text<'_>) -> NameId {
        match name.as_plain() {
            Some(plain) => self.insert(plain, || name.decode()),
            None => {
                let name = name.decode();
                self.insert(name.as_bytes(), || Cow::Borrowed(&name))
            }
        }
    }

    fn insert<'n>(&mut self, bytes: &[u8], name: impl FnOnce() -> Cow<'n, str>) -> NameId {
        let Self { text, ends, index } = self;
        let known = |name: u32| &text.as_bytes()[range(ends, name as usize)];
        let next = number(ends.len());
        let number = index.find_or_add(index::hash(bytes), next, |name| known(name) == bytes);
        if number == next {
            text.push_str(&name());
            ends.push(text.len());
        }
        NameId::new(number)
    }

    /// Takes over other names; returns their numbers here.
    fn merge(&mut self, other: &Self) -> Vec<NameId> {
        other.iter().map(|name| self.insert(name.as_bytes(), || Cow::Borrowed(name))).collect()
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut names = Self::default();
        for name in Vec::<Cow<'_, str>>::deserialize(deserializer)? {
            names.insert(name.as_bytes(), || Cow::Borrowed(&name));
        }
        Ok(names)
    }
}

/// Where a text lies among texts with these ends.
fn range(ends: &[usize], index: usize) -> Range<usize> {
    index.checked_sub(1).map_or(0, |before| ends[before])..ends[index]
}

/// The distinct pieces of evidence, each with its rows.
#[derive(Clone, Debug, Default)]
struct Cells {
    list: Vec<Cell>,
    /// The first cell of each name. Where there are millions of names, hardly any has another.
    first: Vec<u32>,
    /// The other cells.
    others: Index,
    /// The start of the reason at the example of a cell. A cell without one prefers the next row
    /// that has a reason.
    reasons: HashMap<u32, Box<str>, RandomState>,
    /// The rows and the number of the first cell whose reason was dropped last.
    bar: Option<(u64, u32)>,
}

impl Cells {
    fn row(&mut self, evidence: Evidence, reason: Option<Text<'_>>, at: At, names: &Names) -> u32 {
        let number = self.number(evidence, at);
        let cell = &mut self.list[number as usize];
        cell.rows += 1;
        if rank(reason.is_some(), at) < cell.rank() {
            match reason.filter(|_| self.admits(number, names)) {
                Some(reason) => self.keep(number, at, start(reason), names),
                None => self.look_at(number, at),
            }
        }
        number
    }

    /// The number of the cell of an evidence, which may be new.
    fn number(&mut self, evidence: Evidence, at: At) -> u32 {
        let Self { list, first, others, .. } = self;
        let is_it = |cell: u32| list[cell as usize].evidence == evidence;
        let next = number(list.len());
        let number = match evidence.kind.map(NameId::index) {
            // Names are numbered in the order of their first cells.
            Some(name) if name == first.len() => {
                first.push(next);
                next
            }
            name => match name.and_then(|name| first.get(name)) {
                Some(first) if is_it(*first) => *first,
                _ => others.find_or_add(index::hash(&evidence), next, is_it),
            },
        };
        if number == next {
            let At { file, line } = at;
            let (rows, unidentified) = (0, 0);
            list.push(Cell { evidence, file, line, rows, unidentified, has_reason: false });
        }
        number
    }

    /// Whether a cell may be one of those that keep a reason.
    fn admits(&self, cell: u32, names: &Names) -> bool {
        self.bar.is_none_or(|bar| {
            let rows = self.list[cell as usize].rows;
            self.compare((rows, cell), bar, names).is_lt()
        })
    }

    /// The order of cells by their rows, the most first, then by name.
    fn compare(&self, one: (u64, u32), other: (u64, u32), names: &Names) -> Ordering {
        let name = |cell: u32| self.list[cell as usize].evidence.kind.map(|kind| names.get(kind));
        let by_rows = other.0.cmp(&one.0);
        by_rows.then_with(|| name(one.1).cmp(&name(other.1))).then(one.1.cmp(&other.1))
    }

    /// Looks at a row without a reason, unless there is an earlier or a better one.
    fn look_at(&mut self, cell: u32, at: At) {
        let cell = &mut self.list[cell as usize];
        if rank(false, at) < cell.rank() {
            cell.look_at(at, false);
        }
    }

    /// Looks at a row with a reason. Where too many are kept, those of the cells with the fewest
    /// rows are dropped.
    fn keep(&mut self, cell: u32, at: At, reason: Box<str>, names: &Names) {
        self.list[cell as usize].look_at(at, true);
        self.reasons.insert(cell, reason);
        if self.reasons.len() < 2 * REASONS_KEPT {
            return;
        }
        let rows = |cell: &u32| (self.list[*cell as usize].rows, *cell);
        let mut cells: Vec<_> = self.reasons.keys().map(rows).collect();
        cells.select_nth_unstable_by(REASONS_KEPT, |one, other| self.compare(*one, *other, names));
        self.bar = Some(cells[REASONS_KEPT]);
        for (_, cell) in &cells[REASONS_KEPT..] {
            self.reasons.remove(cell);
            self.list[*cell as usize].has_reason = false;
        }
    }

    /// Takes over other cells; returns their numbers here. `theirs` are the numbers that their
    /// names have here, and `calls` those of their failed calls.
    fn merge(
        &mut self,
        other: Self,
        theirs: &[NameId],
        calls: &[CallId],
        names: &Names,
    ) -> Vec<u32> {
        let Self { list, mut reasons, .. } = other;
        // Rows are added in bulk now, which may bring any cell beyond it.
        self.bar = None;
        let mut numbers = Vec::with_capacity(list.len());
        for (index, cell) in (0..).zip(list) {
            let kind = cell.evidence.kind.map(|kind| theirs[kind.index()]);
            let last_call = match cell.evidence.last_call.failed() {
                Some(call) => calls[call],
                None => cell.evidence.last_call,
            };
            let evidence = Evidence { kind, last_call, ..cell.evidence };
            let number = self.number(evidence, cell.example());
            numbers.push(number);
            let known = &mut self.list[number as usize];
            known.rows += cell.rows;
            known.unidentified += cell.unidentified;
            let is_better = cell.rank() < known.rank();
            match reasons.remove(&index).filter(|_| is_better) {
                Some(reason) => self.keep(number, cell.example(), reason, names),
                None => self.look_at(number, cell.example()),
            }
        }
        numbers
    }
}

impl Serialize for Cells {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reasons: BTreeMap<_, _> = self.reasons.iter().collect();
        (&self.list, reasons).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (list, reasons) = <(Vec<Cell>, _)>::deserialize(deserializer)?;
        let mut cells = Self { reasons, ..Self::default() };
        for cell in list {
            let number = cells.number(cell.evidence, cell.example());
            cells.list[number as usize] = cell;
        }
        Ok(cells)
    }
}

/// An index as a number of half the size. Four billion distinct names fit no memory.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than four billion distinct names and combinations")
}

/// Takes over what joining captures of other rows of a run gave.
pub(crate) fn merge_captures(here: &mut Option<CapturesReport>, other: Option<CapturesReport>) {
    match (here, other) {
        (Some(here), Some(other)) => here.merge(other),
        (here, other) => *here = here.take().or(other),
    }
}

/// Takes rows of one file.
pub(crate) struct Rows<'r> {
    pub(crate) part: Part,
    /// Whether it is the file of results of its run; otherwise it is the sidecar.
    pub(crate) in_results: bool,
    pub(crate) check: Check,
    /// The captures of its run, if they are wanted.
    pub(crate) captures: Option<&'r Captures>,
    pub(crate) progress: &'r dyn Progress,
}

impl RowSink<KEYS_READ> for Rows<'_> {
    const KEYS: &'static Keys<KEYS_READ> = &row::KEYS;

    fn row<'a>(&mut self, at: Position, row: &RawRow<'a>) -> Result<(), SyntaxError<'a>> {
        let facts = row::facts(row, !self.in_results, self.check)?;
        if !self.part.tally.recognised {
            self.part.tally.recognised = row::is_recognised(row);
        }
        let last_call = match self.captures {
            Some(captures) if facts.sort == Sort::Failure => {
                let joined = captures.join(&facts, self.progress);
                self.part.joined(&joined);
                joined.last
            }
            _ => LastCall::Unobserved,
        };
        self.part.row(&facts, &last_call, At::new(at), self.in_results);
        Ok(())
    }

    fn malformed(&mut self, at: Position, why: Malformed) {
        self.part.tally.note_malformed(At::new(at), why);
    }

    fn is_slow(&self) -> bool {
        self.captures.is_some_and(Captures::has_folders)
    }
}

impl From<Rows<'_>> for Part {
    fn from(rows: Rows<'_>) -> Self {
        rows.part
    }
}

/// Takes lines of an inventory.
#[derive(Debug)]
pub(crate) struct Inventory {
    pub(crate) part: Part,
}

impl RowSink<KEYS_READ> for Inventory {
    const KEYS: &'static Keys<KEYS_READ> = &row::KEYS;

    fn row<'a>(&mut self, _: Position, row: &RawRow<'a>) -> Result<(), SyntaxError<'a>> {
        self.part.expect(row::identity(row)?);
        Ok(())
    }

    fn malformed(&mut self, at: Position, why: Malformed) {
        self.part.tally.note_malformed(At::new(at), why);
    }
}

impl From<Inventory> for Part {
    fn from(inventory: Inventory) -> Self {
        inventory.part
    }
}
