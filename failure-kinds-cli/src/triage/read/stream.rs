//! A stream, of which one thread at a time reads.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use super::feed::{Alone, Block, Feed};
use super::scan::Check;
use super::workers::{RowSink, Rows, Supply, Worker, work};

/// Reads all rows of a stream: each of `sinks` takes some of them, on a thread of its own.
pub(super) fn read<S: RowSink>(
    source: impl Read + Send,
    check: Check,
    sinks: impl IntoIterator<Item = S>,
) -> io::Result<Rows<S>> {
    let giants = Mutex::new(());
    let stream = Mutex::new(Stream { feed: Feed::new(source, &giants), blocks: 0 });
    let mut sinks = sinks.into_iter().map(|sink| Worker::new(sink, &stream, check));
    let mut workers: Vec<_> = sinks.by_ref().take(1).collect();
    // A source of a single block is not worth a thread.
    if workers.iter_mut().any(Worker::step) && !with(&stream, |stream| stream.feed.is_exhausted()) {
        workers.extend(sinks);
    }
    work(workers)
}

/// What is read, a block at a time.
struct Stream<'g, R> {
    feed: Feed<'g, R>,
    /// How many blocks have been filled.
    blocks: u32,
}

/// Only a source that panics poisons the lock, and that panic is on its way to the caller.
fn with<'g, R, T>(
    stream: &Mutex<Stream<'g, R>>,
    action: impl FnOnce(&mut Stream<'g, R>) -> T,
) -> T {
    action(&mut stream.lock().unwrap_or_else(PoisonError::into_inner))
}

impl<'g, R: Read + Send> Supply<'g> for &Mutex<Stream<'g, R>> {
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Alone<'g>)> {
        with(self, |stream| {
            let alone = stream.feed.fill(block)?;
            let number = stream.blocks;
            stream.blocks += 1;
            Some((number, alone))
        })
    }

    fn failure(self) -> Option<io::Error> {
        with(self, |stream| stream.feed.failure.take())
    }
}
