//! Reads the runs, one after the other.

use std::path::Path;

use super::captures::{Calls, Captures, CapturesReport};
use super::file;
use super::inputs::{Input, Inputs, RowFile, Run, Skipped};
use super::row::KEYS_READ;
use super::seen::{Seen, SeenFile};
use super::tally::{Inventory, Part, Rows, Tally, merge_captures};
use crate::{Error, Watch};
use failure_kinds_core::text::{Escaped, path_text};
use failure_kinds_rows::{Check, End, Progress, RowSink};

/// Reads all files. One that nobody named and that cannot be read is skipped.
///
/// # Errors
///
/// When a file that is named cannot be read, or nothing that is read holds what triage reads.
pub fn read_runs(
    inputs: &Inputs,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Seen, Error> {
    let seen = gather(inputs, options, progress)?;
    seen.check()?;
    Ok(seen)
}

impl Watch {
    /// Reads what is new, and returns all that was read of these inputs so far.
    ///
    /// # Errors
    ///
    /// As for [`read_runs`].
    pub fn read(
        &mut self,
        inputs: &Inputs,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Seen, Error> {
        self.forget_others(inputs);
        let seen = gather_with(inputs, options, progress, Some(self))?;
        seen.check()?;
        Ok(seen)
    }
}

/// Reads all files, and does not check what was read, which may be a part of all.
pub(crate) fn gather(
    inputs: &Inputs,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Seen, Error> {
    gather_with(inputs, options, progress, None)
}

/// The same. A watch may know a part of the files.
fn gather_with(
    inputs: &Inputs,
    options: &ReadOptions,
    progress: &dyn Progress,
    watch: Option<&mut Watch>,
) -> Result<Seen, Error> {
    let seen = Seen { calls: Some(options.calls.clone()), ..Seen::default() };
    let mut gather = Gather { options, progress, watch, seen };
    for run in &inputs.runs {
        let rows = run.rows.iter().map(|file| (&file.input, false));
        let inventories = run.inventories.iter().map(|file| (file, true));
        let files = rows.chain(inventories).map(|(file, is_inventory)| SeenFile {
            path: file.text().into_owned(),
            run: run.path.clone(),
            is_inventory,
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

/// How files are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// How closely each line is checked.
    pub check: Check,
    /// Where to look for captures of model calls.
    pub calls: Calls,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { check: Check::Read, calls: Calls::Auto }
    }
}

struct Gather<'p> {
    options: &'p ReadOptions,
    progress: &'p dyn Progress,
    watch: Option<&'p mut Watch>,
    seen: Seen,
}

impl Gather<'_> {
    fn run(&mut self, run: &Run) -> Result<(), Error> {
        let captures = Captures::new(&self.options.calls, run.folder());
        let mut is_whole = true;
        for file in &run.rows {
            is_whole &= self.rows(run, file, captures.as_ref())?;
        }
        if let (Some(captures), Some(run)) = (captures, self.seen.runs.get_mut(&run.path)) {
            let report = CapturesReport {
                folder: captures.folder().map(|folder| path_text(folder).into_owned()),
                ..CapturesReport::default()
            };
            merge_captures(&mut run.captures, Some(report));
        }
        for inventory in &run.inventories {
            if is_whole {
                self.inventory(run, inventory)?;
            } else {
                self.skip(inventory, "does not apply: rows of its run are missing", false);
            }
        }
        Ok(())
    }

    /// Returns whether the file was read.
    fn rows(
        &mut self,
        run: &Run,
        file: &RowFile,
        captures: Option<&Captures>,
    ) -> Result<bool, Error> {
        let number = self.number(&file.input);
        let (check, progress) = (self.options.check, self.progress);
        let rows = || Rows {
            part: Part::default(),
            in_results: file.in_results,
            check,
            captures,
            progress,
        };
        let Some((part, end)) = self.read(&file.input, rows, |tally| tally.counts.rows)? else {
            return Ok(false);
        };
        self.list(number, &part.tally, end);
        self.seen.add(&run.path, part, false);
        Ok(true)
    }

    fn inventory(&mut self, run: &Run, input: &Input) -> Result<(), Error> {
        let file = self.number(input);
        let inventory = || Inventory { part: Part::default() };
        let Some((part, end)) = self.read(input, inventory, |tally| tally.inventory)? else {
            return Ok(());
        };
        let tally = &part.tally;
        // An inventory holds no rows. It is listed only if something is wrong with it.
        if tally.counts.malformed > 0 || end != End::Whole {
            self.list(file, tally, end);
        }
        let lost = tally.unidentified_inventory + tally.counts.malformed;
        if lost > 0 {
            let lines = match lost {
                1 => "1 line names no rollout, so it is".to_owned(),
                _ => format!("{lost} lines name no rollout, so they are"),
            };
            let path = input.text();
            self.seen.notes.push(format!("{}: {lines} not among the expected", Escaped(&path)));
        }
        self.seen.add(&run.path, part, true);
        Ok(())
    }

    /// Reads a file into sinks that `make` makes. `None` if it is skipped instead.
    fn read<S: RowSink<KEYS_READ> + Into<Part>>(
        &mut self,
        input: &Input,
        make: impl FnMut() -> S,
        objects: fn(&Tally) -> u64,
    ) -> Result<Option<(Part, End)>, Error> {
        let (check, progress) = (self.options.check, self.progress);
        let read = match &mut self.watch {
            Some(watch) => watch.read_file(input, check, progress, make, objects),
            None => file::read(input, check, progress, make, objects),
        };
        match read {
            Ok((mut part, end)) => {
                part.number_file(self.number(input));
                if end == End::CutStream {
                    self.seen.notes.push(format!(
                        "{}: the compressed stream ends early; what came before was read",
                        Escaped(&input.text())
                    ));
                }
                Ok(Some((part, end)))
            }
            Err(unread) if input.is_named => Err(unread.of_named(&input.text())),
            Err(unread) => {
                self.skip(input, &unread.to_string(), true);
                Ok(None)
            }
        }
    }

    fn skip(&mut self, input: &Input, why: &str, is_error: bool) {
        let path = input.path().unwrap_or(Path::new("-")).to_owned();
        self.seen.skipped.push(Skipped { path, why: why.to_owned().into(), is_error });
    }

    fn list(&mut self, file: u32, tally: &Tally, end: End) {
        let file = &mut self.seen.files[file as usize];
        file.is_listed = true;
        file.counts = tally.counts;
        file.truncated_last_line = end != End::Whole;
        file.recognised = tally.recognised || tally.counts.rows == 0;
    }

    /// The number of a file: its place in the order of the report.
    fn number(&self, input: &Input) -> u32 {
        let text = input.text();
        let place = self.seen.files.partition_point(|file| *file.path < *text);
        u32::try_from(place).expect("fewer than four billion files")
    }
}
