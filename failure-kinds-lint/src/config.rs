//! `failure-kinds.toml`: which files, keys and levels, and which kinds servers declare.

mod decode;
mod find;
mod glob;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use failure_kinds_core::Quoted;
use failure_kinds_core::text::{Escaped, EscapedPath, Lines, path_text};
use globset::Glob;

pub(crate) use self::find::Finder;
use self::glob::PathGlob;
use super::error::Error;
use super::id::{Id, Level};
use super::keys::{DEFAULT_KEYS, Keys, default_constants};
use super::paths::absolute;

/// The name of the configuration file.
pub const FILE_NAME: &str = "failure-kinds.toml";

/// A configuration file to start with: every key, commented out if it has its default.
pub const STARTING_FILE: &str = include_str!("starting-file.toml");

/// A configuration, ready for use.
#[derive(Debug)]
pub struct Config {
    /// The folder that it is for.
    root: PathBuf,
    pub(crate) keys: Keys,
    /// The file that the constants come from, if they are not the default ones.
    constants: Option<Arc<File>>,
    /// The file and those that it extends, the outermost first.
    files: Vec<Arc<File>>,
}

/// What one file says. It may be a part of several configurations.
#[derive(Debug, Default)]
struct File {
    source: Source,
    extends: Option<PathBuf>,
    exclude: Vec<PathGlob>,
    keys: Option<Vec<String>>,
    /// Each with its location.
    constants: Option<Vec<(Glob, Range<usize>)>>,
    levels: Vec<Override>,
    servers: BTreeMap<String, Vec<DeclaredKind>>,
    /// Lists that are empty: their locations and names.
    empty: Vec<(Range<usize>, &'static str)>,
}

/// A file and its text, to say where in it something is.
#[derive(Debug, Default)]
struct Source {
    path: PathBuf,
    text: String,
}

#[derive(Debug)]
struct DeclaredKind {
    name: String,
    span: Range<usize>,
    used: AtomicBool,
}

#[derive(Debug)]
struct Override {
    ids: Vec<Id>,
    paths: Option<Vec<PathGlob>>,
    level: Level,
}

/// The rule that leaves a file out.
pub(crate) struct Exclusion<'c> {
    pub(crate) file: &'c Path,
    pub(crate) glob: &'c str,
}

impl Config {
    /// Reads a configuration file, and those that it extends. Paths in each are relative to its
    /// folder.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or the mistakes in the first file with any, each with its
    /// location.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Ok(Self::of_files(find::chain(path, &mut BTreeMap::new())?))
    }

    /// Reads the text of a configuration file that extends no other. Paths in it are relative to
    /// the folder of `path`.
    ///
    /// # Errors
    ///
    /// The mistakes, each with its location.
    pub fn parse(path: &Path, text: String) -> Result<Self, Error> {
        let file = File::parse(path, text)?;
        Ok(Self::of_files(vec![Arc::new(file)]))
    }

    /// The configuration of a folder without a file.
    fn default_for(root: PathBuf) -> Self {
        let keys = Keys::new(&DEFAULT_KEYS, &default_constants());
        Self { root, keys, constants: None, files: Vec::new() }
    }

    fn of_files(files: Vec<Arc<File>>) -> Self {
        let keys = files.iter().rev().find_map(|file| file.keys.as_ref());
        let keys = keys.map_or_else(
            || DEFAULT_KEYS.to_vec(),
            |keys| keys.iter().map(String::as_str).collect(),
        );
        let source = files.iter().rfind(|file| file.constants.is_some()).cloned();
        let constants = source.as_ref().and_then(|file| file.constants.as_ref());
        let constants = constants.map_or_else(default_constants, |own| {
            own.iter().map(|(glob, _)| glob.clone()).collect()
        });
        let keys = Keys::new(&keys, &constants);
        let path = files.last().map_or(Path::new(""), |file| file.source.path.as_path());
        let root = path.parent().unwrap_or(path).to_owned();
        Self { root, keys, constants: source, files }
    }

    /// A path as it is inside the folder of the configuration.
    pub(crate) fn relative<'p>(&self, absolute: &'p Path) -> &'p Path {
        let name = absolute.file_name().map_or(absolute, Path::new);
        absolute.strip_prefix(&self.root).unwrap_or(name)
    }

    /// The rule that leaves a file or a folder out, if there is one.
    pub(crate) fn excludes(&self, absolute: &Path) -> Option<Exclusion<'_>> {
        self.files.iter().find_map(|file| {
            let glob = file.exclude.iter().find(|glob| glob.matches(absolute))?;
            Some(Exclusion { file: &file.source.path, glob: glob.text() })
        })
    }

    /// The levels in a file.
    pub(crate) fn levels(&self, absolute: &Path) -> Levels<'_> {
        let applies = |entry: &&Override| {
            // Every glob is tried, so that each is known to match something.
            let matches =
                |paths: &Vec<PathGlob>| paths.iter().filter(|g| g.matches(absolute)).count() > 0;
            entry.paths.as_ref().is_none_or(matches)
        };
        Levels {
            overrides: self.files.iter().flat_map(|file| &file.levels).filter(applies).collect(),
        }
    }

    /// The kinds that are declared here for a server; `None` if it is not declared here.
    pub(crate) fn declared(&self, server: &str) -> Option<Vec<&str>> {
        let mut lists = self.files.iter().filter_map(|file| file.servers.get(server)).peekable();
        lists.peek()?;
        Some(lists.flatten().map(|kind| kind.name.as_str()).collect())
    }

    /// Marks a declared kind as used.
    pub(crate) fn mark_used(&self, server: &str, kind: &str) {
        let kinds = self.files.iter().filter_map(|file| file.servers.get(server)).flatten();
        for declared in kinds.filter(|declared| declared.name == kind) {
            declared.used.store(true, Ordering::Relaxed);
        }
    }

    /// The folder of the file; `None` if there is no file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        (!self.files.is_empty()).then_some(self.root.as_path())
    }

    /// The empty lists in its file, each with its location.
    pub(crate) fn empty(&self) -> impl Iterator<Item = String> {
        self.files.last().into_iter().flat_map(|file| {
            let at = |(span, name): &(Range<usize>, &str)| {
                file.source.located(span.start, &format!("the list `{name}` is empty"))
            };
            file.empty.iter().map(at)
        })
    }

    /// The entries of its file that did nothing in a run over the whole folder, each with its
    /// location.
    pub(crate) fn useless(&self) -> Vec<String> {
        let Some(file) = self.files.last() else { return Vec::new() };
        let mut entries: Vec<(usize, String)> = Vec::new();
        let levels = file.levels.iter().filter_map(|entry| entry.paths.as_ref()).flatten();
        for glob in file.exclude.iter().chain(levels).filter(|glob| !glob.is_used()) {
            let glob_text = Quoted(glob.text());
            entries.push((glob.span().start, format!("the glob `{glob_text}` matches no file")));
        }
        let constants = self.constants.as_ref().filter(|source| Arc::ptr_eq(source, file));
        if let Some(constants) = constants.and_then(|source| source.constants.as_ref()) {
            for (index, glob) in self.keys.unused_constants() {
                let message = format!("the glob `{}` matches no constant", Quoted(glob));
                entries.push((constants[index].1.start, message));
            }
        }
        for (server, kinds) in &file.servers {
            for kind in kinds.iter().filter(|kind| !kind.used.load(Ordering::Relaxed)) {
                let name = format!("{server}:{}", kind.name);
                entries.push((kind.span.start, format!("nothing uses the declared kind `{name}`")));
            }
        }
        entries.sort_by_key(|(at, _)| *at);
        entries.into_iter().map(|(at, message)| file.source.located(at, &message)).collect()
    }
}

impl File {
    fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|error| Error::read(path, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Error::new(format!("`{}` is not UTF-8 at byte {}", EscapedPath(path), at + 1))
        })?;
        Self::parse(path, text)
    }

    fn parse(path: &Path, text: String) -> Result<Self, Error> {
        let path = absolute(path)?;
        decode::file(Source { path, text })
    }
}

impl Source {
    fn located(&self, at: usize, message: &str) -> String {
        let place = Lines::new(self.text.as_bytes()).place(at);
        let path = path_text(&self.path);
        format!("{}:{}:{}: {message}", Escaped(&path), place.line, place.column)
    }
}

/// The levels in one file.
#[derive(Debug)]
pub(crate) struct Levels<'c> {
    overrides: Vec<&'c Override>,
}

impl Levels<'_> {
    /// The level of a finding. The last entry of the configuration that applies counts. Without
    /// one, test code is one level below the default.
    pub(crate) fn of(&self, id: Id, test: bool) -> Level {
        let default = id.explanation().level;
        self.overrides
            .iter()
            .rfind(|entry| entry.ids.contains(&id))
            .map_or(if test { default.lowered() } else { default }, |entry| entry.level)
    }
}
