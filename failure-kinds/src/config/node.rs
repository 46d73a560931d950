//! The small tree that every format is read into: values with places.

use std::fmt::{self, Formatter};
use std::marker::PhantomData;
use std::ops::Range;
use std::string::{String, ToString};
use std::vec::Vec;

use serde_core::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value and its place in the text, where there is one.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) span: Option<Range<usize>>,
}

/// A value. Only what a configuration can hold has contents.
#[derive(Debug)]
pub(super) enum Value {
    Null,
    Bool,
    Number,
    /// A date or a time.
    #[cfg(feature = "toml")]
    Time,
    Text(String),
    List,
    /// Every entry as it stands, also where a key stands twice.
    Map(Vec<(Key, Node)>),
}

/// A key and its place.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: KeyName,
    pub(super) span: Option<Range<usize>>,
}

#[derive(Debug)]
pub(super) enum KeyName {
    /// A text, or an integer, which YAML has as a key.
    Text(String),
    /// Anything else, by its type.
    Other(&'static str),
}

impl Value {
    /// The type, with its article.
    pub(super) const fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            #[cfg(feature = "toml")]
            Self::Time => "a date or time",
            Self::Text(_) => "a text",
            Self::List => "a list",
            Self::Map(_) => "a map",
        }
    }
}

/// How a format wraps a value that is to have a place.
pub(super) trait Places {
    /// The wrapped value.
    type Placed<'de, T: Deserialize<'de>>: Deserialize<'de>;

    /// The value and its place.
    fn open<'de, T: Deserialize<'de>>(placed: Self::Placed<'de, T>) -> (T, Option<Range<usize>>);
}

/// No places: what serde hands over knows none.
pub(super) enum Nowhere {}

impl Places for Nowhere {
    type Placed<'de, T: Deserialize<'de>> = T;

    fn open<'de, T: Deserialize<'de>>(placed: T) -> (T, Option<Range<usize>>) {
        (placed, None)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Placed::<Nowhere>::deserialize(deserializer)
            .map(|Placed(value, _)| Self { value, span: None })
    }
}

/// A value whose parts have the places that `P` gives.
pub(super) struct Placed<P>(pub(super) Value, pub(super) PhantomData<P>);

impl<'de, P: Places> Deserialize<'de> for Placed<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = deserializer.deserialize_any(ValueVisitor::<P>(PhantomData))?;
        Ok(Self(value, PhantomData))
    }
}

struct ValueVisitor<P>(PhantomData<P>);

impl<'de, P: Places> Visitor<'de> for ValueVisitor<P> {
    type Value = Value;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a configuration file")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Bool)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = entries.next_key::<P::Placed<'de, KeyName>>()? {
            let (name, key_span) = P::open(key);
            let (Placed(value, _), span) =
                P::open::<Placed<P>>(entries.next_value::<P::Placed<'de, Placed<P>>>()?);
            map.push((Key { name, span: key_span }, Node { value, span }));
        }
        Ok(Value::Map(map))
    }
}

impl<'de> Deserialize<'de> for KeyName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KeyVisitor)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = KeyName;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a key of a configuration file")
    }

    fn visit_str<E>(self, text: &str) -> Result<KeyName, E> {
        Ok(KeyName::Text(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<KeyName, E> {
        Ok(KeyName::Text(text))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<KeyName, E> {
        Ok(KeyName::Text(integer.to_string()))
    }

    fn visit_u64<E>(self, integer: u64) -> Result<KeyName, E> {
        Ok(KeyName::Text(integer.to_string()))
    }

    fn visit_i128<E>(self, integer: i128) -> Result<KeyName, E> {
        Ok(KeyName::Text(integer.to_string()))
    }

    fn visit_u128<E>(self, integer: u128) -> Result<KeyName, E> {
        Ok(KeyName::Text(integer.to_string()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<KeyName, E> {
        Ok(KeyName::Other(Value::Number.noun()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<KeyName, E> {
        Ok(KeyName::Other(Value::Bool.noun()))
    }

    fn visit_unit<E>(self) -> Result<KeyName, E> {
        Ok(KeyName::Other(Value::Null.noun()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<KeyName, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(KeyName::Other(Value::List.noun()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<KeyName, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(KeyName::Other("a map"))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<KeyName, D::Error> {
        inner.deserialize_any(self)
    }
}
