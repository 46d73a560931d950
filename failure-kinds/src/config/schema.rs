//! The JSON Schema of a configuration, for editors and other checkers.

use std::borrow::ToOwned;
use std::collections::BTreeMap;
use std::string::{String, ToString};

use failure_kinds_core::KINDS;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::names::NONE;
use super::{FailureClassificationOverrides, StageClassificationOverrides};
use crate::classify::{Entries, Entry, Labels, Stages, with_settings, with_stage_settings};
use crate::schema::{EXTENSION, STATUS, schema};
use crate::{
    FailureClass, FailureClassificationConfig, FailureKind, FailureStage, HttpEvidence,
    HttpStatusKey, StageClassificationConfig,
};

/// A position where a class can be cleared.
struct ClassOrNone;

/// A map from kinds to classes.
struct ClassByKind;

schema! {
    ClassOrNone, "ClassOrNone", |_| json_schema!({
        "description": "The side that a report puts the failure on. `none` clears the entry, as does null: it counts as missing.",
        "enum": FailureClass::ALL
            .iter()
            .map(|class| Value::from(class.as_str()))
            .chain([NONE.into(), Value::Null])
            .collect::<Value>(),
    });
    ClassByKind, "ClassByKind", class_by_kind;
    StageClassificationOverrides, "StageClassificationOverrides", stage;
    StageClassificationConfig, "StageClassificationConfig", stage;
    FailureClassificationOverrides, "FailureClassificationOverrides", whole;
    FailureClassificationConfig, "FailureClassificationConfig", whole;
}

/// A schema with a description of its own.
fn described(schema: &Schema, description: &str) -> Value {
    let mut schema = schema.clone();
    schema.insert("description".to_owned(), description.into());
    schema.into()
}

fn class_by_kind(generator: &mut SchemaGenerator) -> Schema {
    let class = generator.subschema_for::<ClassOrNone>();
    let registered: Map<String, Value> =
        KINDS.iter().map(|kind| (kind.name.to_string(), described(&class, kind.summary))).collect();
    json_schema!({
        "type": "object",
        "properties": registered,
        "patternProperties": { EXTENSION: described(&class, "A server's own kind.") },
        "additionalProperties": false,
    })
}

/// The schema of what is under a key.
trait SectionSchema {
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

impl SectionSchema for FailureClass {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Self>()
    }
}

impl SectionSchema for Entry {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<ClassOrNone>()
    }
}

impl SectionSchema for Entries<HttpStatusKey> {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let class = generator.subschema_for::<ClassOrNone>();
        json_schema!({
            "type": "object",
            "patternProperties": { STATUS: class },
            "additionalProperties": false,
        })
    }
}

impl SectionSchema for Entries<FailureKind> {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<ClassByKind>()
    }
}

impl SectionSchema for BTreeMap<FailureKind, Entry> {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<ClassByKind>()
    }
}

impl SectionSchema for Labels {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let class = generator.subschema_for::<ClassOrNone>();
        map(HttpEvidence::ALL.iter().map(|label| (label.as_str().to_owned(), class.clone().into())))
    }
}

impl SectionSchema for Stages {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let stage = generator.subschema_for::<StageClassificationOverrides>();
        map(FailureStage::ALL.iter().map(|name| (name.as_str().to_owned(), stage.clone().into())))
    }
}

/// A map with these keys and no others.
fn map(properties: impl Iterator<Item = (String, Value)>) -> Schema {
    let properties: Map<String, Value> = properties.collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}

macro_rules! stage {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
        fn stage(generator: &mut SchemaGenerator) -> Schema {
            let keys = [$((stringify!($key), $doc, <$type>::schema(generator))),+];
            record("The classes of failures that originate in one stage.", keys)
        }
    };
}
with_stage_settings!(stage);

macro_rules! whole {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
        fn whole(generator: &mut SchemaGenerator) -> Schema {
            let keys = [$((stringify!($key), $doc, <$type>::schema(generator))),+];
            record(
                "Which side a report puts each failure on. What is absent keeps its default.",
                keys,
            )
        }
    };
}
with_settings!(whole);

fn record<const N: usize>(description: &str, keys: [(&str, &str, Schema); N]) -> Schema {
    let keys = keys.map(|(key, doc, schema)| (key.to_owned(), described(&schema, doc)));
    let mut schema = map(keys.into_iter());
    schema.insert("description".to_owned(), description.into());
    schema
}

/// The schema of what a derive emits: some stages, each with its documentation.
#[cfg(feature = "derive")]
pub fn stages_schema(generator: &mut SchemaGenerator, stages: &[(&str, &str)]) -> Schema {
    let schema = generator.subschema_for::<StageClassificationOverrides>();
    map(stages.iter().map(|&(name, description)| {
        let schema = match description {
            "" => schema.clone().into(),
            _ => described(&schema, description),
        };
        (name.to_owned(), schema)
    }))
}
