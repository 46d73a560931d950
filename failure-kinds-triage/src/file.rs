//! Reads the rows of one file.

use failure_kinds_rows::{Check, End, Progress, RowSink, Source, read_rows};

use super::error::Unread;
use super::inputs::Input;
use super::row::KEYS_READ;
use super::tally::{Part, Tally};

/// Reads a file into sinks that `make` makes. `objects` counts its lines that are objects.
pub(crate) fn read<S: RowSink<KEYS_READ> + Into<Part>>(
    input: &Input,
    check: Check,
    progress: &dyn Progress,
    make: impl FnMut() -> S,
    objects: fn(&Tally) -> u64,
) -> Result<(Part, End), Unread> {
    let mut source = input.open(progress)?;
    if let Some(format) = source.format() {
        return Err(Unread::of_format(format));
    }
    let rows = read_rows(&mut source, check, make)?;
    let mut part = Part::default();
    for sink in rows.sinks {
        part.merge(sink.into());
    }
    part.number_lines(&rows.lines);
    check_objects(&source, &part.tally, objects)?;
    Ok((part, rows.end))
}

/// Fails for a source that has lines, and none of them is an object.
pub(crate) fn check_objects(
    source: &Source<'_>,
    tally: &Tally,
    objects: fn(&Tally) -> u64,
) -> Result<(), Unread> {
    match tally.malformed.iter().next() {
        Some((at, why)) if objects(tally) == 0 => Err(without_objects(source, at.line, why)),
        _ => Ok(()),
    }
}

/// The error of a source that has lines, and none of them is an object.
pub(crate) fn without_objects(source: &Source<'_>, line: u64, why: &str) -> Unread {
    match source.format_without_objects() {
        Some(format) => Unread::of_format(format),
        None => Unread::Content(format!("holds no row of JSON Lines: line {line}: {why}")),
    }
}
