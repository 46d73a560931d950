//! The runs of a folder and of the folders in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::companion::{CAPTURES, Companion};
use super::name::{Role, RunName};
use super::{ANOTHER_COPY, Copies, Found, Members};
use crate::Error;
use crate::error::unreadable;
use failure_kinds_core::text::{EscapedPath, path_text};
use failure_kinds_rows::FileId;

/// Why most files of a folder are skipped.
const NO_FILE_OF_A_RUN: &str = "not a file of a run";
/// Why a folder without files of a run is skipped.
const NO_RUN: &str = "no run in this folder";

/// Finds the runs of a folder.
pub(super) fn find(folder: &Path, found: &mut Found) -> Result<(), Error> {
    let entries = sorted_entries(folder).map_err(|error| Error::read(folder, &error))?;
    if walk(folder, entries, found) {
        return Ok(());
    }
    if let Some(unread) = found.skipped.iter().find(|skipped| skipped.is_error) {
        return Err(Error::Input(format!("`{}` {}", EscapedPath(&unread.path), unread.why)));
    }
    Err(Error::Input(format!(
        "the folder `{}` holds no run: no `STEM_failures.jsonl`, and no `STEM.jsonl` with its \
         `STEM_materialized_inputs.jsonl`; name a file to read it whatever its name",
        EscapedPath(folder)
    )))
}

/// Whether there is a run in a folder.
fn walk(folder: &Path, entries: Vec<fs::DirEntry>, found: &mut Found) -> bool {
    let mut stems: BTreeMap<Vec<u8>, Copies> = BTreeMap::new();
    let mut folders = Vec::new();
    let mut has_captures = false;
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if let Some(companion) = Companion::of(&name) {
            if companion.is_per_rollout {
                has_captures = true;
            } else {
                found.skip(path, companion.what);
            }
            continue;
        }
        let run_name = RunName::parse(&name);
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => {
                if run_name.is_some() {
                    found.skip_unread(path, &error);
                } else {
                    found.skip(path, unreadable(&error));
                }
                continue;
            }
        };
        if metadata.is_dir() {
            if path.is_symlink() {
                found.skip(path, "a link to a folder is not followed");
            } else {
                folders.push(path);
            }
        } else if !metadata.is_file() {
            found.skip(path, "neither a file nor a folder");
        } else if let Some(name) = run_name {
            let copies = stems.entry(name.stem.to_vec()).or_default();
            if let Some(copy) = copies.insert((name.role, name.compression), path) {
                found.skip(copy, ANOTHER_COPY);
            }
        } else {
            found.skip(path, NO_FILE_OF_A_RUN);
        }
    }
    if has_captures {
        found.skip(folder.to_owned(), CAPTURES);
    }
    let mut has_run = false;
    for (stem, copies) in stems {
        has_run |= add_run(folder, &stem, copies, found);
    }
    for folder in folders {
        has_run |= walk_into(folder, found);
    }
    has_run
}

/// Walks a folder in a folder. If it has no run, it is skipped as one, not file by file.
fn walk_into(folder: PathBuf, found: &mut Found) -> bool {
    let entries = match sorted_entries(&folder) {
        Ok(entries) => entries,
        Err(error) => {
            found.skip_unread(folder, &error);
            return false;
        }
    };
    let before = found.skipped.len();
    let has_run = walk(&folder, entries, found);
    if !has_run {
        let skipped = found.skipped.split_off(before);
        let known = skipped
            .into_iter()
            .filter(|skipped| skipped.why != NO_FILE_OF_A_RUN && skipped.why != NO_RUN);
        found.skipped.extend(known);
        if found.skipped[before..].iter().all(|skipped| skipped.path != folder) {
            found.skip(folder, NO_RUN);
        }
    }
    has_run
}

fn sorted_entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}

/// Adds the run of a stem, if its files make one.
fn add_run(folder: &Path, stem: &[u8], copies: Copies, found: &mut Found) -> bool {
    let has = |role| copies.keys().any(|(other, _)| *other == role);
    let why = match (has(Role::Results), has(Role::Sidecar), has(Role::Inventory)) {
        (_, true, _) | (true, _, true) => {
            let (members, others) = Members::choose(copies);
            found.skip_all(others, ANOTHER_COPY);
            if let Ok(id) = FileId::of(folder) {
                found.in_folders.insert((id, stem.to_vec()));
            }
            found.add_run(run_path(folder, stem), members);
            return true;
        }
        (true, false, false) => "neither failures nor an inventory beside it",
        (false, ..) => "an inventory with neither results nor failures beside it",
    };
    found.skip_all(copies.into_values(), why);
    false
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
