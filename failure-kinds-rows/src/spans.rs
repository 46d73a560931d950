//! Plain bytes in spans, which threads read side by side.
//!
//! A span has the lines that begin in it: the rest of a line that began before it is skipped, and
//! its last line is read beyond its end.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memchr;

use super::feed::{Block, Feed, LargeLines, Next, Permit, READ};
use super::scan::Check;
use super::source::ReadAt;
use super::workers::{RowSink, Rows, Supply, Worker, work};
use crate::Progress;

/// Bytes of a span: enough to make what two threads read of the lines on its borders negligible.
const SPAN: u64 = 16 * READ as u64;
/// Bytes read at a time beyond the end of a span, where only the end of a line is wanted.
const BEYOND: u64 = READ as u64 / 8;

/// Reads all rows: each of `sinks` takes some of them, on a thread of its own.
pub(super) fn read<const N: usize, S: RowSink<N>>(
    spans: &Spans<'_, impl ReadAt + ?Sized>,
    check: Check,
    sinks: impl IntoIterator<Item = S>,
) -> io::Result<Rows<S>> {
    let large_lines = LargeLines::default();
    let supply = || Reading(Feed::new(SpanReader::new(spans), &large_lines));
    let workers = sinks.into_iter().map(|sink| Worker::new(sink, supply(), check));
    // One thread reads a span.
    work(workers.take(spans.count()).collect())
}

/// Bytes of a span if rows are slow.
const SMALL_SPAN: u64 = READ as u64 / 32;
/// How many small spans there are for each thread, so that all have work to the end.
const SMALL_SPANS: u64 = 8;

/// The spans of some bytes, each to be taken once.
pub(super) struct Spans<'f, F: ?Sized> {
    file: &'f F,
    /// Where the first span starts: at the start of a line.
    start: u64,
    /// Where the last span ends. What is appended meanwhile is not read.
    end: u64,
    /// Bytes of a span.
    span: u64,
    progress: &'f dyn Progress,
    /// Where the first span starts that nobody took.
    next: AtomicU64,
}

impl<'f, F: ReadAt + ?Sized> Spans<'f, F> {
    /// These bytes of a file.
    pub(super) const fn new(file: &'f F, bytes: Range<u64>, progress: &'f dyn Progress) -> Self {
        let Range { start, end } = bytes;
        Self { file, start, end, span: SPAN, progress, next: AtomicU64::new(start) }
    }

    /// The same bytes in smaller spans, for this many threads that read slow rows.
    pub(super) fn for_slow_rows(mut self, threads: usize) -> Self {
        let spans = SMALL_SPANS.saturating_mul(threads as u64).max(1);
        self.span = ((self.end - self.start) / spans).clamp(SMALL_SPAN, SPAN);
        self
    }

    #[cfg(test)]
    pub(super) const fn of(mut self, span: u64) -> Self {
        self.span = span;
        self
    }

    pub(super) fn count(&self) -> usize {
        usize::try_from((self.end - self.start).div_ceil(self.span)).unwrap_or(usize::MAX)
    }
}

/// Reads one span after the other.
struct Reading<'l, 's, F: ?Sized>(Feed<'l, SpanReader<'s, F>>);

impl<'l, F: ReadAt + ?Sized> Supply<'l> for Reading<'l, '_, F> {
    fn fill(&mut self, block: &mut Block) -> Option<(u32, Permit<'l>)> {
        let Self(feed) = self;
        loop {
            if let Some(permit) = feed.fill(block) {
                return Some((feed.source.number(), permit));
            }
            if feed.failure.is_some() {
                return None;
            }
            match feed.source.advance() {
                Ok(true) => feed.resume(feed.source.starts_with()),
                Ok(false) => return None,
                Err(error) => feed.failure = Some(error),
            }
        }
    }

    fn failure(self) -> Option<io::Error> {
        self.0.failure
    }
}

/// Reads one span after the other, each to its own end: from the start of the span to the end of
/// the last line that begins in it.
struct SpanReader<'s, F: ?Sized> {
    spans: &'s Spans<'s, F>,
    start: u64,
    /// The end of the span.
    end: u64,
    /// What is read next.
    at: u64,
    /// Whether no line has begun in the span so far.
    within: bool,
    done: bool,
}

impl<'s, F: ReadAt + ?Sized> SpanReader<'s, F> {
    /// Before its first span.
    const fn new(spans: &'s Spans<'s, F>) -> Self {
        Self { spans, start: 0, end: 0, at: 0, within: false, done: true }
    }

    /// Moves to the next span that nobody took, if there is one.
    fn advance(&mut self) -> io::Result<bool> {
        let Spans { file, end, span, progress, next, .. } = self.spans;
        let start = next.fetch_add(*span, Ordering::Relaxed);
        if start >= *end {
            return Ok(false);
        }
        let end = start.saturating_add(*span).min(*end);
        let within = start > 0 && !is_newline(*file, start - 1)?;
        *self = Self { start, end, at: start, within, done: false, ..*self };
        progress.advance(end - start)?;
        Ok(true)
    }

    const fn starts_with(&self) -> Next {
        match self {
            Self { start: 0, .. } => Next::Start,
            Self { within: true, .. } => Next::RestOfLine,
            _ => Next::Lines,
        }
    }

    /// The number of the span, from 0.
    fn number(&self) -> u32 {
        u32::try_from((self.start - self.spans.start) / self.spans.span)
            .expect("fewer than four billion spans")
    }
}

/// The end of the last whole line of these bytes.
pub(super) fn end_of_lines(file: &(impl ReadAt + ?Sized), bytes: Range<u64>) -> io::Result<u64> {
    let mut buffer = vec![0; READ];
    let mut end = bytes.end;
    while end > bytes.start {
        let start = bytes.start.max(end.saturating_sub(READ as u64));
        let mut rest = &mut buffer[..usize::try_from(end - start).unwrap_or(READ)];
        let mut at = start;
        while !rest.is_empty() {
            match file.read_at(rest, at) {
                // It has become shorter meanwhile.
                Ok(0) => break,
                Ok(read) => {
                    rest = &mut rest[read..];
                    at += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let length = usize::try_from(at - start).unwrap_or(READ);
        if let Some(newline) = memchr::memrchr(b'\n', &buffer[..length]) {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
    }
    Ok(bytes.start)
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
            if from < self.end { self.end - from } else { (self.spans.end - from).min(BEYOND) };
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
