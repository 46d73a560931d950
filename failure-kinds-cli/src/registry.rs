//! The vocabulary for other languages: `registry.json` and its JSON Schema.

use std::collections::BTreeMap;

use failure_kinds::{FAILURE_KINDS, GATE_DERIVED_KINDS, PROVIDER_KINDS, REJUDGE_KINDS};
use failure_kinds_core::{Class, DOMAINS, Domain, GATE_DERIVED, KINDS, LEGACY, STAGES};
use serde::Serialize;

/// The JSON Schema of `registry.json`. It explains each key.
pub(crate) const SCHEMA: &str = include_str!("registry.schema.json");

/// The vocabulary, as in `registry.json`.
#[derive(Debug, Serialize)]
pub(crate) struct Registry {
    schema_version: u32,
    version: &'static str,
    kinds: Vec<Kind>,
    sets: BTreeMap<&'static str, Vec<&'static str>>,
    gate_derived: Vec<GateDerived>,
    legacy: Vec<Legacy>,
    domains: Vec<&'static str>,
    stages: Vec<&'static str>,
    classes: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Kind {
    name: &'static str,
    domain: &'static str,
    summary: &'static str,
    detail: Option<String>,
    default: Option<&'static str>,
    server: bool,
}

#[derive(Debug, Serialize)]
struct GateDerived {
    name: &'static str,
    summary: &'static str,
    class: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Legacy {
    name: &'static str,
    state: &'static str,
    successor: Option<&'static str>,
    hint: Option<&'static str>,
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
