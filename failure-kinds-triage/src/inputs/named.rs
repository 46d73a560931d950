//! Files that are named one by one. Each is read as rows whatever its name; those of one run form
//! that run.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::folder::run_path;
use super::name::RunName;
use super::{ANOTHER_COPY, Copies, Found, Members, RowFile, Run, Skipped, Waiting};
use crate::Error;
use failure_kinds_core::text::{EscapedPath, path_text};
use failure_kinds_rows::FileId;

/// The files of one run that were named.
#[derive(Debug)]
struct Group {
    /// Their folder as it was named, perhaps empty.
    folder: PathBuf,
    copies: Copies,
}

/// Finds the runs of named files, and what is beside them.
pub(super) fn find(files: &[&PathBuf], found: &mut Found) -> Result<(), Error> {
    // By folder and stem.
    let mut groups: BTreeMap<(FileId, Vec<u8>), Group> = BTreeMap::new();
    let mut added = BTreeSet::new();
    for &file in files {
        let fault = |error| Error::read(file, &error);
        let id = FileId::of(file).map_err(fault)?;
        // A file of a run of a folder that was named too is read with that run.
        if found.seen.contains(&id) {
            continue;
        }
        let Some(name) = file.file_name().and_then(RunName::parse) else {
            added.insert(id);
            add_alone(path_text(file).into_owned(), file.clone(), found);
            continue;
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        let run = (FileId::of(readable(folder)).map_err(fault)?, name.stem.to_vec());
        if found.in_folders.contains(&run) {
            continue;
        }
        added.insert(id);
        let group = groups
            .entry(run)
            .or_insert_with(|| Group { folder: folder.to_owned(), copies: Copies::new() });
        if let Some(copy) = group.copies.insert((name.role, name.compression), file.clone()) {
            found.skip(copy, ANOTHER_COPY);
        }
    }
    // What a folder that was named too leaves out is read after all.
    let is_added =
        |skipped: &Skipped| FileId::of(&skipped.path).is_ok_and(|id| added.contains(&id));
    found.skipped.retain(|skipped| !is_added(skipped));
    let mut beside = BTreeMap::new();
    for ((folder, stem), group) in groups {
        if !beside.contains_key(&folder) {
            let neighbours = neighbours(&group.folder)?;
            beside.insert(folder.clone(), neighbours);
        }
        let beside = beside[&folder].get(&stem).cloned().unwrap_or_default();
        add_group(&stem, group, beside, found);
    }
    Ok(())
}

/// A folder as a path that can be read.
fn readable(folder: &Path) -> &Path {
    if folder == Path::new("") { Path::new(".") } else { folder }
}

/// The files of runs in a folder, by stem.
fn neighbours(folder: &Path) -> Result<BTreeMap<Vec<u8>, Copies>, Error> {
    let readable = readable(folder);
    let fault = |error| Error::read(readable, &error);
    let mut stems: BTreeMap<Vec<u8>, Copies> = BTreeMap::new();
    for entry in fs::read_dir(readable).map_err(fault)? {
        let name = entry.map_err(fault)?.file_name();
        let Some(parsed) = RunName::parse(&name) else { continue };
        let path = folder.join(&name);
        // A pipe that nobody named may have no writer, and would be waited for.
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            continue;
        }
        let copies = stems.entry(parsed.stem.to_vec()).or_default();
        copies.insert((parsed.role, parsed.compression), path);
    }
    Ok(stems)
}

/// Adds a file that is a run of its own.
fn add_alone(path: String, file: PathBuf, found: &mut Found) {
    if found.is_new(&file) {
        let rows = vec![RowFile { input: found.input(file), in_results: true }];
        found.runs.push(Run { path, rows, inventories: Vec::new() });
    }
}

fn add_group(stem: &[u8], group: Group, beside: Copies, found: &mut Found) {
    let (mut members, others) = Members::choose(group.copies);
    found.skip_all(others, ANOTHER_COPY);
    let (beside, _) = Members::choose(beside);
    let path = run_path(&group.folder, stem);
    if let Members { results: None, sidecar: None, inventory: Some(file) } = members {
        let alone = format!("{path}_materialized_inputs");
        let others: Vec<_> = beside.results.into_iter().chain(beside.sidecar).collect();
        if !others.is_empty() {
            let inventory = found.input(file.clone());
            let waiting = Waiting { run: path, inventory, others, alone: Some(alone.clone()) };
            found.waiting.push(waiting);
        }
        return add_alone(alone, file, found);
    }
    let left_out: Vec<PathBuf> =
        [(&members.results, beside.results), (&members.sidecar, beside.sidecar)]
            .into_iter()
            .filter_map(|(named, beside)| beside.filter(|_| named.is_none()))
            .collect();
    let inventory = members.inventory.take().or(beside.inventory);
    if left_out.is_empty() {
        members.inventory = inventory;
    } else if let Some(inventory) = inventory {
        found.waiting.push(Waiting {
            run: path.clone(),
            inventory: found.input(inventory.clone()),
            others: left_out.clone(),
            alone: None,
        });
        let names = left_out.iter().filter_map(|path| path.file_name()).map(quoted);
        let names = names.collect::<Vec<_>>().join(" and ");
        found.skip(
            inventory,
            format!("an inventory does not apply without {names}, which was not named"),
        );
    }
    for file in left_out {
        found.skip(file, "not named, while another file of its run was");
    }
    found.add_run(path, members);
}

fn quoted(name: &OsStr) -> String {
    format!("`{}`", EscapedPath(Path::new(name)))
}
