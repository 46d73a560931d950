//! The vocabulary for other languages: `registry.json` and its JSON Schema.

use std::collections::BTreeMap;

use failure_kinds::{FAILURE_KINDS, GATE_DERIVED_KINDS, PROVIDER_KINDS, REJUDGE_KINDS};
use failure_kinds_core::{Class, DOMAINS, Domain, GATE_DERIVED, KINDS, LEGACY, STAGES};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// The vocabulary of failure kinds.
///
/// A name is never removed: a retired one moves to `legacy`.
///
/// New keys may be added within a schema version.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "failure-kinds registry")]
pub(crate) struct Registry {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema_version: u32,
    /// The version of the vocabulary and of the package. A new kind is a new minor version.
    version: &'static str,
    /// The registered kinds, in the order of the vocabulary.
    kinds: Vec<Kind>,
    /// Named sets of names. `rejudge_kinds` has a legacy label among its members.
    sets: BTreeMap<&'static str, Vec<&'static str>>,
    /// Classes that an acceptance gate derives from saved rows. No producer emits one.
    gate_derived: Vec<GateDerived>,
    /// Labels of old producers, none of them registered.
    legacy: Vec<Legacy>,
    /// The parts of the system that kinds are about.
    domains: Vec<&'static str>,
    /// The stages of an episode, in their order.
    stages: Vec<&'static str>,
    /// The sides that a report puts a failure on.
    classes: Vec<&'static str>,
}

/// A registered kind.
#[derive(Debug, Serialize, JsonSchema)]
struct Kind {
    /// The name.
    #[schemars(regex(pattern = NAME))]
    name: &'static str,
    /// The part of the system that the kind is about.
    domain: &'static str,
    /// What went wrong, in one sentence.
    summary: &'static str,
    /// More about the kind.
    detail: Option<String>,
    /// The side without a stage or HTTP evidence; null if the kind alone does not decide.
    #[schemars(schema_with = "side")]
    default: Option<&'static str>,
    /// Whether it belongs to the server subcategory of failures on the evaluation's side.
    server: bool,
}

/// A class that an acceptance gate derives from saved rows.
#[derive(Debug, Serialize, JsonSchema)]
struct GateDerived {
    /// The name, as a gate writes it.
    #[schemars(regex(pattern = NAME))]
    name: &'static str,
    /// What the gate saw, in one sentence.
    summary: &'static str,
    /// Its side in saved rows, if it has one.
    #[schemars(schema_with = "side")]
    class: Option<&'static str>,
}

/// A label of old producers.
#[derive(Debug, Serialize, JsonSchema)]
struct Legacy {
    /// The label, as it was written.
    #[schemars(regex(pattern = NAME))]
    name: &'static str,
    /// `renamed`: it has a successor of the same meaning. `split`: it meant several things.
    #[schemars(extend("enum" = ["renamed", "split"]))]
    state: &'static str,
    /// The name of the same meaning: registered, or an extension. Null for `split`.
    successor: Option<&'static str>,
    /// What to look at instead. Null for `renamed`.
    hint: Option<&'static str>,
}

/// A whole kind name. In JSON Schema, `$` matches the end of the text, not of a line.
const NAME: &str = "^[a-z][a-z0-9_]*$";

fn side(_: &mut SchemaGenerator) -> Schema {
    let sides = Class::ALL.map(Class::as_str);
    json_schema!({ "enum": [sides[0], sides[1], null] })
}

/// The named sets, as `registry.json` and `explain` name them.
pub(crate) fn sets() -> [(&'static str, Vec<&'static str>); 4] {
    let names = |kinds: &'static [failure_kinds::FailureKind]| {
        kinds.iter().map(failure_kinds::FailureKind::as_str).collect()
    };
    [
        ("failure_kinds", names(FAILURE_KINDS)),
        ("provider_kinds", names(PROVIDER_KINDS)),
        ("rejudge_kinds", REJUDGE_KINDS.to_vec()),
        ("gate_derived_kinds", GATE_DERIVED_KINDS.to_vec()),
    ]
}

impl Registry {
    /// The vocabulary of this program.
    pub(crate) fn new() -> Self {
        Self {
            schema_version: 1,
            version: env!("CARGO_PKG_VERSION"),
            kinds: KINDS.iter().map(Kind::of).collect(),
            sets: sets().into(),
            gate_derived: GATE_DERIVED
                .iter()
                .map(|class| GateDerived {
                    name: class.name,
                    summary: class.summary,
                    class: class.class.map(Class::as_str),
                })
                .collect(),
            legacy: LEGACY
                .iter()
                .map(|legacy| Legacy {
                    name: legacy.label,
                    state: legacy.state(),
                    successor: legacy.successor(),
                    hint: legacy.hint(),
                })
                .collect(),
            domains: DOMAINS.iter().copied().map(Domain::as_str).collect(),
            stages: STAGES.to_vec(),
            classes: Class::ALL.map(Class::as_str).to_vec(),
        }
    }

    /// The JSON Schema of this format.
    pub(crate) fn schema() -> Schema {
        // The output always has every key.
        let settings = SchemaSettings::draft2020_12().for_serialize();
        settings.into_generator().into_root_schema_for::<Self>()
    }
}

impl Kind {
    fn of(kind: &failure_kinds_core::Kind) -> Self {
        Self {
            name: kind.name,
            domain: kind.domain.as_str(),
            summary: kind.summary,
            detail: (!kind.detail.is_empty()).then(|| one_line(kind.detail)),
            default: kind.default.map(Class::as_str),
            server: kind.server,
        }
    }
}

/// Joins the lines of documentation.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
