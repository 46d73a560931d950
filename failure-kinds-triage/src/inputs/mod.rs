//! Which files are read, and which run each belongs to.

mod companion;
mod folder;
mod name;
mod named;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::{NamedTempFile, TempPath};

use self::companion::Companion;
use self::name::Role;
use crate::Error;
use crate::error::unreadable;
use failure_kinds_core::text::path_text;
use failure_kinds_rows::{Compression, FileId, Progress, Source};

/// Where rows come from.
#[derive(Clone, Debug)]
pub struct Input {
    origin: Origin,
    /// Whether the caller named it, so that it must be readable.
    pub(crate) is_named: bool,
}

#[derive(Clone, Debug)]
enum Origin {
    Stdin,
    /// Whatever has a path.
    File(PathBuf),
    /// A copy of what can be read only once.
    Copy {
        /// The path of the original in reports.
        text: String,
        /// The copy.
        file: Arc<TempPath>,
    },
}

impl Input {
    const STDIN: Self = Self { origin: Origin::Stdin, is_named: true };

    /// The path of the file; `None` for standard input and for a copy.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Stdin | Origin::Copy { .. } => None,
            Origin::File(path) => Some(path),
        }
    }

    pub(crate) fn open<'p>(&self, progress: &'p dyn Progress) -> io::Result<Source<'p>> {
        match &self.origin {
            Origin::Stdin => Source::stdin(progress),
            Origin::File(path) => Source::open(path, progress),
            Origin::Copy { file, .. } => Source::open(file, progress),
        }
    }

    /// Replaces standard input or a pipe by a copy of what is in it.
    fn copy_stream(&mut self) -> Result<(), Error> {
        let mut stream: Box<dyn Read> = match &self.origin {
            Origin::Stdin => Box::new(io::stdin().lock()),
            Origin::File(path) if !path.is_file() => {
                Box::new(File::open(path).map_err(|error| Error::read(path, &error))?)
            }
            Origin::File(_) | Origin::Copy { .. } => return Ok(()),
        };
        let text = self.text().into_owned();
        let copy = NamedTempFile::new().and_then(|mut file| {
            io::copy(&mut stream, &mut file)?;
            Ok(Arc::new(file.into_temp_path()))
        });
        self.origin = match copy {
            Ok(file) => Origin::Copy { text, file },
            Err(error) => return Err(Error::Read { path: text, error }),
        };
        Ok(())
    }

    /// Its path in reports.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match &self.origin {
            Origin::Stdin => Cow::Borrowed("-"),
            Origin::File(path) => path_text(path),
            Origin::Copy { text, .. } => Cow::Borrowed(text),
        }
    }
}

/// The files of one run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The path of its stem.
    pub path: String,
    /// The files of rows.
    pub rows: Vec<RowFile>,
    /// The lists of expected rollouts.
    pub inventories: Vec<Input>,
}

/// A file that is read as rows.
#[derive(Clone, Debug)]
pub struct RowFile {
    /// Where it is.
    pub input: Input,
    /// Whether it is the file of results of its run.
    pub in_results: bool,
}

/// A file or folder that is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Its path.
    pub path: PathBuf,
    /// Why it is not read.
    pub why: Cow<'static, str>,
    /// Whether it is a file that should have been read: its rows are missing from the report.
    pub is_error: bool,
}

/// What is read, in the order of the report.
#[derive(Debug)]
pub struct Inputs {
    /// The runs, by path.
    pub runs: Vec<Run>,
    /// What is not read, by path.
    pub skipped: Vec<Skipped>,
    pub(crate) waiting: Vec<Waiting>,
}

/// An inventory that does not apply until other files of its run are read.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// The path of the run.
    pub(crate) run: String,
    pub(crate) inventory: Input,
    /// The files that were not named.
    pub(crate) others: Vec<PathBuf>,
    /// The path of the run that it is on its own, if it alone was named.
    pub(crate) alone: Option<String>,
}

impl Run {
    /// The folder of its files.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.rows.iter().find_map(|file| file.input.path()?.parent())
    }

    /// All its files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.rows.iter().map(|file| &file.input).chain(&self.inventories)
    }
}

impl Inputs {
    /// All files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.runs.iter().flat_map(Run::files)
    }

    /// Joins all runs into one, with all their inventories: shards of one collection.
    #[must_use]
    pub fn into_one_run(self) -> Self {
        let Self { runs, skipped, .. } = self;
        let path = common_path(&runs);
        let mut joined = Run { path, rows: Vec::new(), inventories: Vec::new() };
        for run in runs {
            joined.rows.extend(run.rows);
            joined.inventories.extend(run.inventories);
        }
        Self { runs: vec![joined], skipped, waiting: Vec::new() }
    }

    /// Copies standard input and pipes to temporary files, so that they can be read again.
    ///
    /// # Errors
    ///
    /// When one cannot be read, and when there is no room for the copy.
    pub fn copy_streams(&mut self) -> Result<(), Error> {
        let files = self.runs.iter_mut().flat_map(|run| {
            run.rows.iter_mut().map(|file| &mut file.input).chain(&mut run.inventories)
        });
        files.into_iter().try_for_each(Input::copy_stream)
    }

    /// How many bytes there are to read, if only regular files are read.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        self.files()
            .map(|file| {
                let metadata = fs::metadata(file.path()?).ok()?;
                metadata.is_file().then_some(metadata.len())
            })
            .sum()
    }
}

/// The path of the only stem, or of the folder that all stems have in common.
fn common_path(runs: &[Run]) -> String {
    let Some((first, others)) = runs.split_first() else { return String::new() };
    let length = others.iter().fold(first.path.len(), |length, run| {
        let pairs = first.path.bytes().zip(run.path.bytes());
        length.min(pairs.take_while(|(one, other)| one == other).count())
    });
    if others.is_empty() {
        return first.path.clone();
    }
    match first.path.as_bytes()[..length].iter().rposition(|byte| *byte == b'/') {
        Some(separator) => first.path[..=separator].to_owned(),
        None => "./".to_owned(),
    }
}

/// Finds the files that the arguments name, and those that belong to them.
///
/// # Errors
///
/// When a path that is named cannot be read, and for a folder without runs.
pub fn find(arguments: &[PathBuf]) -> Result<Inputs, Error> {
    let mut found = Found::default();
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for path in arguments {
        if path.as_os_str() == "-" {
            found.add_stdin();
            continue;
        }
        let fault = |error| Error::read(path, &error);
        let metadata = fs::metadata(path).map_err(fault)?;
        if metadata.is_dir() {
            folders.push(path);
            continue;
        }
        // Before hours are spent on others. To open a pipe would wait for its writer.
        if metadata.is_file() {
            File::open(path).map_err(fault)?;
        }
        if found.named.insert(FileId::of(path).map_err(fault)?) {
            files.push(path);
        }
    }
    for folder in folders {
        folder::find(folder, &mut found)?;
    }
    named::find(&files, &mut found)?;
    let Found { mut runs, mut skipped, waiting, .. } = found;
    for run in &mut runs {
        run.rows.sort_by(|one, other| one.input.text().cmp(&other.input.text()));
    }
    runs.sort_by(|one, other| one.path.cmp(&other.path));
    skipped.sort_by(|one, other| path_text(&one.path).cmp(&path_text(&other.path)));
    skipped.dedup();
    Ok(Inputs { runs, skipped, waiting })
}

/// Whether the name of a file is that of captures of model calls.
#[must_use]
pub fn is_capture(path: &Path) -> bool {
    let companion = path.file_name().and_then(Companion::of);
    companion.is_some_and(|companion| companion.is_per_rollout)
}

/// Why a second copy of a file is skipped.
const ANOTHER_COPY: &str = "another copy of it is read";

/// What was found so far.
#[derive(Debug, Default)]
struct Found {
    runs: Vec<Run>,
    skipped: Vec<Skipped>,
    waiting: Vec<Waiting>,
    /// The files that are read: no row counts twice.
    seen: BTreeSet<FileId>,
    /// The files that the caller named.
    named: BTreeSet<FileId>,
    /// The runs that were found in folders, by folder and stem.
    in_folders: BTreeSet<(FileId, Vec<u8>)>,
}

impl Found {
    fn skip(&mut self, path: PathBuf, why: impl Into<Cow<'static, str>>) {
        self.skipped.push(Skipped { path, why: why.into(), is_error: false });
    }

    fn skip_all(&mut self, paths: impl IntoIterator<Item = PathBuf>, why: &'static str) {
        for path in paths {
            self.skip(path, why);
        }
    }

    /// Skips what should have been read.
    fn skip_unread(&mut self, path: PathBuf, error: &io::Error) {
        self.skipped.push(Skipped { path, why: unreadable(error).into(), is_error: true });
    }

    fn add_stdin(&mut self) {
        // Without a path for it, it can only be named as `-`.
        let id = FileId::of(Path::new("/dev/stdin")).ok();
        let is_read = self
            .runs
            .iter()
            .flat_map(Run::files)
            .any(|input| matches!(input.origin, Origin::Stdin));
        if !is_read && id.is_none_or(|id| self.seen.insert(id)) {
            let rows = vec![RowFile { input: Input::STDIN, in_results: true }];
            self.runs.push(Run { path: "-".to_owned(), rows, inventories: Vec::new() });
        }
    }

    fn input(&self, path: PathBuf) -> Input {
        let is_named = FileId::of(&path).is_ok_and(|id| self.named.contains(&id));
        Input { origin: Origin::File(path), is_named }
    }

    /// Whether this file is not read so far; from now on it is.
    fn is_new(&mut self, path: &Path) -> bool {
        match FileId::of(path) {
            Ok(id) => {
                let is_new = self.seen.insert(id);
                if !is_new {
                    self.skip(path.to_owned(), "read already");
                }
                is_new
            }
            // Whoever opens it will find out.
            Err(_) => true,
        }
    }

    /// Adds a run of these files, except those that are read already.
    fn add_run(&mut self, path: String, members: Members) {
        let Members { results, sidecar, inventory } = members;
        let mut rows = Vec::new();
        for (file, in_results) in [(results, true), (sidecar, false)] {
            if let Some(file) = file
                && self.is_new(&file)
            {
                rows.push(RowFile { input: self.input(file), in_results });
            }
        }
        if !rows.is_empty() {
            let inventories = inventory.map(|file| self.input(file)).into_iter().collect();
            self.runs.push(Run { path, rows, inventories });
        }
    }
}

/// The files of one run, one of each role.
#[derive(Clone, Debug, Default)]
struct Members {
    results: Option<PathBuf>,
    sidecar: Option<PathBuf>,
    inventory: Option<PathBuf>,
}

/// All copies of the files of one run.
type Copies = BTreeMap<(Role, Option<Compression>), PathBuf>;

impl Members {
    /// The preferred copy of each file, and the other copies.
    fn choose(copies: Copies) -> (Self, Vec<PathBuf>) {
        let mut members = Self::default();
        let mut others = Vec::new();
        for ((role, _), path) in copies {
            let member = match role {
                Role::Results => &mut members.results,
                Role::Sidecar => &mut members.sidecar,
                Role::Inventory => &mut members.inventory,
            };
            if member.is_none() {
                *member = Some(path);
            } else {
                others.push(path);
            }
        }
        (members, others)
    }
}
