//! JSON as a tree with places.
//!
//! `serde_json` gives no places, and lends every raw value as a slice of the text: where the
//! slice lies is the place.

use std::fmt::{self, Formatter};
use std::ops::Range;
use std::string::String;
use std::vec::Vec;

use serde_core::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::faults::offset_of;
use super::node::{Key, KeyName, Node, Value};
use super::read::{MAX_DEPTH, NoTree};

pub(super) fn tree(text: &str) -> Result<Node, NoTree> {
    if is_too_deep(text) {
        return Err(NoTree::too_deep());
    }
    let json = text.trim_start_matches('\u{feff}');
    let reader = Reader { text };
    let root: &RawValue = reader.parse(json)?;
    reader.node(root)
}

/// Whether brackets outside strings open more levels than are allowed.
fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    /// Reads a slice of the text.
    fn parse<T: Deserialize<'a>>(&self, slice: &'a str) -> Result<T, NoTree> {
        serde_json::from_str(slice).map_err(|error| {
            let inside = offset_of(slice, error.line(), error.column(), char::len_utf8);
            let place = self.span(slice).start + inside;
            let message = std::format!("{error}");
            // The place is told in our own way.
            let end = message.rfind(" at line ").unwrap_or(message.len());
            NoTree::syntax(&message[..end], Some(place..place))
        })
    }

    /// The place of a slice of the text.
    fn span(&self, slice: &str) -> Range<usize> {
        let start = slice.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + slice.len()
    }

    fn node(&self, raw: &'a RawValue) -> Result<Node, NoTree> {
        let json = raw.get();
        let value = match json.as_bytes().first() {
            Some(b'{') => {
                let Entries(entries) = self.parse(json)?;
                let read = |(key, value)| self.entry(key, value);
                Value::Map(entries.into_iter().map(read).collect::<Result<_, _>>()?)
            }
            Some(b'[') => Value::List,
            Some(b'"') => Value::Text(self.parse(json)?),
            Some(b'n') => Value::Null,
            Some(b't' | b'f') => Value::Bool,
            _ => Value::Number,
        };
        Ok(Node { value, span: Some(self.span(json)) })
    }

    fn entry(&self, key: &'a RawValue, value: &'a RawValue) -> Result<(Key, Node), NoTree> {
        let name = KeyName::Text(self.parse::<String>(key.get())?);
        Ok((Key { name, span: Some(self.span(key.get())) }, self.node(value)?))
    }
}

/// The entries of an object as they stand.
struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor).map(Entries)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Vec<(&'de RawValue, &'de RawValue)>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}
