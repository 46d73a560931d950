//! The rows of one source, shared out among worker threads a block at a time.

use std::io::{self, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{panic, thread};

use super::fast::Scanner;
use super::feed::{Block, Feed, Line};
use super::scan::{Check, Malformed, scan_object};
use super::{End, is_blank};
use crate::triage::row::{KEYS, RawRow};

/// Takes the rows that one worker reads: some of a source, in their order.
pub(crate) trait RowSink: Send {
    /// Takes the raw values of one line, and says why if it is no row after all.
    fn row(&mut self, at: Position, row: &RawRow<'_>) -> Result<(), Malformed>;
    /// Takes note of a line that is no row.
    fn malformed(&mut self, at: Position, why: Malformed);
}

/// Where a line stands in its source, before the number of its line is known: a later line
/// compares greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(u64);

impl Position {
    fn new(block: u32, line: u32) -> Self {
        Self(u64::from(block) << 32 | u64::from(line))
    }

    /// A number that grows along the source.
    pub(crate) const fn ordinal(self) -> u64 {
        self.0
    }
}

/// The number of the line at each [`Position`] of a source that was read.
#[derive(Debug)]
pub(crate) struct LineNumbers {
    /// How many lines lie before each block.
    before: Vec<u64>,
}

impl LineNumbers {
    /// The number, from 1, of the line at the position with this ordinal.
    pub(crate) fn of(&self, ordinal: u64) -> u64 {
        let block = usize::try_from(ordinal >> 32).unwrap_or(usize::MAX);
        self.before[block] + (ordinal & u64::from(u32::MAX)) + 1
    }

    /// From the numbers of blocks and of their lines.
    fn new(mut lines: Vec<(u32, u32)>) -> Self {
        lines.sort_unstable();
        let mut sum = 0;
        let after = lines.into_iter().map(|(_, lines)| {
            sum += u64::from(lines);
            sum
        });
        Self { before: [0].into_iter().chain(after).collect() }
    }
}

/// Reads all rows of `source`: each of `sinks` takes some of them, on a thread of its own.
pub(super) fn read<S: RowSink>(
    source: impl Read + Send,
    check: Check,
    sinks: impl IntoIterator<Item = S>,
) -> io::Result<(Vec<S>, End, LineNumbers)> {
    let feed = Mutex::new(Feed::new(source));
    let mut sinks = sinks.into_iter().map(|sink| Worker::new(sink, check));
    let mut workers: Vec<_> = sinks.by_ref().take(1).collect();
    // A source of a single block is not worth a thread.
    if workers.iter_mut().any(|first| first.step(&feed)) && !lock(&feed).is_exhausted() {
        workers.extend(sinks);
    }
    thread::scope(|scope| {
        let feed = &feed;
        let [own, helpers @ ..] = workers.as_mut_slice() else { return };
        let running: Vec<_> =
            helpers.iter_mut().map(|helper| scope.spawn(|| while helper.step(feed) {})).collect();
        while own.step(feed) {}
        for helper in running {
            helper.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
        }
    });
    if let Some(error) = feed.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
        return Err(error);
    }
    let end = workers.iter().map(|worker| worker.end).find(|end| *end != End::Whole);
    let lines =
        LineNumbers::new(workers.iter().flat_map(|worker| &worker.lines).copied().collect());
    let sinks = workers.into_iter().map(|worker| worker.sink).collect();
    Ok((sinks, end.unwrap_or(End::Whole), lines))
}

/// Only a source that panics poisons the lock, and that panic is on its way to the caller.
fn lock<R>(feed: &Mutex<Feed<R>>) -> MutexGuard<'_, Feed<R>> {
    feed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fetches a block, gives its rows to the sink, and so on.
struct Worker<S> {
    sink: S,
    check: Check,
    scanner: Scanner,
    block: Block,
    /// The number of each block that was read here, and of its lines.
    lines: Vec<(u32, u32)>,
    /// How the source ended, if its last line was read here.
    end: End,
}

impl<S: RowSink> Worker<S> {
    fn new(sink: S, check: Check) -> Self {
        let scanner = Scanner::detect();
        Self { sink, check, scanner, block: Block::new(), lines: Vec::new(), end: End::Whole }
    }

    /// Deals with one block; tells whether there was one.
    fn step<R: Read>(&mut self, feed: &Mutex<Feed<R>>) -> bool {
        let mut feed = lock(feed);
        if !feed.fill(&mut self.block) {
            return false;
        }
        // Giants are dealt with one at a time, lest several of them be in memory.
        let _alone = self.block.is_giant().then_some(feed);
        let number = self.block.number;
        let Self { sink, check, scanner, block, lines, end } = self;
        let count = block.for_each_line(|line, content| {
            let at = Position::new(number, line);
            let (line, text, ended) = match content {
                Line::TooLong => return sink.malformed(at, Malformed::TooLong),
                Line::Text { line, .. } if is_blank(line) => return,
                Line::Text { line, text, ended } => (line, text, ended),
            };
            let row = match check {
                Check::Read => scanner.scan(line, text),
                Check::Every => scan_object(line, &KEYS, Check::Every),
            };
            match row.and_then(|row| sink.row(at, &row)) {
                Ok(()) => {}
                Err(why) if ended => sink.malformed(at, why),
                Err(_) => *end = End::truncated(line),
            }
        });
        lines.push((number, count));
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// A source that gives its bytes in pieces of this length.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len());
            Read::take(&mut self.0, count as u64).read(buffer)
        }
    }

    /// Keeps the value of `reward` of each row, and the rows that are none.
    #[derive(Debug, Default)]
    struct Keep(Vec<(Position, String)>);

    impl RowSink for Keep {
        fn row(&mut self, at: Position, row: &RawRow<'_>) -> Result<(), Malformed> {
            let reward = row[KEYS.len() - 1].ok_or(Malformed::Value { key: "reward" })?;
            self.0.push((at, reward.escape_ascii().to_string()));
            Ok(())
        }

        fn malformed(&mut self, at: Position, why: Malformed) {
            self.0.push((at, why.to_string()));
        }
    }

    fn rows(source: impl Read + Send, threads: usize) -> (BTreeMap<u64, String>, End) {
        let sinks = std::iter::repeat_with(Keep::default).take(threads);
        let (sinks, end, lines) = read(source, Check::Read, sinks).unwrap();
        let rows = sinks.into_iter().flat_map(|Keep(rows)| rows);
        (rows.map(|(at, text)| (lines.of(at.ordinal()), text)).collect(), end)
    }

    fn texts(text: &str) -> Vec<(u64, String)> {
        rows(text.as_bytes(), 1).0.into_iter().collect()
    }

    fn row(number: u64, reward: &str) -> (u64, String) {
        (number, reward.to_owned())
    }

    #[test]
    fn lines_end_at_newlines_alone() {
        assert_eq!(
            texts("{\"reward\":1}\r\n\n \t\r\n{\"a\":\"\u{85}\u{2028}\u{b}\",\"reward\":2}\n"),
            [row(1, "1"), row(4, "2")]
        );
    }

    #[test]
    fn a_byte_order_mark_belongs_to_no_line() {
        let rows = texts("\u{feff}{\"reward\":1}\n\u{feff}{\"reward\":2}\n");
        assert_eq!(rows, [row(1, "1"), row(2, "not a JSON object")]);
    }

    #[test]
    fn the_last_line_may_lack_its_end() {
        let end = |text: &str| rows(text.as_bytes(), 2).1;
        assert_eq!(end("{\"reward\":1}"), End::Whole);
        assert_eq!(end("{\"reward\":1"), End::Truncated { begins_object: true });
        assert_eq!(end("{\"reward\":1}\nx"), End::Truncated { begins_object: false });
        assert_eq!(end(""), End::Whole);
    }

    /// Rows around the size of a read and far beyond it, each with its number.
    fn file(lengths: &[usize]) -> String {
        let row = |(index, length): (usize, &usize)| {
            format!("{{\"p\":\"{}\",\"reward\":{index}}}\n", "x".repeat(*length))
        };
        lengths.iter().enumerate().map(row).collect()
    }

    #[test]
    fn no_border_of_a_read_shows() {
        const READ: usize = 512 << 10;
        let around = (0..130).map(|offset| vec![READ - 90 + offset, 3, 0]);
        let beyond = vec![5, 2 * READ, 0, READ, 17 << 20, 5];
        for lengths in around.chain([beyond]) {
            let text = file(&lengths);
            let (rows, end) = rows(text.as_bytes(), 2);
            let expected = (1..).map(|number| row(number, &(number - 1).to_string()));
            assert!(rows.into_iter().eq(expected.take(lengths.len())), "{lengths:?}");
            assert_eq!(end, End::Whole);
        }
    }

    #[test]
    fn a_line_of_more_than_256_mib_is_passed_over() {
        // By more than a read, so that it cannot be held to its end.
        let long = || Read::take(io::repeat(b'x'), (256 << 20) + (1 << 20));
        let short = |text: &'static str| io::Cursor::new(text);
        let source = short("{\"reward\":1}\n").chain(long());
        // Two lines in the read that ends a long one, before another long one.
        let source = source.chain(short("\n{\"reward\":2}\n{\"reward\":3}\n{")).chain(long());
        let source = source.chain(short("\n{\"reward\":4}\n"));
        let (rows, end) = rows(source, 2);
        let long = |number| row(number, "longer than 256 MiB");
        let expected = [row(1, "1"), long(2), row(3, "2"), row(4, "3"), long(5), row(6, "4")];
        assert!(rows.into_iter().eq(expected));
        assert_eq!(end, End::Whole);
    }

    #[test]
    fn a_source_that_fails_is_an_error() {
        struct Fails;
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("gone"))
            }
        }
        let source = b"{\"reward\":1}\n".chain(Fails);
        let error = read(source, Check::Read, [Keep::default()]).unwrap_err();
        assert_eq!(error.to_string(), "gone");
    }

    proptest! {
        #[test]
        fn neither_pieces_nor_threads_show(
            lengths in prop::collection::vec(0_usize..200_000, 0..12),
            piece in 1_usize..300_000,
            threads in 1_usize..4,
        ) {
            let text = file(&lengths);
            let pieces = Pieces(text.as_bytes(), piece.max(97));
            prop_assert_eq!(rows(pieces, threads), rows(text.as_bytes(), 1));
        }
    }
}
