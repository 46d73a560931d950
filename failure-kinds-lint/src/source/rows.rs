//! JSON Lines: saved rows, read as a stream. A name counts once, with the first line that has
//! it and the number of rows.

use std::collections::BTreeMap;
use std::io;

use serde::de::IgnoredAny;

use crate::finding::{Excerpt, Located, Place, characters};
use crate::keys::Keys;
use crate::position::{Position, Value};
use failure_kinds_rows::{
    Check, LineSink, Malformed, Reason, Source, SyntaxError, Value as Json, is_key, read_lines,
    scan_members,
};

/// What stands in a file of rows where kinds belong.
#[derive(Debug, Default)]
pub(crate) struct RowNames {
    seen: BTreeMap<Seen, First>,
    malformed: BTreeMap<String, First>,
}

/// A name, or what stands where one belongs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Name(String),
    NoText(&'static str),
}

/// The first of several places.
#[derive(Debug)]
pub(crate) struct First {
    key: String,
    pub(crate) at: Located,
    pub(crate) count: u64,
}

impl RowNames {
    /// The names and other values, each with its first place.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (Position, &First)> {
        self.seen.iter().map(|(seen, first)| {
            let value = match seen {
                Seen::Name(text) => Value::Text { text: text.clone(), inside: None },
                Seen::NoText(what) => Value::NoText(what),
            };
            (Position::in_data(&first.key, 0..0, value), first)
        })
    }

    /// The faults of lines that are no JSON, each with its first place.
    pub(crate) fn malformed(&self) -> impl Iterator<Item = (&str, &First)> {
        self.malformed.iter().map(|(why, first)| (why.as_str(), first))
    }
}

/// Reads a stream of rows. An interrupted last line is no fault.
pub(crate) fn read(source: &mut Source<'_>, keys: &Keys) -> io::Result<RowNames> {
    let names = RowNames::default();
    let mut reader = Reader { keys, row_keys: keys.row_keys(), names, fault: None };
    read_lines(source, &mut reader)?;
    Ok(reader.names)
}

struct Reader<'k> {
    keys: &'k Keys,
    row_keys: Vec<&'k str>,
    names: RowNames,
    /// Where the last line that is no row goes wrong.
    fault: Option<Located>,
}

impl LineSink for Reader<'_> {
    fn line<'a>(&mut self, number: u64, line: &'a [u8]) -> Result<(), SyntaxError<'a>> {
        let row = Row { number, line };
        self.row(&row).inspect_err(|error| self.fault = Some(row.locate(&error.at[..0])))
    }

    fn malformed(&mut self, number: u64, why: Malformed) {
        let at = self.fault.take().unwrap_or_else(|| Row { number, line: b"" }.locate(b""));
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
        let place = |at: usize| Place { line, column: characters(&self.line[..at]) + 1 };
        Located {
            start: place(span.start),
            end: place(span.end),
            excerpt: Excerpt::of(self.line, &span),
        }
    }
}

impl Reader<'_> {
    fn row<'l>(&mut self, row: &Row<'l>) -> Result<(), SyntaxError<'l>> {
        let mut found = Vec::new();
        let scanned = scan_members(row.line, Check::Read, |key, value| {
            if let Some(key) = self.row_keys.iter().find(|name| is_key(key, name)) {
                found.push((*key, value));
            }
        });
        match scanned {
            Ok(()) => {}
            // A line may be a list or a scalar: then it is no row, and there is no key in it.
            Err(SyntaxError { reason: Reason::NotAnObject, .. })
                if serde_json::from_slice::<IgnoredAny>(row.line).is_ok() => {}
            Err(why) => return Err(why),
        }
        for (index, &(key, value)) in found.iter().enumerate() {
            // Of a key that is given twice, the last value counts.
            if found[index + 1..].iter().all(|(other, _)| *other != key) {
                self.value(&mut vec![key], value, row)?;
            }
        }
        Ok(())
    }

    fn value<'p, 'v: 'p>(
        &mut self,
        path: &mut Vec<&'p str>,
        raw: &'v [u8],
        row: &Row<'_>,
    ) -> Result<(), SyntaxError<'v>> {
        let value = Json::parse(raw).ok_or(SyntaxError {
            reason: Reason::Expected("a value that is valid JSON"),
            at: raw,
        })?;
        let whole = self.keys.is_key_path(&path.iter().copied(), true);
        let what = match value {
            Json::Object(text) if !whole => return self.members(path, text, row),
            _ if !whole => return Ok(()),
            Json::Null => return Ok(()),
            Json::String(text) => {
                self.see(path, Seen::Name(text.decode().into_owned()), raw, row);
                return Ok(());
            }
            Json::Array => {
                self.elements(path, raw, row);
                return Ok(());
            }
            Json::Object(_) => "an object",
            Json::Boolean(_) => "a boolean",
            Json::Integer(_) | Json::Float => "a number",
        };
        self.see(path, Seen::NoText(what), raw, row);
        Ok(())
    }

    /// The members of an object on the path of a key.
    fn members<'p, 'v: 'p>(
        &mut self,
        path: &mut Vec<&'p str>,
        text: &'v [u8],
        row: &Row<'_>,
    ) -> Result<(), SyntaxError<'v>> {
        let mut members: BTreeMap<&str, &[u8]> = BTreeMap::new();
        scan_members(text, Check::Read, |key, value| {
            if let Ok(key) = str::from_utf8(key) {
                members.insert(key, value);
            }
        })?;
        for (key, value) in members {
            path.push(key);
            if self.keys.leads_to_key(path) {
                self.value(path, value, row)?;
            }
            path.pop();
        }
        Ok(())
    }

    /// The elements of a list, each for itself: the text with brackets is no name.
    fn elements(&mut self, path: &[&str], raw: &[u8], row: &Row<'_>) {
        let Ok(elements) = serde_json::from_slice::<Vec<serde_json::Value>>(raw) else { return };
        for element in elements {
            let seen = match element {
                serde_json::Value::Null => continue,
                serde_json::Value::String(text) => Seen::Name(text),
                serde_json::Value::Bool(_) => Seen::NoText("a boolean"),
                serde_json::Value::Number(_) => Seen::NoText("a number"),
                serde_json::Value::Array(_) => Seen::NoText("a list of lists"),
                serde_json::Value::Object(_) => Seen::NoText("a list of objects"),
            };
            self.see(path, seen, raw, row);
        }
    }

    fn see(&mut self, path: &[&str], seen: Seen, raw: &[u8], row: &Row<'_>) {
        if let Some(first) = self.names.seen.get_mut(&seen) {
            first.count += 1;
            return;
        }
        let key = path.join(".");
        let first = First { key, at: row.locate(raw), count: 1 };
        self.names.seen.insert(seen, first);
    }
}
