//! Failure rows of one evidence.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::num::NonZero;

use failure_kinds::FailureStage;
use failure_kinds_rows::Text;
use foldhash::fast::RandomState;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::calls::CallId;
use super::names::{NameId, Names};
use super::place::At;
use super::{number, start};
use crate::index::{self, Index};

/// How many cells keep the reason of an example: those with the most rows.
const REASONS_KEPT: usize = 10_000;

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
    pub(super) file: u32,
    /// The line of the example.
    pub(super) line: u64,
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

/// The distinct pieces of evidence, each with its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    pub(super) list: Vec<Cell>,
    /// The first cell of each name. Where there are millions of names, hardly any has another.
    first: Vec<u32>,
    /// The other cells.
    others: Index,
    /// The start of the reason at the example of a cell. A cell without one prefers the next row
    /// that has a reason.
    pub(super) reasons: HashMap<u32, Box<str>, RandomState>,
    /// The rows and the number of the first cell whose reason was dropped last.
    bar: Option<(u64, u32)>,
}

impl Cells {
    pub(super) fn row(
        &mut self,
        evidence: Evidence,
        reason: Option<Text<'_>>,
        at: At,
        names: &Names,
    ) -> u32 {
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
    pub(super) fn merge(
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
