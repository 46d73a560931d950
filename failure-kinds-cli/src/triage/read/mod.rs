//! From a stream to tallied rows. Everything that is to be fast is behind [`read_rows`].

mod lines;
mod scan;
mod source;
mod validate;
mod value;

use std::io;

use self::lines::{Limits, Line, for_each_line};
pub(crate) use self::scan::{Check, Malformed, scan_object};
pub(crate) use self::source::Source;
pub(crate) use self::value::{JsonType, Value};

/// What takes the lines of a stream, in any order.
pub(crate) trait Sink {
    /// Takes one line that is not blank, and says why if it is no row.
    fn line(&mut self, number: u64, line: &[u8]) -> Result<(), Malformed>;
    /// Takes note of a line that is no row.
    fn malformed(&mut self, number: u64, why: Malformed);
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With a whole line.
    Whole,
    /// In the middle of a line, by an interrupted write or a compressed stream cut short.
    Truncated {
        /// Whether what is there of the last line begins an object.
        begins_object: bool,
    },
}

/// Reads all lines of a stream.
pub(crate) fn read_rows(source: &mut Source<'_>, sink: &mut impl Sink) -> io::Result<End> {
    let mut end = End::Whole;
    for_each_line(source, Limits::ROWS, |number, line| match line {
        Line::Whole(line) | Line::Unended(line) if line.trim_ascii().is_empty() => {}
        Line::Whole(line) => {
            if let Err(why) = sink.line(number, line) {
                sink.malformed(number, why);
            }
        }
        Line::Unended(line) => {
            if sink.line(number, line).is_err() {
                end = End::Truncated { begins_object: line.trim_ascii_start().starts_with(b"{") };
            }
        }
        Line::TooLong => sink.malformed(number, Malformed::TooLong),
    })?;
    if source.is_cut_short() && end == End::Whole {
        end = End::Truncated { begins_object: true };
    }
    Ok(end)
}
