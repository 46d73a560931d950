//! A stream, which one thread at a time reads ahead for the others.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::End;
use super::feed::{Alone, Block, Feed, Giants, READ};
use super::scan::Check;
use super::workers::{RowSink, Rows, Supply, Worker, work};

/// How many bytes are read ahead: some blocks, or one that is larger.
const AHEAD: usize = 4 * READ;

/// Reads all rows of a stream: each of `sinks` takes some of them, on a thread of its own.
pub(super) fn read<const N: usize, S: RowSink<N>>(
    source: impl Read + Send,
    check: Check,
    sinks: impl IntoIterator<Item = S>,
) -> io::Result<Rows<S>> {
    let giants = Giants::default();
    let stream = Stream {
        stock: Mutex::new(Stock {
            feed: Some(Feed::new(source, &giants)),
            portions: VecDeque::new(),
            spare: Vec::new(),
            filled: 0,
            exhausted: false,
        }),
        changed: Condvar::new(),
    };
    let mut sinks = sinks.into_iter().map(|sink| Worker::new(sink, &stream, check));
    let mut workers: Vec<_> = sinks.by_ref().take(1).collect();
    // A source of a few blocks is not worth a thread.
    if workers.iter_mut().any(|worker| worker.step()) && !stream.lock().exhausted {
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
    let giants = Giants::default();
    let mut worker = Worker::new(sink, InOrder(Feed::new(source, &giants)), check);
    while worker.step() {}
    worker.finish()
}

/// Reads one block after the other, all of one part.
struct InOrder<'g, R>(Feed<'g, R>);

impl<'g, R: Read + Send> Supply<'g> for InOrder<'g, R> {
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Alone<'g>)> {
        self.0.fill(block).map(|alone| (0, alone))
    }

    fn failure(self) -> Option<io::Error> {
        self.0.failure
    }
}

/// What is read by whichever worker finds that no other one does.
struct Stream<'g, R> {
    stock: Mutex<Stock<'g, R>>,
    changed: Condvar,
}

struct Stock<'g, R> {
    /// Away while a worker reads.
    feed: Option<Feed<'g, R>>,
    /// What was read ahead.
    portions: VecDeque<Portion<'g>>,
    /// Blocks that are done with.
    spare: Vec<Block>,
    /// How many were filled.
    filled: u32,
    /// Whether nothing more will come.
    exhausted: bool,
}

/// Some lines of the stream.
struct Portion<'g> {
    /// How many came before.
    number: u32,
    block: Block,
    alone: Alone<'g>,
}

impl<'g, R: Read> Stream<'g, R> {
    /// Only a panic on its way to the caller poisons the lock.
    fn lock(&self) -> MutexGuard<'_, Stock<'g, R>> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the next portion, and adds it to the stock.
    fn read(&self, mut feed: Feed<'g, R>, mut block: Block) {
        // Others wait for a reader, also for one that panics.
        let filled = panic::catch_unwind(AssertUnwindSafe(|| feed.fill(&mut block)));
        let mut stock = self.lock();
        stock.exhausted = !matches!(filled, Ok(Some(_)));
        stock.feed = Some(feed);
        match filled {
            Ok(Some(alone)) => {
                let number = stock.filled;
                stock.portions.push_back(Portion { number, block, alone });
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

impl<'g, R> Stock<'g, R> {
    /// Takes the feed if nobody reads and there is room for more. Behind a giant nothing is read
    /// before it is gone.
    fn feed(&mut self) -> Option<Feed<'g, R>> {
        let behind_giant = self.portions.back().is_some_and(|last| last.alone.is_giant());
        let ahead: usize = self.portions.iter().map(|portion| portion.block.len()).sum();
        let wants_more = !self.exhausted && !behind_giant && ahead < AHEAD;
        if wants_more { self.feed.take() } else { None }
    }
}

impl<'g, R: Read + Send> Supply<'g> for &Stream<'g, R> {
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Alone<'g>)> {
        let mut stock = self.lock();
        loop {
            if let Some(feed) = stock.feed() {
                let block = stock.spare.pop().unwrap_or_else(Block::new);
                drop(stock);
                self.read(feed, block);
                stock = self.lock();
            } else if let Some(portion) = stock.portions.pop_front() {
                stock.spare.push(std::mem::replace(block, portion.block));
                return Some((portion.number, portion.alone));
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
