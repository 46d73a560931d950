//! JSON Lines, read fast and in bounded memory.
//!
//! [`read_rows`] is the hot path: it finds the raw values of the [`Keys`] that a [`RowSink`]
//! wants, on as many threads as there are processors. [`read_lines`] hands over whole lines, one
//! after the other. A [`Source`] is a file or a stream, plain, gzip or zstandard. The values are
//! read by [`Value`]. This crate knows no schema of any row.
//!
//! # What is checked
//!
//! Lines are told apart before they are looked into, so no fault of a line reaches another. Of
//! each line that is not blank:
//!
//! * it holds one object, and but for white space nothing else;
//! * the members of that object are a string, a colon and a value each, with commas between;
//! * strings end, and outside of strings there are as many closing brackets as opening ones, so
//!   that a line which is cut off anywhere is noticed;
//! * the values of the keys that are read are JSON, unless they are objects or arrays whose
//!   inside is not read.
//!
//! Faults inside other values may pass, unless every byte is to be checked ([`Check::Every`]).

#![deny(unsafe_code)]

mod fast;
mod feed;
mod keys;
mod progress;
mod scan;
mod source;
mod spans;
mod stream;
#[cfg(test)]
mod tests;
mod validate;
mod value;
mod workers;

use std::io;
use std::num::NonZero;

use self::feed::{Block, Feed, Giants, Line};
pub use self::keys::{Keys, RawRow};
pub use self::progress::Progress;
pub use self::scan::{Check, Malformed, is_key, scan_elements, scan_members, scan_object};
pub use self::source::Source;
use self::source::StoredFile;
use self::spans::Spans;
pub use self::value::{JsonType, Text, Value};
pub use self::workers::{LineNumbers, Position, RowSink, Rows};

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a whole line.
    Whole,
    /// In the middle of a line, by an interrupted write or a compressed stream cut short.
    Truncated {
        /// Whether what is there of the last line begins an object.
        begins_object: bool,
    },
}

impl End {
    /// With this part of a line.
    fn truncated(line: &[u8]) -> Self {
        Self::Truncated { begins_object: line.trim_ascii_start().starts_with(b"{") }
    }
}

/// Reads all rows of a stream on as many threads as there are processors. Each takes its rows
/// into a sink of its own, which `make` makes. The sinks come back in no order that means
/// anything.
pub fn read_rows<const N: usize, S: RowSink<N>>(
    source: &mut Source<'_>,
    check: Check,
    make: impl FnMut() -> S,
) -> io::Result<Rows<S>> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    let sinks = std::iter::repeat_with(make).take(threads);
    if let Some(StoredFile { file, length, progress }) = &source.file {
        return spans::read(&Spans::new(&**file, *length, *progress), check, sinks);
    }
    let (sinks, mut end, lines) = stream::read(&mut *source, check, sinks)?;
    if source.is_cut_short() && end == End::Whole {
        end = End::Truncated { begins_object: true };
    }
    Ok((sinks, end, lines))
}

/// Reads all rows of a stream on this thread, in their order, into one sink.
///
/// # Errors
///
/// When the source cannot be read to its end.
pub fn read_rows_in_order<const N: usize, S: RowSink<N>>(
    source: &mut Source<'_>,
    check: Check,
    sink: S,
) -> io::Result<(S, End)> {
    let (sink, end) = stream::read_in_order(&mut *source, check, sink)?;
    let cut_short = source.is_cut_short() && end == End::Whole;
    Ok((sink, if cut_short { End::Truncated { begins_object: true } } else { end }))
}

/// Each thread takes blocks and a tally of its own.
const MOST_THREADS: usize = 8;

/// Takes the lines of a stream, one after the other.
pub trait LineSink {
    /// Takes one line that is not blank, and says why if it is no row.
    fn line(&mut self, number: u64, line: &[u8]) -> Result<(), Malformed>;
    /// Takes note of a line that is no row.
    fn malformed(&mut self, number: u64, why: Malformed);
}

/// Reads all lines of a stream, whatever they hold.
pub fn read_lines(source: &mut Source<'_>, sink: &mut impl LineSink) -> io::Result<End> {
    let mut end = End::Whole;
    let giants = Giants::default();
    let mut feed = Feed::new(&mut *source, &giants);
    let mut block = Block::new();
    let mut before = 0;
    while let Some(_alone) = feed.fill(&mut block) {
        let count = block.for_each_line(|line, content| {
            let number = before + u64::from(line) + 1;
            match content {
                Line::TooLong => sink.malformed(number, Malformed::TooLong),
                Line::Text { line, .. } if is_blank(line) => {}
                Line::Text { line, ended, .. } => match sink.line(number, line) {
                    Ok(()) => {}
                    Err(why) if ended => sink.malformed(number, why),
                    Err(_) => end = End::truncated(line),
                },
            }
        });
        before += u64::from(count);
    }
    match feed.failure {
        Some(error) => Err(error),
        None if source.is_cut_short() && end == End::Whole => {
            Ok(End::Truncated { begins_object: true })
        }
        None => Ok(end),
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}
