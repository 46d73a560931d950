//! Which model call a failed rollout ended on, from what the model servers recorded.
//!
//! The reference's model servers write each exchange with a model as one line of
//! `<rollout id>.capture.jsonl`, and some rows carry the same data. Only the captures of failure
//! rows are opened, by their names. The payloads of a call are never read.

mod call;
mod inline;

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use failure_kinds_core::text::path_text;
use failure_kinds_rows::{
    Check, End, Keys, Malformed, Position, Progress, RawRow, RowSink, Source, SyntaxError,
    read_rows_in_order,
};
use foldhash::quality::RandomState;
use serde::{Deserialize, Serialize};

pub(crate) use self::call::LastCall;
use self::call::LastCalls;
pub use self::call::{Category, FailedCall};
use self::inline::Inline;
use crate::error::unreadable;
use crate::inputs::Skipped;
use crate::row::Facts;

/// Where to look for captures of model calls.
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

impl Calls {
    /// The value of `--calls`.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Auto => Cow::Borrowed("auto"),
            Self::Off => Cow::Borrowed("off"),
            Self::Folder(path) => path_text(path),
        }
    }
}

impl From<PathBuf> for Calls {
    /// Reads the value of `--calls`; a folder of such a name is written `./auto`.
    fn from(path: PathBuf) -> Self {
        match path.to_str() {
            Some("auto") => Self::Auto,
            Some("off") => Self::Off,
            _ => Self::Folder(path),
        }
    }
}

/// What joining the failure rows of a run gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturesReport {
    /// The folder of the files; `None` if only rows carried calls.
    pub folder: Option<String>,
    /// Failure rows of which a last call was read.
    pub joined: u64,
    /// The other failure rows.
    pub unobserved: u64,
    /// Those of them whose captures were lost, in whole or in part.
    pub incomplete: u64,
    /// Lines that are not calls, in the captures that were opened.
    pub malformed: u64,
    /// Whether a row carried calls.
    #[serde(skip)]
    pub(crate) carries: bool,
    /// The captures that cannot be read.
    #[serde(skip)]
    pub(crate) unread: Option<Box<UnreadCaptures>>,
}

/// Captures that cannot be read: the first by path, and how many more there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnreadCaptures {
    path: String,
    why: String,
    more: u64,
}

impl UnreadCaptures {
    fn merge(self, other: Self) -> Self {
        let more = self.more + other.more + 1;
        let first = if other.path < self.path { other } else { self };
        Self { more, ..first }
    }

    pub(crate) fn skipped(&self) -> Skipped {
        let Self { path, why, more } = self;
        let why = match more {
            0 => why.clone(),
            _ => format!("{why} (nor can {more} more of the run's captures)"),
        };
        Skipped { path: path.into(), why: why.into(), is_error: true }
    }
}

impl CapturesReport {
    /// Counts a failure row.
    pub(crate) fn add(&mut self, joined: &Joined) {
        let is_observed = joined.last != LastCall::Unobserved;
        self.joined += u64::from(is_observed);
        self.unobserved += u64::from(!is_observed);
        self.incomplete += u64::from(joined.incomplete);
        self.malformed += joined.malformed;
        self.carries |= joined.is_copy;
        if joined.unread.is_some() {
            self.add_unread(joined.unread.clone());
        }
    }

    fn add_unread(&mut self, other: Option<Box<UnreadCaptures>>) {
        self.unread = match (self.unread.take(), other) {
            (Some(here), Some(other)) => Some(here.merge(*other).into()),
            (here, other) => here.or(other),
        };
    }

    /// Whether the run has captures at all.
    pub(crate) const fn is_any(&self) -> bool {
        self.folder.is_some() || self.carries
    }

    /// Takes over the counts of other rows of the run.
    pub(crate) fn merge(&mut self, other: Self) {
        self.folder = self.folder.take().or(other.folder);
        self.joined += other.joined;
        self.unobserved += other.unobserved;
        self.incomplete += other.incomplete;
        self.malformed += other.malformed;
        self.carries |= other.carries;
        self.add_unread(other.unread);
    }
}

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
    /// Whether the row itself carried the calls.
    pub(crate) is_copy: bool,
    /// The file that was opened now and cannot be read.
    pub(crate) unread: Option<Box<UnreadCaptures>>,
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

    /// Whether there are files to open for failure rows.
    pub(crate) const fn has_folders(&self) -> bool {
        !self.folders.is_empty()
    }

    /// The folder of the report: the first in which a capture was found, else the first that is
    /// there.
    pub(crate) fn folder(&self) -> Option<&Path> {
        let used = self.folders.iter().find(|folder| folder.is_used.load(Ordering::Relaxed));
        used.or(self.folders.first()).map(|folder| &*folder.path)
    }

    /// Joins a failure row, by the copy that it carries or else by the file of its id. A capture
    /// that cannot be read is unobserved.
    #[inline]
    pub(crate) fn join(&self, facts: &Facts<'_>, progress: &dyn Progress) -> Joined {
        // Most runs have no captures.
        if self.folders.is_empty() && facts.capture.is_none() {
            return Joined::default();
        }
        self.join_observed(facts, progress)
    }

    fn join_observed(&self, facts: &Facts<'_>, progress: &dyn Progress) -> Joined {
        if let Some(Inline::Copy(joined)) = facts.capture.map(Inline::read) {
            return Joined { is_copy: true, ..joined };
        }
        let id = facts.capture_id().filter(|id| names_a_file(id));
        id.map_or_else(Joined::default, |id| self.find(&id, progress))
    }

    /// Reads the file of an id.
    fn find(&self, id: &str, progress: &dyn Progress) -> Joined {
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
                return Joined { incomplete, ..Joined::default() };
            }
            return self.read_once(&capture, id, progress);
        }
        Joined::default()
    }

    fn read_once(&self, path: &Path, id: &str, progress: &dyn Progress) -> Joined {
        // Held while the file is read: a row of the same id waits instead of reading it too.
        let fingerprint = self.hasher.hash_one(id);
        let part = &self.joined[usize::from(fingerprint.to_le_bytes()[0]) % PARTS];
        let mut joined = part.lock().unwrap_or_else(PoisonError::into_inner);
        match joined.entry(fingerprint) {
            Entry::Occupied(known) => Joined { last: known.get().clone(), ..Joined::default() },
            Entry::Vacant(new) => {
                let read = read(path, progress);
                new.insert(read.last.clone());
                read
            }
        }
    }
}

/// Whether the id of a rollout can be the name of a file: `[A-Za-z0-9][A-Za-z0-9._-]*`.
fn names_a_file(id: &str) -> bool {
    id.starts_with(|char: char| char.is_ascii_alphanumeric())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Reads a capture file.
fn read(path: &Path, progress: &dyn Progress) -> Joined {
    let stops = Stops(progress);
    let read = Source::open(path, &stops)
        .and_then(|mut source| read_rows_in_order(&mut source, Check::Read, File::default()));
    let (file, end) = match read {
        Ok(read) => read,
        Err(error) => {
            let (path, why) = (path_text(path).into_owned(), unreadable(&error));
            let unread = Some(Box::new(UnreadCaptures { path, why, more: 0 }));
            return Joined { unread, ..Joined::default() };
        }
    };
    let cut = end != End::Whole;
    let last = if cut || file.ends_malformed { LastCall::Unobserved } else { file.calls.finish() };
    Joined { last, malformed: file.malformed + u64::from(cut), ..Joined::default() }
}

/// Lets a caller stop the reading of a capture, which is not part of what it counts.
struct Stops<'p>(&'p dyn Progress);

impl Progress for Stops<'_> {
    fn advance(&self, _: u64) -> io::Result<()> {
        self.0.advance(0)
    }
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
