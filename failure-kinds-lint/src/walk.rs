//! Which files are checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use failure_kinds_core::text::{Escaped, EscapedPath};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::config::{Config, Finder};
use super::error::Error;
use super::paths;
use super::source::Language;

/// A file to check.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// As it is shown: below the path that was given.
    pub(crate) path: PathBuf,
    /// Absolute and normal.
    pub(crate) absolute: PathBuf,
    pub(crate) language: &'static Language,
    pub(crate) config: Arc<Config>,
    /// How long it is.
    pub(crate) bytes: u64,
}

/// Files to check.
#[derive(Debug)]
pub struct Files {
    pub(crate) found: Vec<Found>,
    /// Why others cannot be read.
    pub(crate) errors: Vec<Error>,
    /// Which named files are skipped, and by which rule.
    pub(crate) notes: Vec<String>,
    /// The folders that were searched, absolute and normal.
    pub(crate) folders: Vec<PathBuf>,
}

impl Files {
    /// How long they are together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.found.iter().map(|found| found.bytes).sum()
    }

    /// Whether there is nothing to check and nothing to say about it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.errors.is_empty() && self.notes.is_empty()
    }
}

/// How files are found.
pub(crate) struct Walk<'f> {
    pub(crate) finder: &'f Arc<Mutex<Finder>>,
    /// Whether files are read that are ignored or excluded.
    pub(crate) no_ignore: bool,
    ignores: Ignores,
    files: Files,
}

impl<'f> Walk<'f> {
    pub(crate) fn new(finder: &'f Arc<Mutex<Finder>>, no_ignore: bool) -> Self {
        let files =
            Files { found: Vec::new(), errors: Vec::new(), notes: Vec::new(), folders: Vec::new() };
        Self { finder, no_ignore, ignores: Ignores::default(), files }
    }

    /// The files below the given paths, each once, in the order of their names.
    ///
    /// Folders are searched with the rules of gitignore files, without hidden files. Links are not
    /// followed, so a loop of links does no harm. A file that is named may be hidden.
    pub(crate) fn files(mut self, given: &[PathBuf]) -> Result<Files, Error> {
        for given in given {
            let absolute = paths::absolute(given)?;
            match std::fs::metadata(given) {
                Ok(metadata) if metadata.is_dir() => self.folder(given, absolute)?,
                Ok(metadata) => self.file(given, absolute, metadata.len())?,
                Err(error) => self.files.errors.push(Error::read(given, &error)),
            }
        }
        let found = &mut self.files.found;
        found.sort_by(|a, b| a.absolute.cmp(&b.absolute));
        found.dedup_by(|a, b| a.absolute == b.absolute);
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(self.files)
    }

    /// A file that was named.
    fn file(&mut self, given: &Path, absolute: PathBuf, bytes: u64) -> Result<(), Error> {
        let Some(language) = Language::of(given) else {
            let path = EscapedPath(given);
            self.files.notes.push(format!("`{path}` is skipped: {}", unknown_language(given)));
            return Ok(());
        };
        let config = of_file(self.finder, &absolute)?;
        let rule = if self.no_ignore { None } else { self.rule(&config, &absolute) };
        if let Some(rule) = rule {
            let path = EscapedPath(given);
            let note = format!("`{path}` is skipped: {rule}; `--no-ignore` reads it");
            self.files.notes.push(note);
        } else {
            let path = given.to_owned();
            self.files.found.push(Found { path, absolute, language, config, bytes });
        }
        Ok(())
    }

    /// The rule that leaves a named file out.
    fn rule(&mut self, config: &Config, absolute: &Path) -> Option<String> {
        if let Some(exclusion) = config.excludes(absolute) {
            let (file, glob) = (EscapedPath(exclusion.file), Escaped(exclusion.glob));
            return Some(format!("`exclude` in `{file}` has `{glob}`"));
        }
        let (file, glob) = self.ignores.rule(absolute)?;
        Some(format!("`{}` has `{}`", EscapedPath(&file), Escaped(&glob)))
    }

    fn folder(&mut self, given: &Path, absolute: PathBuf) -> Result<(), Error> {
        // A given `./a` is shown as `a`, and `.` as nothing.
        let shown = given.strip_prefix(".").unwrap_or(given).to_owned();
        let mut walk = WalkBuilder::new(given);
        walk.require_git(false).follow_links(false);
        if self.no_ignore {
            walk.ignore(false).git_ignore(false).git_global(false).git_exclude(false);
            walk.parents(false);
        } else {
            walk.filter_entry(self.is_wanted(given, &absolute));
        }
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.files.errors.push(unread(&error, given));
                    continue;
                }
            };
            let rest = entry.path().strip_prefix(given).unwrap_or(entry.path());
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let Some(language) = Language::of(rest).filter(|_| is_file) else { continue };
            let absolute = absolute.join(rest);
            let config = of_file(self.finder, &absolute)?;
            if self.no_ignore || config.excludes(&absolute).is_none() {
                let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
                let path = shown.join(rest);
                self.files.found.push(Found { path, absolute, language, config, bytes });
            }
        }
        self.files.folders.push(absolute);
        Ok(())
    }
}

impl Walk<'_> {
    /// Whether a folder below a given one is searched, by the configuration around it. What is
    /// wrong with a configuration is reported with its files.
    fn is_wanted(
        &self,
        given: &Path,
        absolute: &Path,
    ) -> impl Fn(&DirEntry) -> bool + Send + Sync + 'static {
        let (finder, given, absolute) =
            (Arc::clone(self.finder), given.to_owned(), absolute.to_owned());
        move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            if !is_folder || entry.depth() == 0 {
                return true;
            }
            let folder = absolute.join(entry.path().strip_prefix(&given).unwrap_or(entry.path()));
            of_file(&finder, &folder).map_or(true, |config| config.excludes(&folder).is_none())
        }
    }
}

/// The configuration of a file, whose path is absolute and normal.
pub(crate) fn of_file(finder: &Mutex<Finder>, absolute: &Path) -> Result<Arc<Config>, Error> {
    let mut finder = finder.lock().unwrap_or_else(PoisonError::into_inner);
    finder.of_folder(absolute.parent().unwrap_or(absolute))
}

/// Why a file cannot be checked.
pub(crate) fn unknown_language(path: &Path) -> String {
    match path.extension() {
        Some(extension) => {
            format!("`.{}` is not a known extension", EscapedPath(Path::new(extension)))
        }
        None => "its name has no extension".to_owned(),
    }
}

/// Why a walk could not read something, in this folder if it does not say more.
fn unread(error: &ignore::Error, path: &Path) -> Error {
    match error {
        ignore::Error::WithPath { path, err } => unread(err, path),
        ignore::Error::WithDepth { err, .. } => unread(err, path),
        ignore::Error::Io(error) => {
            // The walk wraps what the system said in words of its own.
            let mut cause: &dyn std::error::Error = error;
            while let Some(source) = cause.source() {
                cause = source;
            }
            Error::new(format!("cannot read `{}`: {cause}", EscapedPath(path)))
        }
        error => Error::new(Escaped(&error.to_string()).to_string()),
    }
}

/// The rules of gitignore files for single files.
#[derive(Default)]
struct Ignores {
    folders: BTreeMap<PathBuf, Vec<Gitignore>>,
}

impl Ignores {
    /// The file with the rule that leaves a path out, and the rule. A rule for a folder leaves out
    /// everything in it.
    fn rule(&mut self, absolute: &Path) -> Option<(PathBuf, String)> {
        let repository = paths::repository(absolute).map(Path::to_owned);
        let above: Vec<&Path> = absolute
            .ancestors()
            .take_while(|path| repository.as_deref().is_none_or(|root| path.starts_with(root)))
            .collect();
        // The outer folders first.
        for path in above.iter().rev() {
            let is_folder = *path != absolute;
            let rules = path.ancestors().skip(1).take_while(|folder| above.contains(folder));
            for folder in rules {
                let mut decided = false;
                for ignore in self.of_folder(folder) {
                    match ignore.matched(path, is_folder) {
                        ignore::Match::Ignore(glob) => {
                            let file = glob.from().map_or_else(PathBuf::new, Path::to_owned);
                            return Some((file, glob.original().to_owned()));
                        }
                        ignore::Match::Whitelist(_) => decided = true,
                        ignore::Match::None => {}
                    }
                }
                // A rule of a nearer file takes precedence.
                if decided {
                    break;
                }
            }
        }
        None
    }

    fn of_folder(&mut self, folder: &Path) -> &[Gitignore] {
        self.folders.entry(folder.to_owned()).or_insert_with(|| {
            let files = [".ignore", ".gitignore", ".git/info/exclude"];
            let existing = files.iter().map(|name| folder.join(name)).filter(|file| file.is_file());
            let read = |file: PathBuf| {
                let mut builder = GitignoreBuilder::new(folder);
                // A broken rule ignores nothing, as in a walk.
                let _ = builder.add(file);
                builder.build().ok()
            };
            existing.filter_map(read).collect()
        })
    }
}
