//! Which model call a failed rollout ended on, from what the model servers recorded.
//!
//! The reference's model servers write each exchange with a model as one line of
//! `<rollout id>.capture.jsonl`, and some rows carry the same data. Only the captures of failure
//! rows are opened, by their names. The payloads of a call are never read.

mod call;
mod inline;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use failure_kinds_rows::{
    Check, End, Keys, Malformed, Position, Progress, RawRow, RowSink, Source, SyntaxError,
    read_rows_in_order,
};
use foldhash::quality::RandomState;

use self::call::LastCalls;
pub(crate) use self::call::{Category, FailedCall, LastCall};
pub(crate) use self::inline::Inline;

/// Where captures of model calls are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// In the row itself, then in `model-calls/`, then in `captures/` of the run's folder.
    #[default]
    Auto,
    /// Nowhere.
    Off,
    /// In the row itself, then in this folder.
    Folder(PathBuf),
}

/// The folders of a run that are searched, in the order in which the reference writes to them by
/// default.
const FOLDERS: [&str; 2] = ["model-calls", "captures"];

/// The captures of one run.
#[derive(Debug)]
pub(crate) struct Captures {
    folders: Vec<Folder>,
    /// What was read for each id, by a fingerprint: no file is opened twice. In parts, so that
    /// threads hardly ever wait for each other.
    joined: [Mutex<HashMap<u64, LastCall, RandomState>>; PARTS],
    hasher: RandomState,
}

/// How many parts the memory of what was joined has.
const PARTS: usize = 16;

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Whether a capture was found in it.
    is_used: AtomicBool,
}

/// What joining one row gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) last: LastCall,
    /// Whether captures of the rollout were lost.
    pub(crate) incomplete: bool,
    /// Lines of a file that was opened now, or records of a row, that are not calls.
    pub(crate) malformed: u64,
}

impl Captures {
    /// The captures of a run in this folder; `None` where none are wanted.
    pub(crate) fn new(calls: &Calls, folder: Option<&Path>) -> Option<Self> {
        let paths = match calls {
            Calls::Off => return None,
            Calls::Folder(path) => vec![path.clone()],
            Calls::Auto => {
                let paths = folder.into_iter().flat_map(|run| FOLDERS.map(|name| run.join(name)));
                paths.filter(|path| path.is_dir()).collect()
            }
        };
        let folders =
            paths.into_iter().map(|path| Folder { path, is_used: AtomicBool::new(false) });
        Some(Self {
            folders: folders.collect(),
            joined: Default::default(),
            hasher: RandomState::default(),
        })
    }

    /// The folder of the report: the first in which a capture was found, else the first that is
    /// there.
    pub(crate) fn folder(&self) -> Option<&Path> {
        let used = self.folders.iter().find(|folder| folder.is_used.load(Ordering::Relaxed));
        used.or(self.folders.first()).map(|folder| &*folder.path)
    }

    /// Joins a failure row, by the copy that it carries or else by the file of its id.
    ///
    /// # Errors
    ///
    /// When `progress` stops the reading. A capture that cannot be read is unobserved.
    pub(crate) fn join(
        &self,
        inline: Inline,
        id: Option<&str>,
        progress: &dyn Progress,
    ) -> io::Result<Joined> {
        if let Inline::Copy(joined) = inline {
            return Ok(joined);
        }
        let Some(id) = id.filter(|id| names_a_file(id)) else { return Ok(Joined::default()) };
        for folder in &self.folders {
            let file = |extension| folder.path.join(format!("{id}.capture.{extension}"));
            let (capture, marker) = (file("jsonl"), file("incomplete"));
            let incomplete = fs::symlink_metadata(marker).is_ok();
            // A pipe may have no writer, and would be waited for.
            let is_file = fs::metadata(&capture).is_ok_and(|metadata| metadata.is_file());
            if !incomplete && !is_file {
                continue;
            }
            folder.is_used.store(true, Ordering::Relaxed);
            if incomplete {
                return Ok(Joined { incomplete, ..Joined::default() });
            }
            return self.read_once(&capture, id, progress);
        }
        Ok(Joined::default())
    }

    fn read_once(&self, path: &Path, id: &str, progress: &dyn Progress) -> io::Result<Joined> {
        // Held while the file is read: a row of the same id waits instead of reading it too.
        let fingerprint = self.hasher.hash_one(id);
        let part = &self.joined[usize::from(fingerprint.to_le_bytes()[0]) % PARTS];
        let mut joined = part.lock().unwrap_or_else(PoisonError::into_inner);
        match joined.entry(fingerprint) {
            Entry::Occupied(known) => Ok(Joined { last: known.get().clone(), ..Joined::default() }),
            Entry::Vacant(new) => {
                let read = read(path, progress)?;
                new.insert(read.last.clone());
                Ok(read)
            }
        }
    }
}

/// Whether the id of a rollout can be the name of a file: `[A-Za-z0-9][A-Za-z0-9._-]*`.
fn names_a_file(id: &str) -> bool {
    id.starts_with(|char: char| char.is_ascii_alphanumeric())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Reads a capture file. One that cannot be read is unobserved.
fn read(path: &Path, progress: &dyn Progress) -> io::Result<Joined> {
    progress.advance(0)?;
    let Ok(mut source) = Source::open(path, &()) else { return Ok(Joined::default()) };
    let Ok((file, end)) = read_rows_in_order(&mut source, Check::Read, File::default()) else {
        return Ok(Joined::default());
    };
    let cut = end != End::Whole;
    let last = if cut || file.ends_malformed { LastCall::Unobserved } else { file.calls.finish() };
    Ok(Joined { last, incomplete: false, malformed: file.malformed + u64::from(cut) })
}

/// A capture file that is being read.
#[derive(Default)]
struct File {
    calls: LastCalls,
    malformed: u64,
    /// Whether the last line so far is not a call.
    ends_malformed: bool,
}

impl RowSink<{ call::KEYS_READ }> for File {
    const KEYS: &'static Keys<{ call::KEYS_READ }> = &call::KEYS;

    fn row<'a>(
        &mut self,
        _: Position,
        row: &RawRow<'a, { call::KEYS_READ }>,
    ) -> Result<(), SyntaxError<'a>> {
        self.calls.take(row)?;
        self.ends_malformed = false;
        Ok(())
    }

    fn malformed(&mut self, _: Position, _: Malformed) {
        self.malformed += 1;
        self.ends_malformed = true;
    }
}
