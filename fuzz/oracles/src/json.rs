//! Lines, as `serde_json` reads them.

use std::collections::BTreeMap;
use std::fmt::{self, Formatter};

use failure_kinds_rows::JsonType;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A line, as `serde_json` reads it.
pub(crate) enum Line {
    /// An object. Its values are left out if one of them is a number beyond the range of a float,
    /// or nested too deeply for `serde_json`.
    Row { row: Option<Json>, is_utf8: bool },
    /// Something else, or the start of something else.
    NotAnObject,
    /// The start of an object, and nothing else.
    Start,
    /// An object with an error in it.
    Malformed,
}

impl Line {
    pub(crate) fn of(line: &[u8]) -> Self {
        let text = String::from_utf8_lossy(line);
        if !text.trim_start_matches([' ', '\t', '\r']).starts_with('{') {
            return Self::NotAnObject;
        }
        match serde_json::from_str::<IgnoredAny>(&text) {
            Ok(IgnoredAny) => {
                let is_utf8 = str::from_utf8(line).is_ok();
                Self::Row { row: Json::read(&without_lone_surrogates(&text)), is_utf8 }
            }
            Err(error) if error.is_eof() && !has_half_escape(&text) => Self::Start,
            Err(_) => Self::Malformed,
        }
    }
}

/// Whether the text ends less than four characters after `\u`, and those are not all digits of the
/// escape. `serde_json` reports the end of the text there, whatever they are.
fn has_half_escape(text: &str) -> bool {
    let last = text.rsplit_once("\\u").map(|(_, last)| last);
    last.is_some_and(|last| last.len() < 4 && last.contains(|char: char| !char.is_ascii_hexdigit()))
}

/// The text with U+FFFD for each escape of a lone surrogate, which `serde_json`
/// rejects.
fn without_lone_surrogates(mut text: &str) -> String {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut replaced = String::new();
    while let Some(at) = text.find('\\') {
        let (before, escape) = text.split_at(at);
        replaced.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                replaced.push('\u{fffd}');
                text = &escape[6..];
                continue;
            }
            _ => 2,
        };
        replaced.push_str(&escape[..length]);
        text = &escape[length..];
    }
    replaced + text
}

/// A value, as deep as rows are read.
#[derive(Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Boolean(bool),
    Integer(i128),
    Float,
    Text(String),
    Array,
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// `None` where `serde_json` has limits of its own, or does not distinguish `-0` and `-0.0`.
    fn read(text: &str) -> Option<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        Depth(3).deserialize(&mut reader).ok().filter(|_| !text.contains("-0"))
    }

    /// The value of a key; null if it is absent.
    pub(crate) fn get(&self, key: &str) -> &Self {
        match self {
            Self::Object(members) => members.get(key).unwrap_or(&Self::Null),
            _ => &Self::Null,
        }
    }

    /// Whether there is such a key.
    pub(crate) fn has(&self, key: &str) -> bool {
        matches!(self, Self::Object(members) if members.contains_key(key))
    }

    /// The type; none for null.
    pub(crate) const fn json_type(&self) -> Option<JsonType> {
        Some(match self {
            Self::Null => return None,
            Self::Boolean(_) => JsonType::Boolean,
            Self::Integer(_) => JsonType::Integer,
            Self::Float => JsonType::Float,
            Self::Text(_) => JsonType::String,
            Self::Array => JsonType::Array,
            Self::Object(_) => JsonType::Object,
        })
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }
}

/// Reads a value, following objects down to this depth. The last of duplicate keys wins.
#[derive(Clone, Copy)]
struct Depth(u32);

impl<'de> DeserializeSeed<'de> for Depth {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Depth {
    type Value = Json;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Integer(value.into()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Float)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Json, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json, A::Error> {
        let mut members = BTreeMap::new();
        while let Some(key) = object.next_key::<String>()? {
            if let Some(below) = self.0.checked_sub(1) {
                members.insert(key, object.next_value_seed(Self(below))?);
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Json::Object(members))
    }
}
