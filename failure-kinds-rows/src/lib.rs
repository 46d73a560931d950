//! JSON Lines, read fast and in bounded memory.
//!
//! A [`Source`] is a file, a stream or bytes in memory, plain or compressed with gzip or zstandard.
//! [`read_rows`] is the hot path: it finds the raw values of the [`Keys`] that a [`RowSink`] wants,
//! on as many threads as there are processors. [`Value`] reads such a value. [`read_lines`] visits
//! whole lines in their order. This crate does not know the schema of any row.
//!
//! ```
//! use failure_kinds_rows::{
//!     Check, Keys, Malformed, Position, RawRow, RowSink, Source, SyntaxError, Value, read_rows,
//! };
//!
//! /// Adds up the rewards of rows.
//! #[derive(Default)]
//! struct Rewards {
//!     sum: i64,
//!     malformed: u64,
//! }
//!
//! impl RowSink<1> for Rewards {
//!     const KEYS: &'static Keys<1> = &Keys::new(["reward"]);
//!
//!     fn row<'a>(&mut self, _: Position, row: &RawRow<'a, 1>) -> Result<(), SyntaxError<'a>> {
//!         let [Some(raw)] = row.values() else { return Ok(()) };
//!         match Value::parse(raw) {
//!             Some(Value::Integer(Some(reward))) => self.sum += reward,
//!             Some(_) => {}
//!             None => return Err(SyntaxError::value("reward", raw)),
//!         }
//!         Ok(())
//!     }
//!
//!     fn malformed(&mut self, _: Position, _: Malformed) {
//!         self.malformed += 1;
//!     }
//! }
//!
//! let text = b"{\"reward\": 1}\n{\"reward\": nul}\n{\"x\": {\"reward\": 5}, \"reward\": 2}\n";
//! let mut source = Source::from_bytes(text.to_vec(), &())?;
//! let rows = read_rows(&mut source, Check::Read, Rewards::default)?;
//! assert_eq!(rows.sinks.iter().map(|sink| sink.sum).sum::<i64>(), 3);
//! assert_eq!(rows.sinks.iter().map(|sink| sink.malformed).sum::<u64>(), 1);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # What is a line
//!
//! Only `\n` ends a line; one `\r` before it is dropped. A byte order mark at the start belongs to
//! no line, and blank lines are skipped. The last line may lack its newline: if it is the start of
//! an object and nothing else, it is an interrupted write, which [`End`] reports. A line of more
//! than [`LONGEST_LINE`] bytes is malformed and skipped without being buffered.
//!
//! # What is checked
//!
//! Lines are separated before they are scanned, so no error in a line affects another. Of each line
//! that is not blank:
//!
//! * it holds one object, and nothing else but white space;
//! * the members of that object are a string, a colon and a value each, with commas between them;
//! * strings end, and outside of strings there are as many closing brackets as opening ones, so
//!   that a line which was cut off anywhere is noticed;
//! * the values of the keys that are read are JSON, unless they are objects or arrays whose
//!   inside is not read.
//!
//! Errors inside other values may pass, unless every byte is checked ([`Check::Every`]).
//!
//! # Where to start
//!
//! `source` opens and decompresses, and `format` recognizes what is not JSON Lines. `feed` cuts
//! blocks of whole lines; `spans` (files) and `stream` distribute them to `workers`. `fast` scans a
//! line, with the result that `scan` defines.

#![deny(unsafe_code)]

mod compression;
mod fast;
mod feed;
mod file_id;
mod format;
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

use std::fs::File;
use std::io;
use std::num::NonZero;

pub use self::compression::Compression;
pub use self::feed::LONGEST_LINE;
use self::feed::{Block, Feed, LargeLines, Line};
pub use self::file_id::FileId;
pub use self::format::Format;
pub use self::keys::{Keys, RawRow};
pub use self::progress::Progress;
use self::scan::is_start_of_object;
pub use self::scan::{
    Check, Malformed, Reason, SyntaxError, is_key, scan_elements, scan_members, scan_object,
};
pub use self::source::Source;
use self::source::Stored;
use self::spans::Spans;
pub use self::value::{JsonType, Text, Value};
pub use self::workers::{LineNumbers, Position, RowSink, Rows};

/// How a source ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a whole line.
    Whole,
    /// With the start of an object: an interrupted write.
    CutLine,
    /// A compressed stream ended early. What came before was read.
    CutStream,
}

impl End {
    /// The end of a source whose lines ended like this.
    const fn of(source: &Source<'_>, lines: Self) -> Self {
        if source.is_cut_short() { Self::CutStream } else { lines }
    }
}

/// Reads all rows of a source on as many threads as there are processors. `make` makes a sink for
/// each of them.
///
/// # Errors
///
/// When the source cannot be read to its end.
pub fn read_rows<const N: usize, S: RowSink<N>>(
    source: &mut Source<'_>,
    check: Check,
    make: impl FnMut() -> S,
) -> io::Result<Rows<S>> {
    let sinks: Vec<S> = sinks(make).collect();
    if let Some(Stored { bytes, length, progress }) = &source.stored {
        let mut spans = Spans::new(&**bytes, 0..*length, *progress);
        if sinks.iter().any(RowSink::is_slow) {
            spans = spans.for_slow_rows(sinks.len());
        }
        return spans::read(&spans, check, sinks);
    }
    let rows = stream::read(&mut *source, check, sinks)?;
    Ok(Rows { end: End::of(source, rows.end), ..rows })
}

/// Reads all rows of a source on this thread, in their order, into one sink.
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
    Ok((sink, End::of(source, end)))
}

/// A sink for each thread.
fn sinks<S>(make: impl FnMut() -> S) -> impl Iterator<Item = S> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    std::iter::repeat_with(make).take(threads)
}

/// Each thread needs blocks and a sink of its own.
const MOST_THREADS: usize = 8;

/// The end of the whole lines that were read of a file that grows. The default is its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// How many bytes come before.
    pub bytes: u64,
    /// How many lines come before.
    pub lines: u64,
}

/// Reads the rows of the whole lines that come after a mark in an uncompressed file, and returns
/// the mark to continue from. A last line without a newline is left to a later reading.
///
/// # Errors
///
/// When the file cannot be read, and when it has become shorter.
pub fn read_appended<const N: usize, S: RowSink<N>>(
    file: &File,
    mark: Mark,
    check: Check,
    progress: &dyn Progress,
    make: impl FnMut() -> S,
) -> io::Result<(Rows<S>, Mark)> {
    let length = file.metadata()?.len();
    if length < mark.bytes {
        return Err(io::Error::other("the file has become shorter"));
    }
    let end = spans::end_of_lines(file, mark.bytes..length)?;
    let rows = spans::read(&Spans::new(file, mark.bytes..end, progress), check, sinks(make))?;
    let rows = Rows { lines: rows.lines.after(mark.lines), ..rows };
    let mark = Mark { bytes: end, lines: rows.lines.last() };
    Ok((rows, mark))
}

/// Takes the lines of a source, one after the other.
pub trait LineSink {
    /// Takes one line that is not blank.
    ///
    /// # Errors
    ///
    /// When the line is not a row. It is then passed to [`malformed`](Self::malformed), with the
    /// error located in the line.
    fn line<'a>(&mut self, number: u64, line: &'a [u8]) -> Result<(), SyntaxError<'a>>;
    /// Takes a line that is not a row.
    fn malformed(&mut self, number: u64, why: Malformed);
}

/// Reads all lines of a source, whatever they hold.
///
/// # Errors
///
/// When the source cannot be read to its end.
pub fn read_lines(source: &mut Source<'_>, sink: &mut impl LineSink) -> io::Result<End> {
    let mut end = End::Whole;
    let large_lines = LargeLines::default();
    let mut feed = Feed::new(&mut *source, &large_lines);
    let mut block = Block::new();
    let mut before = 0;
    while let Some(_permit) = feed.fill(&mut block) {
        let count = block.for_each_line(|line, content| {
            let number = before + u64::from(line) + 1;
            match content {
                Line::TooLong => sink.malformed(number, Malformed::TooLong),
                Line::Text { line, .. } if is_blank(line) => {}
                Line::Text { line, ended, .. } => match sink.line(number, line) {
                    Ok(()) => {}
                    Err(_) if !ended && is_start_of_object(line, Check::Read) => end = End::CutLine,
                    Err(error) => sink.malformed(number, error.in_line(line)),
                },
            }
        });
        before += u64::from(count);
    }
    match feed.failure {
        Some(error) => Err(error),
        None => Ok(End::of(source, end)),
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
