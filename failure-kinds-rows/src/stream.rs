//! A stream, which one thread at a time reads ahead for the others.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::End;
use super::feed::{Block, Feed, LargeLines, Permit, READ};
use super::scan::Check;
use super::workers::{RowSink, Rows, Supply, Worker, work};

/// How many bytes are read ahead: several blocks, or one that is larger.
const AHEAD: usize = 4 * READ;

/// Reads all rows of a stream: each of `sinks` takes some of them, on a thread of its own.
pub(super) fn read<const N: usize, S: RowSink<N>>(
    source: impl Read + Send,
    check: Check,
    sinks: impl IntoIterator<Item = S>,
) -> io::Result<Rows<S>> {
    let large_lines = LargeLines::default();
    let stream = Stream {
        stock: Mutex::new(Stock {
            feed: Some(Feed::new(source, &large_lines)),
            portions: VecDeque::new(),
            spare: Vec::new(),
            filled: 0,
            exhausted: false,
        }),
        changed: Condvar::new(),
    };
    let mut sinks = sinks.into_iter().map(|sink| Worker::new(sink, &stream, check));
    let mut workers: Vec<_> = sinks.by_ref().take(1).collect();
    // A source of a few blocks needs no other thread.
    if workers.iter_mut().any(Worker::step) && !stream.lock().exhausted {
        workers.extend(sinks);
    }
    work(workers)
}

/// Reads all rows of a stream on this thread.
pub(super) fn read_in_order<const N: usize, S: RowSink<N>>(
    source: impl Read + Send,
    check: Check,
    sink: S,
) -> io::Result<(S, End)> {
    let large_lines = LargeLines::default();
    let mut worker = Worker::new(sink, InOrder(Feed::new(source, &large_lines)), check);
    while worker.step() {}
    worker.finish()
}

/// Reads one block after the other, all of one part.
struct InOrder<'l, R>(Feed<'l, R>);

impl<'l, R: Read + Send> Supply<'l> for InOrder<'l, R> {
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Permit<'l>)> {
        self.0.fill(block).map(|permit| (0, permit))
    }

    fn failure(self) -> Option<io::Error> {
        self.0.failure
    }
}

/// A stream that is read by whichever worker finds that no other one reads it.
struct Stream<'l, R> {
    stock: Mutex<Stock<'l, R>>,
    changed: Condvar,
}

struct Stock<'l, R> {
    /// `None` while a worker reads.
    feed: Option<Feed<'l, R>>,
    /// What was read ahead.
    portions: VecDeque<Portion<'l>>,
    /// Blocks that are done with.
    spare: Vec<Block>,
    /// How many were filled.
    filled: u32,
    /// Whether nothing more will come.
    exhausted: bool,
}

/// Some lines of the stream.
struct Portion<'l> {
    /// How many came before.
    number: u32,
    block: Block,
    permit: Permit<'l>,
}

impl<'l, R: Read> Stream<'l, R> {
    /// Only a panic on its way to the caller poisons the lock.
    fn lock(&self) -> MutexGuard<'_, Stock<'l, R>> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the next portion, and adds it to the stock.
    fn read(&self, mut feed: Feed<'l, R>, mut block: Block) {
        // The others wait for the reader, even if it panics.
        let filled = panic::catch_unwind(AssertUnwindSafe(|| feed.fill(&mut block)));
        let mut stock = self.lock();
        stock.exhausted = !matches!(filled, Ok(Some(_)));
        stock.feed = Some(feed);
        match filled {
            Ok(Some(permit)) => {
                let number = stock.filled;
                stock.portions.push_back(Portion { number, block, permit });
                stock.filled += 1;
                self.changed.notify_one();
            }
            Ok(None) => self.changed.notify_all(),
            Err(payload) => {
                self.changed.notify_all();
                panic::resume_unwind(payload);
            }
        }
    }
}

impl<'l, R> Stock<'l, R> {
    /// Takes the feed if nobody reads and there is room for more. After a large line nothing is
    /// read before it is done with.
    fn feed(&mut self) -> Option<Feed<'l, R>> {
        let after_large = self.portions.back().is_some_and(|last| last.permit.is_for_large_line());
        let ahead: usize = self.portions.iter().map(|portion| portion.block.len()).sum();
        let wants_more = !self.exhausted && !after_large && ahead < AHEAD;
        if wants_more { self.feed.take() } else { None }
    }
}

impl<'l, R: Read + Send> Supply<'l> for &Stream<'l, R> {
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Permit<'l>)> {
        let mut stock = self.lock();
        loop {
            if let Some(feed) = stock.feed() {
                let block = stock.spare.pop().unwrap_or_else(Block::new);
                drop(stock);
                self.read(feed, block);
                stock = self.lock();
            } else if let Some(portion) = stock.portions.pop_front() {
                stock.spare.push(std::mem::replace(block, portion.block));
                return Some((portion.number, portion.permit));
            } else if stock.exhausted {
                return None;
            } else {
                stock = self.changed.wait(stock).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn failure(self) -> Option<io::Error> {
        self.lock().feed.as_mut()?.failure.take()
    }
}
