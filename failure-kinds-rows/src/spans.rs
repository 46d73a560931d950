//! A file in spans, which threads read side by side.
//!
//! A span gives the lines that begin in it: what is left of a line that began before is passed
//! over, and the last line is read beyond the border.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memchr;

use super::feed::{Ahead, Alone, Block, Feed, Giants, READ};
use super::scan::Check;
use super::workers::{RowSink, Rows, Supply, Worker, work};
use crate::Progress;

/// Bytes of a span: so many that what two threads read of the lines on its borders does not show.
const SPAN: u64 = 16 * READ as u64;
/// Bytes read at a time beyond the border, where only the end of a line is wanted.
const BEYOND: u64 = READ as u64 / 8;

/// Bytes of which any part can be read, by several threads at once.
pub(super) trait ReadAt: Sync {
    /// Reads some of the bytes from `at` on; none when there are no more.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, at)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, at)
    }
}

#[cfg(any(test, failure_kinds_fuzzing))]
impl ReadAt for [u8] {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let at = usize::try_from(at).map_or(self.len(), |at| at.min(self.len()));
        (&self[at..]).read(buffer)
    }
}

/// Reads all rows of a file: each of `sinks` takes some of them, on a thread of its own.
pub(super) fn read<const N: usize, S: RowSink<N>>(
    spans: &Spans<'_, impl ReadAt + ?Sized>,
    check: Check,
    sinks: impl IntoIterator<Item = S>,
) -> io::Result<Rows<S>> {
    let giants = Giants::default();
    let supply = || Reading(Feed::new(SpanReader::new(spans), &giants));
    let workers = sinks.into_iter().map(|sink| Worker::new(sink, supply(), check));
    // A span is not worth more than a thread.
    work(workers.take(spans.count()).collect())
}

/// The spans of a file, each to be taken once.
pub(super) struct Spans<'f, F: ?Sized> {
    file: &'f F,
    /// What is written behind it meanwhile is not read.
    length: u64,
    /// Bytes of a span.
    span: u64,
    progress: &'f dyn Progress,
    /// Where the first span starts that was not taken.
    next: AtomicU64,
}

impl<'f, F: ReadAt + ?Sized> Spans<'f, F> {
    /// Of the first `length` bytes.
    pub(super) const fn new(file: &'f F, length: u64, progress: &'f dyn Progress) -> Self {
        Self { file, length, span: SPAN, progress, next: AtomicU64::new(0) }
    }

    #[cfg(any(test, failure_kinds_fuzzing))]
    pub(super) const fn of(mut self, span: u64) -> Self {
        self.span = span;
        self
    }

    fn count(&self) -> usize {
        usize::try_from(self.length.div_ceil(self.span)).unwrap_or(usize::MAX)
    }
}

/// Reads one span after the other.
struct Reading<'g, 's, F: ?Sized>(Feed<'g, SpanReader<'s, F>>);

impl<'g, F: ReadAt + ?Sized> Supply<'g> for Reading<'g, '_, F> {
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Alone<'g>)> {
        let Self(feed) = self;
        loop {
            if let Some(alone) = feed.fill(block) {
                return Some((feed.source.number(), alone));
            }
            if feed.failure.is_some() {
                return None;
            }
            match feed.source.advance() {
                Ok(true) => feed.resume(feed.source.ahead()),
                Ok(false) => return None,
                Err(error) => feed.failure = Some(error),
            }
        }
    }

    fn failure(self) -> Option<io::Error> {
        self.0.failure
    }
}

/// Gives the bytes of one span after the other, each with an end of its own: from the start of the
/// span to the end of the last line that begins in it.
struct SpanReader<'s, F: ?Sized> {
    spans: &'s Spans<'s, F>,
    start: u64,
    /// The border.
    end: u64,
    /// What is read next.
    at: u64,
    /// Whether no line has begun in the span yet.
    within: bool,
    done: bool,
}

impl<'s, F: ReadAt + ?Sized> SpanReader<'s, F> {
    /// Before its first span.
    const fn new(spans: &'s Spans<'s, F>) -> Self {
        Self { spans, start: 0, end: 0, at: 0, within: false, done: true }
    }

    /// Goes to the next span that nobody took, if there is one.
    fn advance(&mut self) -> io::Result<bool> {
        let Spans { file, length, span, progress, next } = self.spans;
        let start = next.fetch_add(*span, Ordering::Relaxed);
        if start >= *length {
            return Ok(false);
        }
        let end = start.saturating_add(*span).min(*length);
        let within = start > 0 && !is_newline(*file, start - 1)?;
        *self = Self { start, end, at: start, within, done: false, ..*self };
        progress.advance(end - start)?;
        Ok(true)
    }

    /// What the span starts with.
    const fn ahead(&self) -> Ahead {
        match self {
            Self { start: 0, .. } => Ahead::Start,
            Self { within: true, .. } => Ahead::RestOfLine,
            _ => Ahead::Lines,
        }
    }

    /// The number of the span, from 0.
    fn number(&self) -> u32 {
        u32::try_from(self.start / self.spans.span).expect("fewer than four billion spans")
    }
}

fn is_newline(file: &(impl ReadAt + ?Sized), at: u64) -> io::Result<bool> {
    let mut byte = [0];
    loop {
        match file.read_at(&mut byte, at) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read.map(|_| byte == *b"\n"),
        }
    }
}

impl<F: ReadAt + ?Sized> Read for SpanReader<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.done {
            return Ok(0);
        }
        let from = self.at;
        let most =
            if from < self.end { self.end - from } else { (self.spans.length - from).min(BEYOND) };
        let room = usize::try_from(most).map_or(buffer.len(), |most| most.min(buffer.len()));
        let read = self.spans.file.read_at(&mut buffer[..room], from)?;
        let fresh = &buffer[..read];
        self.at += read as u64;
        if self.within {
            let begins = |newline| from + newline as u64 + 1 < self.end;
            self.within = !memchr(b'\n', fresh).is_some_and(begins);
        }
        if from < self.end {
            self.done = self.at == self.end && (self.within || fresh.ends_with(b"\n"));
            return Ok(read);
        }
        let newline = memchr(b'\n', fresh);
        self.done = newline.is_some();
        Ok(newline.map_or(read, |newline| newline + 1))
    }
}
