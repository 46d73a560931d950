//! Collects the faults of a configuration, with their paths, while it is read.

use std::collections::BTreeMap;
use std::format;
use std::ops::Range;
use std::string::String;
use std::vec::Vec;

use failure_kinds_core::Quoted;
use failure_kinds_core::text::{Lines, Place};

use super::error::{ConfigCode, ConfigError, ConfigFault, ConfigLocation, path_segment};
use super::names;
use crate::FailureKind;
use crate::document::{Key, Node, Value};

/// More entries than a file of the largest size has, unless its aliases repeat them.
const MAX_ENTRIES: usize = 500_000;

/// What is wrong with one name or value, apart from its location.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) code: ConfigCode,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) suggestion: Option<String>,
}

impl Problem {
    pub(super) fn new(code: ConfigCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, suggestion: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// The server whose extensions are declared, and the declared ones.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    pub(super) server: &'static str,
    pub(super) kinds: &'static [FailureKind],
}

/// Collects the faults of a configuration while it is read or applied.
#[derive(Default)]
pub(super) struct Decoder {
    path: Vec<String>,
    found: Vec<Found>,
    visited: usize,
    /// Whether reading checks names too, and not only keys and types.
    checks_names: bool,
    declared: Option<Declared>,
}

struct Found {
    fault: ConfigFault,
    span: Option<Range<usize>>,
    first: Option<Range<usize>>,
}

/// An entry of a map.
#[derive(Clone, Copy)]
pub(super) struct Entry<'d> {
    pub(super) name: &'d str,
    pub(super) key: &'d Key,
    pub(super) node: Node<'d>,
}

impl Decoder {
    /// For a whole file: names are checked as they are read, so that their faults have locations.
    pub(super) fn for_file() -> Self {
        Self { checks_names: true, ..Self::default() }
    }

    /// For the configuration of an environment, which declares these extensions.
    #[cfg(feature = "derive")]
    pub(super) fn declared(self, declared: Option<Declared>) -> Self {
        Self { declared, ..self }
    }

    /// A kind, which must be declared if it belongs to the server of this configuration.
    pub(super) fn kind(&self, text: &str) -> Result<FailureKind, Problem> {
        names::kind(text, self.declared)
    }

    /// Runs `work` one key deeper.
    pub(super) fn under<T>(&mut self, key: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(path_segment(key));
        let result = work(self);
        self.path.pop();
        result
    }

    /// Reports a problem at the current path.
    pub(super) fn push(&mut self, problem: Problem, span: Option<Range<usize>>) {
        self.push_duplicate(problem, span, None);
    }

    fn push_duplicate(
        &mut self,
        problem: Problem,
        span: Option<Range<usize>>,
        first: Option<Range<usize>>,
    ) {
        let Problem { code, message, help, suggestion } = problem;
        let path = self.path.join(".");
        let fault =
            ConfigFault { code, path, message, help, suggestion, location: None, first: None };
        self.found.push(Found { fault, span, first });
    }

    /// Returns the value, or reports the problem.
    pub(super) fn take<T>(
        &mut self,
        result: Result<T, Problem>,
        span: Option<Range<usize>>,
    ) -> Option<T> {
        result.map_err(|problem| self.push(problem, span)).ok()
    }

    /// Reports what is wrong with a name, if names are checked.
    pub(super) fn check<T>(&mut self, result: Result<T, Problem>, span: Option<Range<usize>>) {
        if self.checks_names {
            self.take(result, span);
        }
    }

    pub(super) fn wrong_type(&mut self, expected: &str, node: Node<'_>) {
        let found = node.target().value();
        let message = format!("expected {expected}, found {}", found.noun());
        let problem = Problem::new(ConfigCode::WrongType, message);
        let problem = match found {
            Value::Null => problem.help("leave the key out to keep the default"),
            _ => problem,
        };
        self.push(problem, node.span());
    }

    pub(super) fn unknown_key(&mut self, entry: Entry<'_>, known: &[&'static str]) {
        let problem = names::unknown_key(entry.name, known);
        self.under(entry.name, |this| this.push(problem, entry.key.span()));
    }

    /// The entries of a map, duplicates included; what is wrong with its keys is reported.
    pub(super) fn entries<'d>(&mut self, node: Node<'d>, expected: &str) -> Vec<Entry<'d>> {
        let map = node.target();
        if map.value() != Value::Map {
            self.wrong_type(expected, node);
            return Vec::new();
        }
        let mut seen: BTreeMap<&str, &Key> = BTreeMap::new();
        let mut entries = Vec::new();
        for node in map.children() {
            self.visited += 1;
            if self.visited > MAX_ENTRIES {
                break;
            }
            let Some(key) = node.key() else { continue };
            match key.name() {
                Ok("<<") => self.under("<<", |this| this.push(names::merge_key(), key.span())),
                Ok(name) => {
                    if let Some(first) = seen.get(name) {
                        let message = format!("duplicate key `{}`", Quoted(name));
                        let problem = Problem::new(ConfigCode::DuplicateKey, message);
                        self.under(name, |this| {
                            this.push_duplicate(problem, key.span(), first.span());
                        });
                    } else {
                        seen.insert(name, key);
                    }
                    entries.push(Entry { name, key, node });
                }
                Err(noun) => {
                    let message = format!("expected a string as key, found {noun}");
                    let problem = Problem::new(ConfigCode::WrongType, message);
                    self.push(problem.help("put it in quotes"), key.span());
                }
            }
        }
        entries
    }

    /// Returns `value`, or all faults in the order of `source`.
    pub(super) fn finish<T>(mut self, value: T, source: Option<&str>) -> Result<T, ConfigError> {
        if self.visited > MAX_ENTRIES {
            let message = format!("over {MAX_ENTRIES} entries, with aliases expanded");
            self.push(Problem::new(ConfigCode::TooManyEntries, message), None);
        }
        if self.found.is_empty() {
            return Ok(value);
        }
        if let Some(source) = source {
            self.found.sort_by_key(|found| found.span.as_ref().map_or(0, |span| span.start));
            self.locate(source);
        }
        let faults = self.found.into_iter().map(|found| found.fault).collect();
        Err(ConfigError::new(faults, source))
    }

    /// Finds the line and column of every fault.
    fn locate(&mut self, source: &str) {
        let lines = Lines::new(source.as_bytes());
        let locate = |span: Range<usize>| {
            let span = on_boundaries(source, span);
            let Place { line, column } = lines.place(span.start);
            ConfigLocation { line, column, span }
        };
        for Found { fault, span, first } in &mut self.found {
            fault.location = span.take().map(locate);
            fault.first = first.take().map(locate);
        }
    }
}

/// The span, widened to whole characters: whoever slices the text with it must not panic.
fn on_boundaries(text: &str, span: Range<usize>) -> Range<usize> {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}
