//! Which files are read, and which run each belongs to.

mod folder;
mod name;
mod named;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::{NamedTempFile, TempPath};

use self::name::{Packing, Role};
use crate::Error;
use failure_kinds_core::text::path_text;
use failure_kinds_rows::{Progress, Source};

/// Where rows come from.
#[derive(Clone, Debug)]
pub enum Input {
    /// Standard input.
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
    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Copy { .. } => None,
            Self::File(path) => Some(path),
        }
    }

    pub(crate) fn open<'p>(&self, progress: &'p dyn Progress) -> io::Result<Source<'p>> {
        match self {
            Self::Stdin => Source::stdin(progress),
            Self::File(path) => Source::open(path, progress),
            Self::Copy { file, .. } => Source::open(file, progress),
        }
    }

    /// Replaces standard input or a pipe by a copy of what is in it.
    fn copy_stream(&mut self) -> Result<(), Error> {
        let mut stream: Box<dyn Read> = match self {
            Self::Stdin => Box::new(io::stdin().lock()),
            Self::File(path) if !path.is_file() => {
                Box::new(File::open(&*path).map_err(|error| Error::read(path, &error))?)
            }
            Self::File(_) | Self::Copy { .. } => return Ok(()),
        };
        let text = self.text().into_owned();
        let copy = NamedTempFile::new().and_then(|mut file| {
            io::copy(&mut stream, &mut file)?;
            Ok(Arc::new(file.into_temp_path()))
        });
        *self = match copy {
            Ok(file) => Self::Copy { text, file },
            Err(error) => return Err(Error::Read { path: text, error }),
        };
        Ok(())
    }

    /// Its path in reports.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Stdin => Cow::Borrowed("-"),
            Self::File(path) => path_text(path),
            Self::Copy { text, .. } => Cow::Borrowed(text),
        }
    }
}

/// The files of one run.
#[derive(Debug)]
pub struct Run {
    /// The path of its stem.
    pub path: String,
    pub rows: Vec<RowFile>,
    pub inventories: Vec<Input>,
}

/// A file that is read as rows.
#[derive(Debug)]
pub struct RowFile {
    pub input: Input,
    /// Whether it is the file of results of its run.
    pub in_results: bool,
}

/// A file or folder that is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    pub path: PathBuf,
    pub why: Cow<'static, str>,
}

/// What is read, in the order of the report.
#[derive(Debug)]
pub struct Inputs {
    pub runs: Vec<Run>,
    pub skipped: Vec<Skipped>,
}

impl Run {
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
    pub fn into_one_run(self) -> Self {
        let Self { runs, skipped } = self;
        let path = common_path(&runs);
        let mut joined = Run { path, rows: Vec::new(), inventories: Vec::new() };
        for run in runs {
            joined.rows.extend(run.rows);
            joined.inventories.extend(run.inventories);
        }
        Self { runs: vec![joined], skipped }
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

    /// How many bytes there are to read, if only plain files are read.
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
pub fn find(arguments: &[PathBuf]) -> Result<Inputs, Error> {
    let mut found = Found::default();
    let mut named = Vec::new();
    for path in arguments {
        if path.as_os_str() == "-" {
            if found.seen.insert(path.clone()) {
                let rows = vec![RowFile { input: Input::Stdin, in_results: true }];
                found.runs.push(Run { path: "-".to_owned(), rows, inventories: Vec::new() });
            }
            continue;
        }
        let metadata = fs::metadata(path).map_err(|error| Error::read(path, &error))?;
        if metadata.is_dir() {
            folder::find(path, &mut found)?;
        } else {
            named.push(path.clone());
        }
    }
    named::find(named, &mut found)?;
    let Found { mut runs, mut skipped, .. } = found;
    for run in &mut runs {
        run.rows.sort_by(|one, other| one.input.text().cmp(&other.input.text()));
    }
    runs.sort_by(|one, other| one.path.cmp(&other.path));
    skipped.sort_by(|one, other| path_text(&one.path).cmp(&path_text(&other.path)));
    skipped.dedup();
    Ok(Inputs { runs, skipped })
}

/// Why a second copy of a file is skipped.
const ANOTHER_COPY: &str = "another copy of it is read";

/// What was found so far.
#[derive(Debug, Default)]
struct Found {
    runs: Vec<Run>,
    skipped: Vec<Skipped>,
    /// What is read already, by its real path: no row counts twice.
    seen: HashSet<PathBuf>,
}

impl Found {
    fn skip(&mut self, path: PathBuf, why: impl Into<Cow<'static, str>>) {
        self.skipped.push(Skipped { path, why: why.into() });
    }

    fn skip_all(&mut self, paths: impl IntoIterator<Item = PathBuf>, why: &'static str) {
        for path in paths {
            self.skip(path, why);
        }
    }

    /// Whether this file is not read yet; from now on it is.
    fn is_new(&mut self, path: &Path) -> Result<bool, Error> {
        let real = fs::canonicalize(path).map_err(|error| Error::read(path, &error))?;
        let new = self.seen.insert(real);
        if !new {
            self.skip(path.to_owned(), "read already");
        }
        Ok(new)
    }

    /// Adds a run of these files, as far as they are not read yet.
    fn add_run(&mut self, path: String, members: Members) -> Result<(), Error> {
        let Members { results, sidecar, inventory } = members;
        let mut rows = Vec::new();
        for (file, in_results) in [(results, true), (sidecar, false)] {
            if let Some(file) = file
                && self.is_new(&file)?
            {
                rows.push(RowFile { input: Input::File(file), in_results });
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        let inventories = inventory.map(Input::File).into_iter().collect();
        self.runs.push(Run { path, rows, inventories });
        Ok(())
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
type Copies = BTreeMap<(Role, Packing), PathBuf>;

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
