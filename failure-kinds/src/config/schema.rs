//! The JSON Schema of a configuration, for editors and other checkers.

use std::borrow::{Cow, ToOwned};
use std::string::{String, ToString};

use failure_kinds_core::KINDS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::names::{KEYS, NONE, STAGE_KEYS};
use super::{FailureClassificationOverrides, StageClassificationOverrides};
use crate::{
    FailureClass, FailureClassificationConfig, FailureKind, FailureStage, HttpEvidence,
    ObservedKind, StageClassificationConfig,
};

/// What an extension is; the grammar of the core crate as a regular expression.
const EXTENSION: &str = "^[a-z][a-z0-9_]*:[a-z][a-z0-9_]*$";
/// What an HTTP status is as a key.
const STATUS: &str = "^[1-5](xx|[0-9][0-9])$";

/// A position where a class can be cleared.
struct ClassOrNone;

/// A map from kinds to classes.
struct ClassByKind;

macro_rules! schema {
    ($($type:ty, $name:literal, $schema:expr;)+) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "schemars")))]
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn schema_id() -> Cow<'static, str> {
                concat!("failure_kinds::", $name).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let schema: fn(&mut SchemaGenerator) -> Schema = $schema;
                schema(generator)
            }
        }
    )+};
}

schema! {
    FailureClass, "FailureClass", |_| words(FailureClass::ALL, FailureClass::as_str);
    FailureStage, "FailureStage", |_| words(FailureStage::ALL, FailureStage::as_str);
    FailureKind, "FailureKind", |_| json_schema!({
        "description": "A registered failure kind, or a server's own `<server>:<kind>`.",
        "anyOf": [
            { "enum": KINDS.iter().map(|kind| kind.name).collect::<Value>() },
            { "type": "string", "pattern": EXTENSION },
        ],
    });
    ObservedKind, "ObservedKind", |_| json_schema!({
        "description": "A failure kind as it was observed: any text.",
        "type": "string",
    });
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

fn words<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str) -> Schema {
    json_schema!({ "enum": all.iter().map(|&value| word(value)).collect::<Value>() })
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

fn stage(generator: &mut SchemaGenerator) -> Schema {
    let [default, kinds] = STAGE_KEYS;
    let class = generator.subschema_for::<ClassOrNone>();
    json_schema!({
        "description": "The classes of failures that originate in one stage.",
        "type": "object",
        "properties": {
            default: described(&class, "The class of a kind without an entry."),
            kinds: described(&generator.subschema_for::<ClassByKind>(), "The class of each kind."),
        },
        "additionalProperties": false,
    })
}

fn whole(generator: &mut SchemaGenerator) -> Schema {
    let [by_status, stages, evidence, kinds, unknown] = KEYS;
    let class = generator.subschema_for::<ClassOrNone>();
    let labels: Map<String, Value> = HttpEvidence::ALL
        .iter()
        .map(|label| (label.as_str().to_owned(), class.clone().into()))
        .collect();
    let all_stages: Map<String, Value> = FailureStage::ALL
        .iter()
        .map(|stage| {
            let schema = generator.subschema_for::<StageClassificationOverrides>();
            (stage.as_str().to_owned(), schema.into())
        })
        .collect();
    json_schema!({
        "description": "Which side a report puts each failure on. What is absent keeps its default.",
        "type": "object",
        "properties": {
            by_status: {
                "description": "Rule 1: the class by HTTP status, before everything else. A key is a status or a pattern such as 5xx.",
                "type": "object",
                "patternProperties": { STATUS: class },
                "additionalProperties": false,
            },
            stages: {
                "description": "Rule 2: the classes of failures whose stage was admitted.",
                "type": "object",
                "properties": all_stages,
                "additionalProperties": false,
            },
            evidence: {
                "description": "Rule 3: the class by what an HTTP status says.",
                "type": "object",
                "properties": labels,
                "additionalProperties": false,
            },
            kinds: described(&generator.subschema_for::<ClassByKind>(), "Rule 4: the class by kind alone."),
            unknown: described(&generator.subschema_for::<FailureClass>(), "Rule 5: the class of failures that no rule decides."),
        },
        "additionalProperties": false,
    })
}

/// The schema of what a derive emits: some stages, each with its documentation.
#[cfg(feature = "derive")]
pub fn stages_schema(generator: &mut SchemaGenerator, stages: &[(&str, &str)]) -> Schema {
    let stages: Map<String, Value> = stages
        .iter()
        .map(|&(name, description)| {
            let schema = generator.subschema_for::<StageClassificationOverrides>();
            let schema = match description {
                "" => schema.into(),
                _ => described(&schema, description),
            };
            (name.to_owned(), schema)
        })
        .collect();
    json_schema!({ "type": "object", "properties": stages, "additionalProperties": false })
}
