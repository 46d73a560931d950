//! What was counted over the lines of one file.

use failure_kinds_rows::{
    Check, Keys, LineNumbers, Malformed, Position, Progress, RowSink, SyntaxError,
};

use super::Tally;
use super::place::At;
use crate::captures::{Captures, CapturesReport, Joined, LastCall};
use crate::rollouts::{Place, Rollouts, Verdict};
use crate::row::{self, Facts, Identity, KEYS_READ, RawRow, Sort};

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

    /// Gives the file the number that it has among all files, instead of 0.
    pub(crate) fn number_file(&mut self, file: u32) {
        if file == 0 {
            return;
        }
        self.tally.place(|at| At { file, ..at });
        self.rollouts.number_files(&[file]);
    }

    /// Gives the lines of a file their numbers, once all of it was read.
    pub(crate) fn number_lines(&mut self, lines: &LineNumbers) {
        self.tally.place(|at| At { line: lines.of(at.line), ..at });
        self.rollouts.number_lines(lines);
    }
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
