//! Which files are looked at.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::config::Config;
use super::error::Error;
use super::source::Language;
use failure_kinds_core::text::{Escaped, EscapedPath};

/// A file to look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// As it is shown: below the path that was given.
    pub(crate) path: PathBuf,
    /// As the globs of the configuration see it.
    pub(crate) absolute: PathBuf,
    /// How long it is.
    pub(crate) bytes: u64,
}

impl Found {
    pub(crate) fn language(&self) -> Option<Language> {
        Language::of(&self.path)
    }
}

/// Files to check.
#[derive(Debug)]
pub struct Files {
    pub(crate) found: Vec<Found>,
    /// Why others cannot be read.
    pub(crate) errors: Vec<Error>,
    /// Whether the whole folder of the configuration was searched: only then is an entry of it
    /// known to be useless.
    pub(crate) whole: bool,
}

impl Files {
    /// How long they are together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.found.iter().map(|found| found.bytes).sum()
    }

    /// Whether there is nothing to check and nothing to complain about.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.errors.is_empty()
    }
}

/// The files below the given paths in the order of their names, and what could not be read.
///
/// Folders are searched with the rules of gitignore files, hidden files left out; links are not
/// followed, so no loop of links matters. A file that is named is looked at whatever those rules
/// say, but never against `exclude`.
pub(crate) fn files(paths: &[PathBuf], config: &Config, from: &Path) -> Result<Files, Error> {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for given in paths {
        let absolute = from.join(given.strip_prefix(".").unwrap_or(given));
        let metadata = std::fs::metadata(given).map_err(|error| Error::read(given, &error))?;
        if metadata.is_dir() {
            folder(given, &absolute, config, &mut found, &mut errors);
        } else if Language::of(given).is_none() {
            return Err(unknown_language(given));
        } else if !config.excludes(&absolute) {
            let bytes = metadata.len();
            found.push(Found { path: given.clone(), absolute, bytes });
        }
    }
    found.sort_by(|a, b| a.absolute.cmp(&b.absolute));
    found.dedup_by(|a, b| a.absolute == b.absolute);
    found.sort();
    let covers = |path: &PathBuf| {
        let path = from.join(path.strip_prefix(".").unwrap_or(path));
        config.folder().is_some_and(|folder| folder.starts_with(&path))
    };
    Ok(Files { found, errors, whole: paths.iter().any(covers) })
}

/// The fault of a file that is named and cannot be looked at.
pub(crate) fn unknown_language(path: &Path) -> Error {
    let known = Language::EXTENSIONS.map(|(extension, _)| extension).join(", ");
    let path = EscapedPath(path);
    Error::new(format!("cannot tell the language of `{path}`: its extension is none of {known}"))
}

fn folder(
    given: &Path,
    absolute: &Path,
    config: &Config,
    found: &mut Vec<Found>,
    errors: &mut Vec<Error>,
) {
    let below = |path: &Path| match path.strip_prefix(given) {
        Ok(rest) if rest.as_os_str().is_empty() => absolute.to_owned(),
        Ok(rest) => absolute.join(rest),
        Err(_) => absolute.join(path),
    };
    for entry in WalkBuilder::new(given).require_git(false).follow_links(false).build() {
        match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
                let path = entry.into_path();
                if is_file && Language::of(&path).is_some() {
                    let absolute = below(&path);
                    if !config.excludes(&absolute) {
                        let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
                        found.push(Found { path, absolute, bytes });
                    }
                }
            }
            Err(error) => errors.push(unread(&error, given)),
        }
    }
}

/// The fault of what a walk could not read, in this folder if it says no more.
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
