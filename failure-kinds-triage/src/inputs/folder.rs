//! The runs of a folder and of the folders in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::name::{Role, RunName};
use super::{ANOTHER_COPY, Copies, Found, Members};
use crate::Error;
use failure_kinds_core::text::{EscapedPath, path_text};

/// Why most files of a folder are skipped.
const NO_FILE_OF_A_RUN: &str = "not a file of a run";
/// Why a folder is skipped as a whole.
const NO_RUN: &str = "no run in this folder";

/// Finds the runs of a folder. A folder without runs is a fault.
pub(super) fn find(folder: &Path, found: &mut Found) -> Result<(), Error> {
    if walk(folder, found)? {
        return Ok(());
    }
    Err(Error::Input(format!(
        "the folder `{}` holds no run: no `STEM_failures.jsonl`, and no `STEM.jsonl` with its \
         `STEM_materialized_inputs.jsonl`; name a file to read it whatever its name",
        EscapedPath(folder)
    )))
}

/// Whether there is a run in a folder.
fn walk(folder: &Path, found: &mut Found) -> Result<bool, Error> {
    let mut stems: BTreeMap<Vec<u8>, Copies> = BTreeMap::new();
    let mut folders = Vec::new();
    for entry in sorted_entries(folder)? {
        let path = entry.path();
        let name = entry.file_name();
        let run_name = RunName::parse(&name);
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if run_name.is_some() => return Err(Error::read(&path, &error)),
            Err(error) => {
                found.skip(path, format!("cannot be read: {error}"));
                continue;
            }
        };
        if metadata.is_dir() {
            let linked = path.is_symlink();
            if linked {
                found.skip(path, "a link to a folder is not followed");
            } else if name == "captures" {
                found.skip(path, "captures are no rows");
            } else {
                folders.push(path);
            }
        } else if !metadata.is_file() {
            found.skip(path, "neither a file nor a folder");
        } else if let Some(name) = run_name {
            let copies = stems.entry(name.stem.to_vec()).or_default();
            if let Some(copy) = copies.insert((name.role, name.packing), path) {
                found.skip(copy, ANOTHER_COPY);
            }
        } else {
            found.skip(path, NO_FILE_OF_A_RUN);
        }
    }
    let mut has_run = false;
    for (stem, copies) in stems {
        has_run |= add_run(folder, &stem, copies, found)?;
    }
    for folder in folders {
        has_run |= walk_into(folder, found)?;
    }
    Ok(has_run)
}

/// Walks a folder in a folder. Where nothing in it looks like a file of a run, it is skipped as
/// one, not file by file.
fn walk_into(folder: PathBuf, found: &mut Found) -> Result<bool, Error> {
    let before = found.skipped.len();
    let has_run = walk(&folder, found)?;
    let nothing = |why: &str| why == NO_FILE_OF_A_RUN || why == NO_RUN;
    if !has_run && found.skipped[before..].iter().all(|skipped| nothing(&skipped.why)) {
        found.skipped.truncate(before);
        found.skip(folder, NO_RUN);
    }
    Ok(has_run)
}

fn sorted_entries(folder: &Path) -> Result<Vec<fs::DirEntry>, Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(|error| Error::read(folder, &error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}

/// Adds the run of a stem, if its files make one.
fn add_run(folder: &Path, stem: &[u8], copies: Copies, found: &mut Found) -> Result<bool, Error> {
    let has = |role| copies.keys().any(|(other, _)| *other == role);
    let why = match (has(Role::Results), has(Role::Sidecar), has(Role::Inventory)) {
        (_, true, _) | (true, _, true) => {
            let (members, others) = Members::choose(copies);
            found.skip_all(others, ANOTHER_COPY);
            found.add_run(run_path(folder, stem), members)?;
            return Ok(true);
        }
        (true, false, false) => "neither failures nor an inventory beside it",
        (false, ..) => "an inventory with neither results nor failures beside it",
    };
    found.skip_all(copies.into_values(), why);
    Ok(false)
}

/// The path of a stem in reports.
pub(super) fn run_path(folder: &Path, stem: &[u8]) -> String {
    let mut path = path_text(&folder.join("")).into_owned();
    for chunk in stem.utf8_chunks() {
        path.push_str(chunk.valid());
        path.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    path
}
