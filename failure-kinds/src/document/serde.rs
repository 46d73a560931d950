//! Whatever serde reads, as a tree without locations.

use std::fmt::{self, Formatter};
use std::string::{String, ToString};
use std::vec::Vec;

use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::{Document, Key, Kind, Value};

impl<'de> Deserialize<'de> for Document {
    /// A document with one root, without locations.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut document = Self::default();
        Place { document: &mut document, parent: None, key: None }.deserialize(deserializer)?;
        Ok(document)
    }
}

/// Where the next value is added.
struct Place<'a> {
    document: &'a mut Document,
    parent: Option<usize>,
    key: Option<Key>,
}

impl Place<'_> {
    fn add(self, kind: Kind) {
        self.document.add(self.parent, self.key, kind, None);
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a configuration file")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.add(Kind::Null);
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        self.add(Kind::Null);
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<(), D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.add(Kind::Boolean);
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.add(Kind::Number);
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.add(Kind::Number);
        Ok(())
    }

    fn visit_i128<E>(self, _: i128) -> Result<(), E> {
        self.add(Kind::Number);
        Ok(())
    }

    fn visit_u128<E>(self, _: u128) -> Result<(), E> {
        self.add(Kind::Number);
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.add(Kind::Number);
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.add(Kind::Text(text.into()));
        Ok(())
    }

    fn visit_string<E>(self, text: String) -> Result<(), E> {
        self.add(Kind::Text(text));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        // A configuration has no lists, so their items are of no interest.
        while items.next_element::<IgnoredAny>()?.is_some() {}
        self.add(Kind::List(Vec::new()));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { document, parent, key } = self;
        let map = document.add(parent, key, Kind::Map(Vec::new()), None);
        while let Some(Name(name)) = entries.next_key()? {
            let key = Some(Key { name, span: None });
            entries.next_value_seed(Place { document: &mut *document, parent: Some(map), key })?;
        }
        Ok(())
    }
}

/// The name of a key: a string or an integer, or the type of anything else.
struct Name(Result<String, &'static str>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameVisitor).map(Self)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Result<String, &'static str>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a key of a configuration file")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Ok(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Ok(text))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Self::Value, E> {
        Ok(Ok(integer.to_string()))
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Self::Value, E> {
        Ok(Ok(integer.to_string()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Err(Value::Number.noun()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Err(Value::Boolean.noun()))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Err(Value::Null.noun()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Err(Value::List.noun()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Err(Value::Map.noun()))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(self)
    }
}
