//! `failure-kinds.toml`: which files, keys and levels, and which kinds servers declare.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use failure_kinds_core::{Quoted, doubled, is_kind_name};
use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use toml::Spanned;

use super::error::Error;
use super::finding::Lines;
use super::id::{Id, Level};
use super::keys::{DEFAULT_CONSTANTS, DEFAULT_KEYS, Keys};
use failure_kinds_core::text::{Escaped, EscapedPath, path_text};

/// The name of the configuration file.
pub const FILE_NAME: &str = "failure-kinds.toml";

/// A configuration file to start with: every key, commented out where it has its default.
pub const STARTING_FILE: &str = include_str!("starting-file.toml");

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    lint: LintTable,
    #[serde(default)]
    servers: BTreeMap<String, ServerTable>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LintTable {
    #[serde(default)]
    exclude: Vec<Spanned<String>>,
    keys: Option<Vec<Spanned<String>>>,
    constants: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    levels: Vec<LevelTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelTable {
    ids: Vec<Spanned<String>>,
    /// Everywhere, if there are none.
    paths: Option<Vec<Spanned<String>>>,
    level: Level,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerTable {
    kinds: Vec<Spanned<String>>,
}

/// A configuration, ready for use.
#[derive(Debug)]
pub struct Config {
    /// The folder that paths are relative to.
    root: PathBuf,
    /// The file that it comes from, and its text.
    source: Option<(PathBuf, String)>,
    pub(crate) keys: Keys,
    constants: Vec<Range<usize>>,
    exclude: Vec<PathGlob>,
    levels: Vec<Override>,
    /// The kinds that are declared here, by server.
    pub(crate) servers: BTreeMap<String, Vec<DeclaredKind>>,
}

#[derive(Debug)]
pub(crate) struct DeclaredKind {
    pub(crate) name: String,
    span: Range<usize>,
    used: AtomicBool,
}

#[derive(Debug)]
struct PathGlob {
    matcher: GlobMatcher,
    text: String,
    span: Range<usize>,
    used: AtomicBool,
}

#[derive(Debug)]
struct Override {
    ids: Vec<Id>,
    paths: Option<Vec<PathGlob>>,
    level: Level,
}

impl Config {
    /// The configuration of the nearest file in this folder or above, or the default one.
    pub(crate) fn find(folder: &Path) -> Result<Self, Error> {
        let mut paths = folder.ancestors().map(|folder| folder.join(FILE_NAME));
        match paths.find(|path| path.is_file()) {
            Some(path) => Self::read(&path),
            None => Self::new(folder.to_owned(), None, File::default()),
        }
    }

    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or the first mistake in it, with its location.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|error| Error::read(path, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Error::new(format!("`{}` is not UTF-8 at byte {}", EscapedPath(path), at + 1))
        })?;
        Self::parse(path, text)
    }

    /// Reads the text of a configuration file. Paths in it are relative to the folder of `path`.
    ///
    /// # Errors
    ///
    /// The first mistake, with its location.
    pub fn parse(path: &Path, text: String) -> Result<Self, Error> {
        let file = toml::from_str(&text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            error_at(path, &text, error.span().unwrap_or(0..0), &Escaped(&message).to_string())
        })?;
        let absolute = std::path::absolute(path).map_err(|error| Error::read(path, &error))?;
        let root = absolute.parent().unwrap_or(&absolute).to_owned();
        Self::new(root, Some((path.to_owned(), text)), file)
    }

    fn new(root: PathBuf, source: Option<(PathBuf, String)>, file: File) -> Result<Self, Error> {
        let error_at = |span: &Range<usize>, message: &str| match &source {
            Some((path, text)) => error_at(path, text, span.clone(), message),
            None => Error::new(message),
        };
        let glob = |text: Spanned<String>| {
            let span = text.span();
            PathGlob::new(text).map_err(|error| error_at(&span, &error))
        };
        let LintTable { exclude, keys, constants, levels } = file.lint;
        let keys = keys.as_deref().map_or_else(|| DEFAULT_KEYS.to_vec(), texts);
        let names = constants.as_deref().map_or_else(|| DEFAULT_CONSTANTS.to_vec(), texts);
        let constants: Vec<_> = constants.iter().flatten().map(Spanned::span).collect();
        let keys = Keys::new(&keys, &names).map_err(|(index, error)| {
            error_at(constants.get(index).unwrap_or(&(0..0)), &error.to_string())
        })?;
        let levels = levels.into_iter().map(|table| {
            let ids = table.ids.iter().map(|name| {
                Id::parse(name.get_ref()).ok_or_else(|| {
                    let instead = Id::instead_of(name.get_ref());
                    let name_text = Quoted(name.get_ref());
                    error_at(&name.span(), &format!("unknown finding `{name_text}`; {instead}"))
                })
            });
            let paths = table.paths.map(|paths| paths.into_iter().map(glob).collect());
            Ok(Override {
                ids: ids.collect::<Result<_, _>>()?,
                paths: paths.transpose()?,
                level: table.level,
            })
        });
        let levels = levels.collect::<Result<_, Error>>()?;
        let servers = file.servers.into_iter().map(|(server, table)| {
            let kinds = table.kinds.into_iter().map(|kind| {
                let span = kind.span();
                declared(&server, kind).map_err(|message| error_at(&span, &message))
            });
            let kinds = kinds.collect::<Result<_, Error>>()?;
            Ok((server, kinds))
        });
        Ok(Self {
            keys,
            constants,
            exclude: exclude.into_iter().map(glob).collect::<Result<_, _>>()?,
            levels,
            servers: servers.collect::<Result<_, Error>>()?,
            root,
            source,
        })
    }

    /// A path as the globs of this file see it.
    pub(crate) fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        let path = path.strip_prefix(".").unwrap_or(path);
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Whether a file or folder, named absolutely, is left out.
    pub(crate) fn excludes(&self, path: &Path) -> bool {
        let path = self.relative(path);
        self.exclude.iter().filter(|glob| glob.matches(path)).count() > 0
    }

    /// The levels of a file, named absolutely.
    pub(crate) fn levels(&self, path: &Path) -> Levels<'_> {
        let path = self.relative(path);
        let applies = |entry: &&Override| match &entry.paths {
            None => true,
            // All of them are tried, so that each is known to be used.
            Some(globs) => globs.iter().filter(|glob| glob.matches(path)).count() > 0,
        };
        Levels { overrides: self.levels.iter().filter(applies).collect() }
    }

    /// Takes note that a declared kind is used.
    pub(crate) fn mark_used(&self, server: &str, kind: &str) {
        let kinds = self.servers.get(server).into_iter().flatten();
        for declared in kinds.filter(|declared| declared.name == kind) {
            declared.used.store(true, Ordering::Relaxed);
        }
    }

    /// The folder of the file; none where there is no file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.source.as_ref().map(|_| self.root.as_path())
    }

    /// The entries that did nothing in a run over the whole folder, each with its place.
    pub(crate) fn useless(&self) -> Vec<String> {
        let Some((path, text)) = &self.source else { return Vec::new() };
        let unused = |used: &AtomicBool| !used.load(Ordering::Relaxed);
        let mut entries: Vec<(&Range<usize>, String)> = Vec::new();
        let levels = self.levels.iter().filter_map(|entry| entry.paths.as_ref()).flatten();
        for glob in self.exclude.iter().chain(levels).filter(|glob| unused(&glob.used)) {
            entries
                .push((&glob.span, format!("the glob `{}` matches no file", Quoted(&glob.text))));
        }
        for (index, glob) in self.keys.unused_constants() {
            if let Some(span) = self.constants.get(index) {
                entries.push((span, format!("the glob `{}` matches no constant", Quoted(glob))));
            }
        }
        for (server, kinds) in &self.servers {
            for kind in kinds.iter().filter(|kind| unused(&kind.used)) {
                let name = format!("{server}:{}", kind.name);
                entries.push((&kind.span, format!("nothing uses the declared kind `{name}`")));
            }
        }
        entries.sort_by_key(|(span, _)| span.start);
        let place =
            |(span, message): (&Range<usize>, String)| located(path, text, span.start, &message);
        entries.into_iter().map(place).collect()
    }
}

fn texts(entries: &[Spanned<String>]) -> Vec<&str> {
    entries.iter().map(|entry| entry.get_ref().as_str()).collect()
}

fn declared(server: &str, kind: Spanned<String>) -> Result<DeclaredKind, String> {
    if !is_kind_name(server) {
        return Err(format!("`{}` is no name of a server", Quoted(server)));
    }
    let (span, name) = (kind.span(), kind.into_inner());
    if !is_kind_name(&name) {
        return Err(format!(
            "`{}` is no kind of `{server}`: write the part behind the colon",
            Quoted(&name)
        ));
    }
    if let Some(kind) = doubled(server, &name) {
        return Err(format!("`{server}:{name}` repeats the registered kind `{}`", kind.name));
    }
    Ok(DeclaredKind { name, span, used: AtomicBool::new(false) })
}

fn error_at(path: &Path, text: &str, span: Range<usize>, message: &str) -> Error {
    Error::new(located(path, text, span.start, message))
}

fn located(path: &Path, text: &str, at: usize, message: &str) -> String {
    let place = Lines::new(text.as_bytes()).place(at);
    format!("{}:{}:{}: {message}", Escaped(&path_text(path)), place.line, place.column)
}

impl PathGlob {
    /// A pattern without a slash matches at any depth, and one for a folder all that is in it.
    fn new(text: Spanned<String>) -> Result<Self, String> {
        let (span, text) = (text.span(), text.into_inner());
        let trimmed = text.trim_start_matches("./").trim_end_matches('/');
        let pattern = match trimmed.strip_prefix('/') {
            Some(anchored) => anchored.to_owned(),
            None if trimmed.contains('/') => trimmed.to_owned(),
            None => format!("**/{trimmed}"),
        };
        let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
        let matcher =
            glob.map_err(|error| Escaped(&error.to_string()).to_string())?.compile_matcher();
        Ok(Self { matcher, text, span, used: AtomicBool::new(false) })
    }

    fn matches(&self, path: &Path) -> bool {
        let matches = path
            .ancestors()
            .filter(|part| !part.as_os_str().is_empty())
            .any(|part| self.matcher.is_match(part));
        if matches {
            self.used.store(true, Ordering::Relaxed);
        }
        matches
    }
}

/// The levels that hold in one file.
#[derive(Debug)]
pub(crate) struct Levels<'c> {
    overrides: Vec<&'c Override>,
}

impl Levels<'_> {
    /// The level of a finding. What the configuration says is final, and the last entry of it
    /// counts; without one, test code is one level below the default.
    pub(crate) fn of(&self, id: Id, test: bool) -> Level {
        let default = id.explanation().level;
        self.overrides
            .iter()
            .rfind(|entry| entry.ids.contains(&id))
            .map_or(if test { default.lowered() } else { default }, |entry| entry.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, String> {
        Config::parse(Path::new("/p/failure-kinds.toml"), text.to_owned())
            .map_err(|error| error.to_string().replace("/p/", ""))
    }

    #[test]
    fn the_last_level_that_applies_counts() {
        let config = config(
            "[[lint.levels]]\nids = [\"legacy-kind\"]\nlevel = \"off\"\n\
             [[lint.levels]]\nids = [\"legacy-kind\", \"raw-literal\"]\npaths = [\"src/**\"]\nlevel = \"error\"\n",
        )
        .unwrap();
        let level = |path, id, test| config.levels(Path::new(path)).of(id, test);
        assert_eq!(level("/p/a.py", Id::LegacyKind, false), Level::Off);
        assert_eq!(level("/p/src/a.py", Id::LegacyKind, true), Level::Error);
        assert_eq!(level("/p/a.rs", Id::RawLiteral, false), Level::Warning);
        assert_eq!(level("/p/a.rs", Id::RawLiteral, true), Level::Off);
        assert_eq!(level("/p/a.rs", Id::UnregisteredKind, true), Level::Warning);
        assert_eq!(level("/p/a.rs", Id::DynamicKind, true), Level::Off);
    }

    #[test]
    fn globs_match_folders_and_names_at_any_depth() {
        let config = config("[lint]\nexclude = [\"data\", \"/ui/*.rs\", \"a/b/\"]\n").unwrap();
        for path in ["/p/data/x.json", "/p/x/data/y/z.py", "/p/ui/a.rs", "/p/a/b/c/d.py"] {
            assert!(config.excludes(Path::new(path)), "{path}");
        }
        for path in ["/p/database/x.json", "/p/x/ui/a.rs", "/p/a/c.py", "/p/ui/x/a.rs"] {
            assert!(!config.excludes(Path::new(path)), "{path}");
        }
        assert_eq!(config.useless(), [""; 0]);
    }

    #[test]
    fn useless_entries_have_a_place() {
        let text = "[lint]\nexclude = [\"gone\"]\nconstants = [\"*_KEY\"]\n[servers.s]\nkinds = [\"a\", \"b\"]\n";
        let config = config(text).unwrap();
        config.mark_used("s", "a");
        assert_eq!(
            config.useless().iter().map(|entry| entry.replace("/p/", "")).collect::<Vec<_>>(),
            [
                "failure-kinds.toml:2:12: the glob `gone` matches no file",
                "failure-kinds.toml:3:14: the glob `*_KEY` matches no constant",
                "failure-kinds.toml:5:15: nothing uses the declared kind `s:b`",
            ]
        );
    }

    #[test]
    fn wrong_entries_are_refused_with_their_place() {
        let refused = |text: &str| config(text).unwrap_err();
        assert!(refused("[lint]\nexcludes = []\n").contains("unknown field `excludes`"));
        assert!(
            refused("[[lint.levels]]\nids = [\"legacy\"]\nlevel = \"off\"\n")
                .starts_with("failure-kinds.toml:2:8: unknown finding `legacy`; the findings are ")
        );
        assert_eq!(
            refused("[[lint.levels]]\nids = [\"legacy-knd\"]\nlevel = \"off\"\n"),
            "failure-kinds.toml:2:8: unknown finding `legacy-knd`; a similar one is `legacy-kind`"
        );
        assert_eq!(
            refused("[servers.judge]\nkinds = [\"failed\"]\n"),
            "failure-kinds.toml:2:10: `judge:failed` repeats the registered kind `judge_failed`"
        );
        assert!(
            refused("[servers.s]\nkinds = [\"s:a\"]\n").contains("write the part behind the colon")
        );
        assert!(refused("[servers.S]\nkinds = [\"a\"]\n").contains("no name of a server"));
        assert!(refused("[lint]\nexclude = [\"a[\"]\n").contains(":2:12: "));
    }
}
