//! Which files are read, and which run each belongs to.

mod folder;
mod name;
mod named;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use self::name::{Packing, Role};
use crate::Error;
use failure_kinds_core::text::path_text;
use failure_kinds_rows::{Progress, Source};

/// Where rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    pub(crate) fn open<'p>(&self, progress: &'p dyn Progress) -> io::Result<Source<'p>> {
        match self {
            Self::Stdin => Source::stdin(progress),
            Self::File(path) => Source::open(path, progress),
        }
    }

    /// Its path in reports.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Stdin => Cow::Borrowed("-"),
            Self::File(path) => path_text(path),
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
