//! The collector of faults: where the decoder is, and what it found.

use std::ops::Range;
use std::string::String;
use std::vec::Vec;

use super::error::{ConfigError, ConfigFault, ConfigLocation, path_segment};
use super::names;
use crate::FailureClass;

/// What is wrong with one name or value, apart from where it stands.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) suggestion: Option<String>,
}

impl Problem {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, suggestion: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

#[derive(Default)]
pub(super) struct Faults {
    path: Vec<String>,
    found: Vec<Found>,
}

struct Found {
    fault: ConfigFault,
    span: Option<Range<usize>>,
    first: Option<Range<usize>>,
}

impl Faults {
    /// Runs `work` one key deeper.
    pub(super) fn under<T>(&mut self, key: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(key);
        let result = work(self);
        self.leave();
        result
    }

    /// One key deeper.
    pub(super) fn enter(&mut self, key: &str) {
        self.path.push(path_segment(key));
    }

    /// One key back.
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    /// Reports a problem at the present path.
    pub(super) fn push(&mut self, problem: Problem, span: Option<&Range<usize>>) {
        self.push_twice(problem, span, None);
    }

    /// As [`Self::push`], for a key that stands at `first` already.
    pub(super) fn push_twice(
        &mut self,
        problem: Problem,
        span: Option<&Range<usize>>,
        first: Option<&Range<usize>>,
    ) {
        let Problem { message, help, suggestion } = problem;
        let path = self.path.join(".");
        let fault = ConfigFault { path, message, help, suggestion, location: None, first: None };
        self.found.push(Found { fault, span: span.cloned(), first: first.cloned() });
    }

    /// The value, or nothing and a report of the problem.
    pub(super) fn take<T>(
        &mut self,
        result: Result<T, Problem>,
        span: Option<&Range<usize>>,
    ) -> Option<T> {
        result.map_err(|problem| self.push(problem, span)).ok()
    }

    /// Hands an entry of a map from names to classes to `set`, or reports what is wrong with it.
    pub(super) fn entry<K>(
        &mut self,
        name: &str,
        class: &str,
        key: Result<K, Problem>,
        set: impl FnOnce(K, Option<FailureClass>),
    ) {
        self.under(name, |this| {
            let key = this.take(key, None);
            let class = this.take(names::setting(class), None);
            if let (Some(key), Some(class)) = (key, class) {
                set(key, class);
            }
        });
    }

    /// `value` if nothing was found, else all faults, in the order of `source`.
    pub(super) fn finish<T>(mut self, value: T, source: Option<&str>) -> Result<T, ConfigError> {
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

    /// Gives every fault its line and column, in one walk over the text.
    fn locate(&mut self, source: &str) {
        let mut places: Vec<_> = self
            .found
            .iter_mut()
            .flat_map(|Found { fault, span, first }| {
                [(span.take(), &mut fault.location), (first.take(), &mut fault.first)]
            })
            .filter_map(|(span, location)| {
                // Whatever a parser counts, no reader of a location is to cut a character.
                let Range { start, end } = span?;
                let start = source.floor_char_boundary(start);
                Some((start..source.ceil_char_boundary(end).max(start), location))
            })
            .collect();
        places.sort_by_key(|(span, _)| span.start);
        let mut cursor = Cursor { text: source, offset: 0, line: 1, column: 1 };
        for (span, location) in places {
            *location = Some(cursor.locate(span));
        }
    }
}

/// A place in a text that only moves on.
struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
    column: usize,
}

impl Cursor<'_> {
    fn locate(&mut self, span: Range<usize>) -> ConfigLocation {
        let passed = self.text.get(self.offset..span.start).unwrap_or_default();
        for char in passed.chars() {
            if char == '\n' {
                self.line += 1;
                self.column = 1;
            } else if char != '\u{feff}' || self.column > 1 || self.line > 1 {
                self.column += 1;
            }
        }
        self.offset = self.offset.max(span.start);
        ConfigLocation { line: self.line, column: self.column, span }
    }
}

/// The place of a line and a column, both from 1, which counts characters or bytes as `width`
/// says.
pub(super) fn offset_of(
    source: &str,
    line: usize,
    column: usize,
    width: impl Fn(char) -> usize,
) -> usize {
    let start = if line <= 1 {
        0
    } else {
        source.match_indices('\n').nth(line - 2).map_or(source.len(), |(newline, _)| newline + 1)
    };
    let mut left = column.saturating_sub(1);
    for (index, char) in source[start..].char_indices() {
        if left == 0 || char == '\n' {
            return start + index;
        }
        left = left.saturating_sub(width(char));
    }
    source.len()
}
