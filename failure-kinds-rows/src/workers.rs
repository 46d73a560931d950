//! The rows of one source, divided among worker threads.

use std::{io, panic, thread};

use super::fast::Scanner;
use super::feed::{Block, Line, Permit};
use super::scan::{Check, Malformed, SyntaxError, is_start_of_object, scan_row};
use super::{End, is_blank};
use crate::{Keys, RawRow};

/// Takes the rows that one worker reads: some of a source, in their order.
pub trait RowSink<const N: usize>: Send {
    /// The keys that are read of each row.
    const KEYS: &'static Keys<N>;
    /// Takes the raw values of one line.
    ///
    /// # Errors
    ///
    /// When the line is not a row after all. It is then passed to [`malformed`](Self::malformed),
    /// with the error located in the line.
    fn row<'a>(&mut self, at: Position, row: &RawRow<'a, N>) -> Result<(), SyntaxError<'a>>;
    /// Takes a line that is not a row.
    fn malformed(&mut self, at: Position, why: Malformed);
    /// Whether a row may take far longer to handle than to read. A small file of such rows is divided
    /// among all threads too.
    fn is_slow(&self) -> bool {
        false
    }
}

/// The position of a line in its source, before its number is known: a later line compares
/// greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(u64);

impl Position {
    fn new(part: u32, line: u32) -> Self {
        Self(u64::from(part) << 32 | u64::from(line))
    }

    /// A number that increases along the source.
    #[must_use]
    pub const fn ordinal(self) -> u64 {
        self.0
    }
}

/// The number of the line at each [`Position`] of a source that was read.
#[derive(Debug)]
pub struct LineNumbers {
    /// How many lines come before each part, by its number.
    before: Vec<u64>,
    /// The number of the last line.
    last: u64,
}

impl LineNumbers {
    /// The number, from 1, of the line at the position with this ordinal.
    ///
    /// # Panics
    ///
    /// When it is not the ordinal of a position in this source.
    #[must_use]
    pub fn of(&self, ordinal: u64) -> u64 {
        let part = usize::try_from(ordinal >> 32).expect("parts have numbers of 32 bits");
        self.before[part] + (ordinal & u64::from(u32::MAX)) + 1
    }

    /// The number of the last line; 0 if there is none.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// The same for a source that begins after this many lines.
    pub(crate) fn after(mut self, lines: u64) -> Self {
        for before in &mut self.before {
            *before += lines;
        }
        self.last += lines;
        self
    }

    /// From the numbers of parts and of their lines.
    fn new(mut lines: Vec<(u32, u32)>) -> Self {
        lines.sort_unstable();
        let (mut before, mut last) = (Vec::new(), 0);
        for (part, lines) in lines {
            // A part without lines may come before it.
            before.resize(part as usize + 1, last);
            last += u64::from(lines);
        }
        Self { before, last }
    }
}

/// Where a worker gets the lines of a source from. Several of these divide it into parts, and each
/// supplies its parts in their order.
pub(super) trait Supply<'l>: Send {
    /// Replaces the lines of a block that are done with by the next ones, and returns which part
    /// of the source they belong to: the same as before, or a later one.
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Permit<'l>)>;
    /// What made the source stop before its end.
    fn failure(self) -> Option<io::Error>;
}

/// The result of reading a source.
#[derive(Debug)]
pub struct Rows<S> {
    /// The sinks that took the rows, in no particular order.
    pub sinks: Vec<S>,
    /// How the source ended.
    pub end: End,
    /// The numbers of the lines.
    pub lines: LineNumbers,
}

/// Runs each of the workers on a thread of its own until there is nothing left.
pub(super) fn work<'l, const N: usize, S: RowSink<N>, B: Supply<'l>>(
    mut workers: Vec<Worker<S, B>>,
) -> io::Result<Rows<S>> {
    thread::scope(|scope| {
        let [own, helpers @ ..] = workers.as_mut_slice() else { return };
        let running: Vec<_> =
            helpers.iter_mut().map(|helper| scope.spawn(|| while helper.step() {})).collect();
        while own.step() {}
        for helper in running {
            helper.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
        }
    });
    let (mut sinks, mut end, mut lines) = (Vec::new(), End::Whole, Vec::new());
    for worker in workers {
        if let Some(error) = worker.supply.failure() {
            return Err(error);
        }
        if worker.end != End::Whole {
            end = worker.end;
        }
        lines.extend(worker.lines);
        sinks.push(worker.sink);
    }
    Ok(Rows { sinks, end, lines: LineNumbers::new(lines) })
}

/// Reads block after block, and passes the rows to the sink.
pub(super) struct Worker<S, B> {
    sink: S,
    supply: B,
    check: Check,
    scanner: Scanner,
    block: Block,
    /// The number of each part that was read here, and of its lines.
    lines: Vec<(u32, u32)>,
    /// How the source ended, if its last line was read here.
    end: End,
}

impl<'l, S, B: Supply<'l>> Worker<S, B> {
    pub(super) fn new(sink: S, supply: B, check: Check) -> Self {
        Self {
            sink,
            supply,
            check,
            scanner: Scanner::detect(),
            block: Block::new(),
            lines: Vec::new(),
            end: End::Whole,
        }
    }

    /// The sink, and how the source ended.
    pub(super) fn finish(self) -> io::Result<(S, End)> {
        self.supply.failure().map_or(Ok((self.sink, self.end)), Err)
    }

    /// Reads one block; returns whether there was one.
    pub(super) fn step<const N: usize>(&mut self) -> bool
    where
        S: RowSink<N>,
    {
        let Some((part, _permit)) = self.supply.fill(&mut self.block) else { return false };
        let before = match self.lines.last() {
            Some((last, before)) if *last == part => *before,
            _ => {
                self.lines.push((part, 0));
                0
            }
        };
        let Self { sink, check, scanner, block, lines, end, .. } = self;
        let mut row = RawRow::default();
        let count = block.for_each_line(|line, content| {
            let at = Position::new(part, before + line);
            let (line, text, ended) = match content {
                Line::TooLong => return sink.malformed(at, Malformed::TooLong),
                Line::Text { line, .. } if is_blank(line) => return,
                Line::Text { line, text, ended } => (line, text, ended),
            };
            row.clear();
            let scanned = match check {
                Check::Read => scanner.scan(line, text, S::KEYS, &mut row),
                Check::Every => scan_row(line, S::KEYS.names(), Check::Every, &mut row),
            };
            match scanned.and_then(|()| sink.row(at, &row)) {
                Ok(()) => {}
                Err(_) if !ended && is_start_of_object(line, *check) => *end = End::CutLine,
                Err(error) => sink.malformed(at, error.in_line(line)),
            }
        });
        if let Some((_, lines)) = lines.last_mut() {
            *lines += count;
        }
        true
    }
}
