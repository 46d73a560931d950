//! The types that stand for a text are strings in every format, as map keys too.

use core::convert::Infallible;
use core::fmt::{self, Display, Formatter};

use serde_core::de::{Deserialize, Deserializer, Error, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::{FailureClass, FailureKind, FailureStage, ObservedKind};

macro_rules! string {
    ($type:ty, $what:literal, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text { what: $what, read: $read })
            }
        }
    };
}
string!(FailureKind, "a failure kind", str::parse::<FailureKind>);
string!(FailureStage, "a failure stage", str::parse::<FailureStage>);
string!(FailureClass, "a failure class", str::parse::<FailureClass>);
string!(ObservedKind, "an observed failure kind", |text: &str| Ok::<_, Infallible>(
    ObservedKind::new(text)
));

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
