//! JSON Lines: saved rows, read as a stream. A name counts once, with the first line that has it
//! and the number of times.

use std::collections::BTreeMap;
use std::io;

use failure_kinds_core::text::Place;
use failure_kinds_rows::{
    Check, LineSink, Malformed, Reason, Source, SyntaxError, Value as Json, is_key, read_lines,
    scan_elements, scan_members,
};
use serde_core::de::IgnoredAny;

use crate::finding::{Excerpt, Located};
use crate::keys::{ANY, Keys, may_hold_class};
use crate::position::{Position, Value};

/// What a file of rows has where kinds belong.
#[derive(Debug, Default)]
pub(crate) struct RowNames {
    seen: BTreeMap<Seen, First>,
    malformed: BTreeMap<String, First>,
}

/// A name, or what else is there, under keys that are judged alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    may_hold_class: bool,
    what: Result<String, &'static str>,
}

/// The first of several locations.
#[derive(Debug)]
pub(crate) struct First {
    key: String,
    pub(crate) at: Located,
    pub(crate) count: u64,
}

impl RowNames {
    /// The names and other values, each with its first location.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (Position, &First)> {
        self.seen.iter().map(|(seen, first)| {
            let value = match &seen.what {
                Ok(text) => Value::Text { text: text.clone(), inside: None },
                Err(what) => Value::NotText(what),
            };
            (Position::in_data(&first.key, 0..0, value), first)
        })
    }

    /// What is wrong with lines that are not JSON, each with its first location.
    pub(crate) fn malformed(&self) -> impl Iterator<Item = (&str, &First)> {
        self.malformed.iter().map(|(why, first)| (why.as_str(), first))
    }
}

/// Reads a stream of rows. An interrupted last line is not an error. Of another format, only that
/// is reported.
pub(crate) fn read(source: &mut Source<'_>, keys: &Keys) -> io::Result<RowNames> {
    let mut reader = Reader { keys, names: RowNames::default(), error: None };
    if let Some(format) = source.format() {
        let at = Row { number: 1, line: b"" }.locate(b"");
        let why = format!("not JSON Lines but {format}");
        reader.names.malformed.insert(why, First { key: String::new(), at, count: 1 });
        return Ok(reader.names);
    }
    read_lines(source, &mut reader)?;
    Ok(reader.names)
}

struct Reader<'k> {
    keys: &'k Keys,
    names: RowNames,
    /// Where the last line that is not a row is wrong.
    error: Option<Located>,
}

impl LineSink for Reader<'_> {
    fn line<'a>(&mut self, number: u64, line: &'a [u8]) -> Result<(), SyntaxError<'a>> {
        let row = Row { number, line };
        self.row(&row).inspect_err(|error| self.error = Some(row.locate(&error.at[..0])))
    }

    fn malformed(&mut self, number: u64, why: Malformed) {
        let at = self.error.take().unwrap_or_else(|| Row { number, line: b"" }.locate(b""));
        let why = match why {
            Malformed::Syntax { reason, .. } => reason.to_string(),
            Malformed::TooLong => why.to_string(),
        };
        let first = First { key: String::new(), at, count: 0 };
        self.names.malformed.entry(why).or_insert(first).count += 1;
    }
}

/// A line of the file.
struct Row<'l> {
    number: u64,
    line: &'l [u8],
}

impl Row<'_> {
    /// Where a part of the line starts in it.
    fn offset(&self, part: &[u8]) -> usize {
        part.as_ptr().addr().saturating_sub(self.line.as_ptr().addr()).min(self.line.len())
    }

    fn locate(&self, value: &[u8]) -> Located {
        let start = self.offset(value);
        let span = start..start + value.len();
        let line = usize::try_from(self.number).unwrap_or(usize::MAX);
        let place = |at: usize| Place::after(line, &self.line[..at]);
        Located {
            start: place(span.start),
            end: place(span.end),
            excerpt: Excerpt::of(self.line, &span),
        }
    }
}

impl<'k> Reader<'k> {
    fn row<'l>(&mut self, row: &Row<'l>) -> Result<(), SyntaxError<'l>> {
        match self.members(&mut Vec::new(), row.line, row) {
            // A line may be a list or a scalar: then it is not a row, and has no key.
            Err(SyntaxError { reason: Reason::NotAnObject, .. })
                if serde_json::from_slice::<IgnoredAny>(row.line).is_ok() =>
            {
                Ok(())
            }
            other => other,
        }
    }

    /// The members of an object on the path of a key. Of a key that is given twice, the last value
    /// counts.
    fn members<'l>(
        &mut self,
        path: &mut Vec<&'k str>,
        text: &'l [u8],
        row: &Row<'l>,
    ) -> Result<(), SyntaxError<'l>> {
        let parts = self.keys.next_parts(path);
        let mut found: Vec<(&'k str, &[u8], &[u8])> = Vec::new();
        scan_members(text, Check::Read, |key, value| {
            let is_part = |part: &&&str| **part == ANY || is_key(key, part);
            if let Some(part) = parts.iter().find(is_part) {
                found.push((part, key, value));
            }
        })?;
        for (index, &(part, key, value)) in found.iter().enumerate() {
            let again =
                |other: &(&str, &[u8], &[u8])| other.0 == part && (part != ANY || other.1 == key);
            if !found[index + 1..].iter().any(again) {
                path.push(part);
                let result = self.value(path, value, row);
                path.pop();
                result?;
            }
        }
        Ok(())
    }

    fn value<'l>(
        &mut self,
        path: &mut Vec<&'k str>,
        raw: &'l [u8],
        row: &Row<'l>,
    ) -> Result<(), SyntaxError<'l>> {
        let Some(value) = Json::parse(raw) else {
            return Err(SyntaxError { reason: Reason::Expected("a valid JSON value"), at: raw });
        };
        let is_key = self.keys.is_key_path(&path.iter().copied(), true);
        match value {
            Json::Object(text) if !is_key => self.members(path, text, row),
            _ if !is_key => Ok(()),
            // Each element counts. The text with brackets is not a name.
            Json::Array => scan_elements(raw, Check::Read, |element| match Json::parse(element) {
                Some(Json::Array) => self.see(path, Err("a list of lists"), element, row),
                Some(Json::Object(_)) => self.see(path, Err("a list of objects"), element, row),
                Some(value) => self.scalar(path, &value, element, row),
                None => {}
            }),
            value => {
                self.scalar(path, &value, raw, row);
                Ok(())
            }
        }
    }

    fn scalar(&mut self, path: &[&str], value: &Json<'_>, raw: &[u8], row: &Row<'_>) {
        let what = match value {
            Json::Null => return,
            Json::String(text) => Ok(text.decode().into_owned()),
            Json::Boolean(_) => Err("a boolean"),
            Json::Integer(_) | Json::Float => Err("a number"),
            Json::Object(_) => Err("an object"),
            Json::Array => Err("a list"),
        };
        self.see(path, what, raw, row);
    }

    fn see(
        &mut self,
        path: &[&str],
        what: Result<String, &'static str>,
        raw: &[u8],
        row: &Row<'_>,
    ) {
        let key = path.join(".");
        let seen = Seen { may_hold_class: may_hold_class(&key), what };
        if let Some(first) = self.names.seen.get_mut(&seen) {
            first.count += 1;
        } else {
            self.names.seen.insert(seen, First { key, at: row.locate(raw), count: 1 });
        }
    }
}
