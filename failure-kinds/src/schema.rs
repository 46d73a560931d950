//! The JSON Schema of the types that are strings.

use alloc::vec::Vec;

use failure_kinds_core::{GATE_DERIVED, KINDS, LEGACY};
use schemars::{Schema, json_schema};

use crate::{
    FailureClass, FailureKind, FailureStage, GateDerivedKind, HttpEvidence, HttpStatusKey,
    LegacyLabel, ObservedKind, Rule, UnregisteredKind,
};

/// An extension: the grammar of the core crate as a regular expression.
pub(crate) const EXTENSION: &str = "^[a-z][a-z0-9_]*:[a-z][a-z0-9_]*$";
/// An HTTP status as a key.
pub(crate) const STATUS: &str = "^[1-5](xx|[0-9][0-9])$";

/// Implements `JsonSchema`: a type, its name, and a function that makes the schema.
macro_rules! schema {
    ($($type:ty, $name:literal, $schema:expr;)+) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "schemars")))]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                $name.into()
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                concat!("failure_kinds::", $name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema = $schema;
                schema(generator)
            }
        }
    )+};
}

#[cfg(feature = "config")]
pub(crate) use schema;

schema! {
    FailureClass, "FailureClass", |_| words(FailureClass::ALL, |class| class.as_str());
    FailureStage, "FailureStage", |_| words(FailureStage::ALL, |stage| stage.as_str());
    FailureKind, "FailureKind", |_| json_schema!({
        "description": "A registered failure kind, or a server's own `<server>:<kind>`.",
        "anyOf": [
            { "enum": KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>() },
            { "type": "string", "pattern": EXTENSION },
        ],
    });
    ObservedKind, "ObservedKind", |_| json_schema!({
        "description": "A failure kind as it was observed: any text.",
        "type": "string",
    });
    LegacyLabel, "LegacyLabel", |_| words(&LEGACY, |legacy| legacy.label);
    GateDerivedKind, "GateDerivedKind", |_| words(&GATE_DERIVED, |class| class.name);
    UnregisteredKind, "UnregisteredKind", |_| json_schema!({
        "description": "A failure kind that the vocabulary does not know.",
        "type": "string",
    });
    HttpEvidence, "HttpEvidence", |_| words(HttpEvidence::ALL, |label| label.as_str());
    HttpStatusKey, "HttpStatusKey", |_| json_schema!({ "type": "string", "pattern": STATUS });
    Rule, "Rule", |_| json_schema!({
        "description": "The rule that decided a classification, with its entry.",
        "type": "string",
    });
}

#[cfg(feature = "toml")]
schema! {
    crate::ShippedConfig, "ShippedConfig",
        |_| words(crate::ShippedConfig::ALL, |shipped| shipped.as_str());
}

fn words<T>(all: &[T], word: impl Fn(&T) -> &'static str) -> Schema {
    json_schema!({ "enum": all.iter().map(word).collect::<Vec<_>>() })
}
