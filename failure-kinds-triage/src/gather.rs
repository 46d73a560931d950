//! Reads the runs, one after the other.

use super::inputs::{Input, Inputs, RowFile, Run};
use super::report::{FileReport, RolloutReport, RunReport, Seen};
use super::row::KEYS_READ;
use super::tally::{Inventory, Rows, Tally};
use crate::Error;
use failure_kinds_core::text::Escaped;
use failure_kinds_rows::{Check, End, Progress, RowSink, read_rows};

/// Reads all files. Only the rollouts of one run are held at a time.
pub fn read_runs(inputs: &Inputs, check: Check, progress: &dyn Progress) -> Result<Seen, Error> {
    let mut paths: Vec<String> = inputs.files().map(|file| file.text().into_owned()).collect();
    paths.sort_unstable();
    let mut gather = Gather { check, progress, seen: Seen { paths, ..Seen::default() } };
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
        let mut of_run = Tally::default();
        if let Some(inventory) = &run.inventory {
            self.inventory(inventory, &mut of_run)?;
        }
        for file in &run.rows {
            self.rows(file, &mut of_run)?;
        }
        let rollouts = RolloutReport::new(of_run.close_run(), run.inventory.is_some());
        let files = run.files().map(|file| file.text().into_owned()).collect();
        self.seen.runs.push(RunReport {
            path: run.path.clone(),
            rollouts,
            files,
            counts: of_run.counts,
        });
        self.seen.tally.merge(of_run);
        Ok(())
    }

    fn rows(&mut self, file: &RowFile, of_run: &mut Tally) -> Result<(), Error> {
        let (number, check) = (self.number(&file.input), self.check);
        let rows =
            || Rows { tally: Tally::default(), file: number, in_results: file.in_results, check };
        let (tally, end) = self.read(&file.input, rows)?;
        is_json_lines(&file.input, &tally, tally.counts.rows, end)?;
        self.list(&file.input, &tally, end);
        of_run.merge(tally);
        Ok(())
    }

    fn inventory(&mut self, input: &Input, of_run: &mut Tally) -> Result<(), Error> {
        let file = self.number(input);
        let (tally, end) = self.read(input, || Inventory { tally: Tally::default(), file })?;
        is_json_lines(input, &tally, tally.inventory, end)?;
        // An inventory holds no rows. It is listed only when it is not what it should be.
        if tally.counts.malformed > 0 || end != End::Whole {
            self.list(input, &tally, end);
        }
        if tally.unidentified_inventory > 0 {
            self.seen.notes.push(format!(
                "{}: {} lines name no rollout, so they are not among the expected",
                Escaped(&input.text()),
                tally.unidentified_inventory
            ));
        }
        of_run.merge(tally);
        Ok(())
    }

    /// Reads a file into sinks that `make` makes.
    fn read<S: RowSink<KEYS_READ> + Into<Tally>>(
        &mut self,
        input: &Input,
        make: impl FnMut() -> S,
    ) -> Result<(Tally, End), Error> {
        let fault = |error| Error::Read { path: input.text().into_owned(), error };
        let mut source = input.open(self.progress).map_err(fault)?;
        let (sinks, end, lines) = read_rows(&mut source, self.check, make).map_err(fault)?;
        let mut tally = Tally::default();
        for sink in sinks {
            tally.merge(sink.into());
        }
        tally.number_lines(&lines);
        if source.is_cut_short() {
            self.seen.notes.push(format!(
                "{}: the compressed stream ends before its end; what came before was read",
                Escaped(&input.text())
            ));
        }
        Ok((tally, end))
    }

    fn list(&mut self, input: &Input, tally: &Tally, end: End) {
        self.seen.files.push(FileReport {
            path: input.text().into_owned(),
            counts: tally.counts,
            truncated_last_line: end != End::Whole,
        });
    }

    /// The number of a file: its place in the order of the report.
    fn number(&self, input: &Input) -> u32 {
        let text = input.text();
        let place = self.seen.paths.partition_point(|path| **path < *text);
        u32::try_from(place).expect("fewer than four billion files")
    }
}

/// A file in which no line is an object was named by mistake. An interrupted write of the first
/// object is none.
fn is_json_lines(input: &Input, tally: &Tally, objects: u64, end: End) -> Result<(), Error> {
    let why = match (tally.malformed.first_key_value(), end) {
        _ if objects > 0 => return Ok(()),
        (Some((at, why)), _) => format!("line {}: {why}", at.line),
        (None, End::Truncated { begins_object: false }) => "its only line is no object".to_owned(),
        (None, _) => return Ok(()),
    };
    let path = input.text();
    Err(Error::Input(format!("`{}` holds no row of JSON Lines: {why}", Escaped(&path))))
}
