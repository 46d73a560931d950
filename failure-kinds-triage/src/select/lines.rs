//! Copies single lines of files, byte for byte.

use std::io::{self, BufRead, BufReader};

use failure_kinds_core::text::Escaped;
use failure_kinds_rows::{
    Check, Keys, Malformed, Position, Progress, RowSink, Source, SyntaxError, read_rows,
};

use super::Selected;
use crate::Error;
use crate::inputs::{Input, Inputs, Run};
use crate::row::{self, KEYS_READ, RawRow};

/// Copies the lines of a run's inventories that name one of these rollouts.
pub(super) fn of_inventories(
    run: &Run,
    selected: &[Selected<'_>],
    text: &mut Vec<u8>,
    progress: &dyn Progress,
) -> Result<(), Error> {
    if run.inventories.is_empty() {
        return Err(Error::Input(format!(
            "the run `{}` has no inventory (`STEM_materialized_inputs.jsonl`), so its inputs are \
             unknown; leave it out, or select the ids",
            Escaped(&run.path)
        )));
    }
    if selected.is_empty() {
        return Ok(());
    }
    let wanted: Vec<_> =
        selected.iter().map(|selected| (selected.rollout.task, selected.rollout.rollout)).collect();
    for inventory in &run.inventories {
        let fault = |error| Error::Read { path: inventory.text().into_owned(), error };
        let mut source = inventory.open(progress).map_err(fault)?;
        let make = || Chosen { wanted: &wanted, ordinals: Vec::new() };
        let read = read_rows(&mut source, Check::Read, make).map_err(fault)?;
        let ordinals = read.sinks.into_iter().flat_map(|sink| sink.ordinals);
        let mut numbers: Vec<u64> = ordinals.map(|ordinal| read.lines.of(ordinal)).collect();
        numbers.sort_unstable();
        copy(inventory, &numbers, text, progress)?;
    }
    Ok(())
}

/// Copies the lines of these numbers, in ascending order, of the file of this path.
pub(super) fn of_file(
    inputs: &Inputs,
    path: &str,
    numbers: &[u64],
    text: &mut Vec<u8>,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let input = inputs.files().find(|input| input.text() == path);
    copy(input.expect("the selection is of these inputs"), numbers, text, progress)
}

/// The lines of an inventory that name a wanted rollout.
struct Chosen<'w> {
    /// In ascending order.
    wanted: &'w [(i64, i64)],
    ordinals: Vec<u64>,
}

impl RowSink<KEYS_READ> for Chosen<'_> {
    const KEYS: &'static Keys<KEYS_READ> = &row::KEYS;

    fn row<'a>(&mut self, at: Position, raw: &RawRow<'a>) -> Result<(), SyntaxError<'a>> {
        if let Some(identity) = row::identity(raw)?
            && self.wanted.binary_search(&(identity.task, identity.rollout)).is_ok()
        {
            self.ordinals.push(at.ordinal());
        }
        Ok(())
    }

    fn malformed(&mut self, _: Position, _: Malformed) {}
}

fn copy(
    input: &Input,
    numbers: &[u64],
    text: &mut Vec<u8>,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let fault = |error| Error::Read { path: input.text().into_owned(), error };
    let source = input.open(progress).map_err(fault)?;
    if copy_lines(source, numbers, text).map_err(fault)? {
        return Ok(());
    }
    Err(Error::Input(format!(
        "`{}` has become shorter since it was read; run the command again",
        Escaped(&input.text())
    )))
}

/// Copies the lines of these numbers; returns whether all of them are there.
fn copy_lines(source: Source<'_>, numbers: &[u64], text: &mut Vec<u8>) -> io::Result<bool> {
    let mut source = BufReader::new(source);
    let mut before = 0;
    for number in numbers {
        for _ in before + 1..*number {
            source.skip_until(b'\n')?;
        }
        before = *number;
        let start = text.len();
        if source.read_until(b'\n', text)? == 0 {
            return Ok(false);
        }
        // A byte order mark belongs to no line.
        if *number == 1 && text[start..].starts_with("\u{feff}".as_bytes()) {
            text.drain(start..start + "\u{feff}".len());
        }
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
    }
    Ok(true)
}
