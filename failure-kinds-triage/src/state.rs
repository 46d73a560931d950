//! What was read of a part of the inputs, on its way to one report of all of them.

#[cfg(feature = "bytes")]
mod bytes;

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use failure_kinds_core::text::{Escaped, path_text};
use failure_kinds_rows::Progress;
use serde::{Deserialize, Serialize};

use super::inputs::{Inputs, Run};
use super::seen::Seen;
use crate::gather::gather;
use crate::{Error, ReadOptions};

/// What was read of some files, perhaps in another process or on another machine.
///
/// States [merge](Self::merge), in any order and partition, to what one reading of all files
/// gives. The unit is a file. An inventory is read with any file of its run; it counts once all
/// files of the run are there, as when they are named together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TriageState {
    seen: Seen,
    /// By the path of the run.
    waiting: BTreeMap<String, Inventory>,
}

/// An inventory that waits for other files of its run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Inventory {
    path: String,
    /// The paths of the files that it waits for.
    others: BTreeSet<String>,
    seen: Seen,
    /// What it holds as rows, if it alone was named.
    rows: Option<Seen>,
}

impl TriageState {
    /// Reads files.
    ///
    /// # Errors
    ///
    /// When a file that is named cannot be read.
    pub fn read(
        inputs: &Inputs,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let read = |runs| {
            let inputs = Inputs { runs, skipped: Vec::new(), waiting: Vec::new() };
            gather(&inputs, options, progress)
        };
        let alone: HashSet<_> =
            inputs.waiting.iter().filter_map(|waiting| waiting.alone.as_ref()).collect();
        let (rows, runs): (Vec<_>, Vec<_>) =
            inputs.runs.iter().cloned().partition(|run| alone.contains(&run.path));
        let mut state = Self { seen: read(runs)?, waiting: BTreeMap::new() };
        state.seen.skipped.extend(inputs.skipped.iter().cloned());
        for waiting in &inputs.waiting {
            let inventories = vec![waiting.inventory.clone()];
            let run = Run { path: waiting.run.clone(), rows: Vec::new(), inventories };
            let alone = rows.iter().find(|run| Some(&run.path) == waiting.alone.as_ref());
            let inventory = Inventory {
                path: waiting.inventory.text().into_owned(),
                others: waiting.others.iter().map(|path| path_text(path).into_owned()).collect(),
                seen: read(vec![run])?,
                rows: alone.map(|run| read(vec![run.clone()])).transpose()?,
            };
            state.wait(waiting.run.clone(), inventory);
        }
        Ok(state)
    }

    /// Takes over what was read of other files.
    ///
    /// # Errors
    ///
    /// When a file is in both, which would count its rows twice.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        let here: HashSet<_> = self.seen.paths().collect();
        if let Some(path) = other.seen.paths().find(|path| here.contains(path)) {
            return Err(Error::Input(format!("`{}` was read into both states", Escaped(path))));
        }
        self.seen.merge(other.seen);
        for (run, inventory) in other.waiting {
            self.wait(run, inventory);
        }
        self.settle();
        Ok(())
    }

    fn wait(&mut self, run: String, inventory: Inventory) {
        match self.waiting.entry(run) {
            Entry::Vacant(entry) => {
                entry.insert(inventory);
            }
            Entry::Occupied(entry) => {
                let known = entry.into_mut();
                known.others.extend(inventory.others);
                known.rows = known.rows.take().or(inventory.rows);
            }
        }
    }

    /// Takes over the inventories that wait for nothing any more, and forgets that files were
    /// skipped which are read now.
    fn settle(&mut self) {
        let paths: HashSet<_> = self.seen.paths().map(str::to_owned).collect();
        for (run, inventory) in std::mem::take(&mut self.waiting) {
            if paths.contains(&inventory.path) {
                continue;
            }
            if inventory.others.iter().all(|path| paths.contains(path)) {
                self.seen.merge(inventory.seen);
            } else {
                self.waiting.insert(run, inventory);
            }
        }
        let paths: HashSet<_> = self.seen.files.iter().map(|file| &*file.path).collect();
        self.seen.skipped.retain(|skipped| !paths.contains(&*path_text(&skipped.path)));
    }

    /// What was read. An inventory of which no other file of the run was read counts as rows.
    ///
    /// # Errors
    ///
    /// When nothing that was read holds what triage reads.
    pub fn seen(&self) -> Result<Cow<'_, Seen>, Error> {
        let mut seen = Cow::Borrowed(&self.seen);
        for (run, inventory) in &self.waiting {
            if let Some(rows) = &inventory.rows
                && !self.seen.runs.contains_key(run)
            {
                seen.to_mut().merge(rows.clone());
            }
        }
        seen.check()?;
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Report, Terms, inputs};
    use failure_kinds::FailureClassificationConfig;
    use std::fs;
    use std::path::PathBuf;
    use tempfile::TempDir;

    /// A run of three files: one rollout passed, one failed, one is missing.
    pub(super) fn run() -> (TempDir, Vec<PathBuf>) {
        let folder = TempDir::new().unwrap();
        let row = |task| format!("{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0");
        let files = [
            ("x.jsonl", format!("{},\"reward\":1}}\n", row(0))),
            ("x_failures.jsonl", format!("{},\"failure_kind\":\"judge_faild\"}}\n", row(1))),
            (
                "x_materialized_inputs.jsonl",
                (0..3).map(|task| row(task) + "}\n").collect::<String>(),
            ),
        ];
        let write = |(name, text): (&str, String)| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let paths = files.map(write).to_vec();
        (folder, paths)
    }

    pub(super) fn read(paths: &[PathBuf]) -> TriageState {
        let inputs = inputs::find(paths).unwrap();
        TriageState::read(&inputs, &ReadOptions::default(), &()).unwrap()
    }

    pub(super) fn report(state: &TriageState) -> String {
        let terms = Terms::new(FailureClassificationConfig::shared_default());
        serde_json::to_string(&Report::new(&state.seen().unwrap(), &terms)).unwrap()
    }

    #[test]
    fn files_merge_in_any_order_to_their_run() {
        let (_folder, paths) = run();
        let whole = report(&read(&paths));
        assert!(whole.contains(r#""expected":3,"seen":2,"missing":1,"#), "{whole}");
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut parts = order.map(|part| read(&paths[part..=part])).into_iter();
            let mut merged = parts.next().unwrap();
            for part in parts {
                merged.merge(part).unwrap();
            }
            assert_eq!(report(&merged), whole, "{order:?}");
        }
    }

    #[test]
    fn a_file_alone_is_what_it_is_alone() {
        let (_folder, paths) = run();
        for path in paths {
            let inputs = inputs::find(std::slice::from_ref(&path)).unwrap();
            let seen = crate::read_runs(&inputs, &ReadOptions::default(), &()).unwrap();
            let terms = Terms::new(FailureClassificationConfig::shared_default());
            let alone = serde_json::to_string(&Report::new(&seen, &terms)).unwrap();
            assert_eq!(report(&read(&[path])), alone);
        }
    }

    #[test]
    fn no_file_is_read_into_both() {
        let (_folder, paths) = run();
        let error = read(&paths).merge(read(&paths[..1])).unwrap_err().to_string();
        assert!(error.ends_with("x.jsonl` was read into both states"), "{error}");
    }
}
