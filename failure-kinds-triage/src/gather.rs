//! Reads the runs, one after the other.

use super::inputs::{Input, Inputs, RowFile, Run};
use super::row::KEYS_READ;
use super::seen::{Seen, SeenFile, SeenRun};
use super::tally::{Inventory, Part, Rows, Tally};
use crate::Error;
use failure_kinds_core::text::Escaped;
use failure_kinds_rows::{Check, End, Progress, RowSink, read_rows};

/// Reads all files.
///
/// # Errors
///
/// When a file cannot be read, or holds nothing that triage reads.
pub fn read_runs(inputs: &Inputs, check: Check, progress: &dyn Progress) -> Result<Seen, Error> {
    let mut gather = Gather { check, progress, seen: Seen::default() };
    for run in &inputs.runs {
        let files = run.files().map(|file| SeenFile {
            path: file.text().into_owned(),
            run: run.path.clone(),
            ..SeenFile::default()
        });
        gather.seen.files.extend(files);
    }
    gather.seen.files.sort_by(|one, other| one.path.cmp(&other.path));
    gather.seen.skipped.clone_from(&inputs.skipped);
    for run in &inputs.runs {
        gather.run(run)?;
    }
    Ok(gather.seen)
}

struct Gather<'p> {
    check: Check,
    progress: &'p dyn Progress,
    seen: Seen,
}

impl Gather<'_> {
    fn run(&mut self, run: &Run) -> Result<(), Error> {
        let has_inventory = !run.inventories.is_empty();
        self.seen.runs.insert(run.path.clone(), SeenRun { has_inventory, ..SeenRun::default() });
        for inventory in &run.inventories {
            self.inventory(run, inventory)?;
        }
        for file in &run.rows {
            self.rows(run, file)?;
        }
        Ok(())
    }

    fn rows(&mut self, run: &Run, file: &RowFile) -> Result<(), Error> {
        let (number, check) = (self.number(&file.input), self.check);
        let rows =
            || Rows { part: Part::default(), file: number, in_results: file.in_results, check };
        let (part, end) = self.read(&file.input, rows)?;
        is_json_lines(&file.input, &part.tally, part.tally.counts.rows)?;
        self.list(number, &part.tally, end);
        self.seen.add(&run.path, part);
        Ok(())
    }

    fn inventory(&mut self, run: &Run, input: &Input) -> Result<(), Error> {
        let file = self.number(input);
        let (part, end) = self.read(input, || Inventory { part: Part::default(), file })?;
        let tally = &part.tally;
        is_json_lines(input, tally, tally.inventory)?;
        // An inventory holds no rows. It is listed only if something is wrong with it.
        if tally.counts.malformed > 0 || end != End::Whole {
            self.list(file, tally, end);
        }
        if tally.unidentified_inventory > 0 {
            self.seen.notes.push(format!(
                "{}: {} lines name no rollout, so they are not among the expected",
                Escaped(&input.text()),
                tally.unidentified_inventory
            ));
        }
        self.seen.add(&run.path, part);
        Ok(())
    }

    /// Reads a file into sinks that `make` makes.
    fn read<S: RowSink<KEYS_READ> + Into<Part>>(
        &mut self,
        input: &Input,
        make: impl FnMut() -> S,
    ) -> Result<(Part, End), Error> {
        let fault = |error| Error::Read { path: input.text().into_owned(), error };
        let mut source = input.open(self.progress).map_err(fault)?;
        let rows = read_rows(&mut source, self.check, make).map_err(fault)?;
        let mut part = Part::default();
        for sink in rows.sinks {
            part.merge(sink.into());
        }
        part.number_lines(&rows.lines);
        if rows.end == End::CutStream {
            self.seen.notes.push(format!(
                "{}: the compressed stream ends before its end; what came before was read",
                Escaped(&input.text())
            ));
        }
        Ok((part, rows.end))
    }

    fn list(&mut self, file: u32, tally: &Tally, end: End) {
        let file = &mut self.seen.files[file as usize];
        file.is_listed = true;
        file.counts = tally.counts;
        file.truncated_last_line = end != End::Whole;
        file.recognised = tally.recognised;
    }

    /// The number of a file: its place in the order of the report.
    fn number(&self, input: &Input) -> u32 {
        let text = input.text();
        let place = self.seen.files.partition_point(|file| *file.path < *text);
        u32::try_from(place).expect("fewer than four billion files")
    }
}

/// Fails if no line of a file is an object. An interrupted write of the first one is not a line.
fn is_json_lines(input: &Input, tally: &Tally, objects: u64) -> Result<(), Error> {
    match tally.malformed.iter().next() {
        Some((at, why)) if objects == 0 => {
            let (path, line) = (input.text(), at.line);
            Err(Error::Input(format!(
                "`{}` holds no row of JSON Lines: line {line}: {why}",
                Escaped(&path)
            )))
        }
        _ => Ok(()),
    }
}
