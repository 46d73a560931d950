//! Text types are strings in every format, also as map keys.

use core::fmt::{self, Display, Formatter};

use serde_core::de::{Deserialize, Deserializer, Error, Visitor};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use crate::{
    Classification, FailureClass, FailureKind, FailureStage, GateDerivedKind, HttpEvidence,
    HttpStatusKey, LegacyLabel, ObservedKind, Rule, UnregisteredKind,
};

macro_rules! string {
    ($($type:ty, $what:literal;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text { what: $what, read: str::parse::<$type> })
            }
        }
    )+};
}
string! {
    FailureKind, "a failure kind";
    FailureStage, "a failure stage";
    FailureClass, "a failure class";
    ObservedKind, "an observed failure kind";
    LegacyLabel, "a legacy label";
    GateDerivedKind, "a gate-derived class";
    UnregisteredKind, "an unregistered failure kind";
    HttpEvidence, "an HTTP label";
    HttpStatusKey, "an HTTP status or a pattern";
    Rule, "a rule with its entry";
}
#[cfg(feature = "toml")]
string! {
    crate::ShippedConfig, "a shipped configuration";
}

impl Serialize for Classification {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { class, rule, http, via_legacy, server } = self;
        let mut fields = serializer.serialize_struct("Classification", 6)?;
        fields.serialize_field("class", class)?;
        fields.serialize_field("rule", rule.as_str())?;
        fields.serialize_field("entry", rule)?;
        fields.serialize_field("http", http)?;
        fields.serialize_field("via_legacy", via_legacy)?;
        fields.serialize_field("server", server)?;
        fields.end()
    }
}

/// Reads a string by a function of its text.
struct Text<F> {
    what: &'static str,
    read: F,
}

impl<T, E: Display, F: FnOnce(&str) -> Result<T, E>> Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<D: Error>(self, text: &str) -> Result<T, D> {
        (self.read)(text).map_err(D::custom)
    }
}
