//! The vocabulary as an OpenTelemetry registry: `otel/failure_kinds.yaml`.
//!
//! The form is weaver's `definition/2`.

use std::io::{self, Write};

use failure_kinds_core::{Class, KINDS, Kind, LEGACY, Legacy, STAGES, Stage};
use serde::Serialize;

use crate::registry::one_line;

#[derive(Serialize)]
struct Document {
    file_format: &'static str,
    attributes: [Attribute; 3],
}

#[derive(Serialize)]
struct Attribute {
    key: &'static str,
    r#type: Members,
    brief: &'static str,
    note: &'static str,
    stability: &'static str,
}

#[derive(Serialize)]
struct Members {
    members: Vec<Member>,
}

#[derive(Serialize)]
struct Member {
    id: &'static str,
    value: &'static str,
    brief: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    stability: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<Deprecated>,
}

#[derive(Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
enum Deprecated {
    Renamed { renamed_to: &'static str },
    Uncategorized { note: &'static str },
}

/// No definition is promised before version 1.
const STABILITY: &str = "development";

/// Writes the registry.
pub(crate) fn write(stream: &mut dyn Write) -> io::Result<()> {
    let kinds = KINDS.iter().map(registered).chain(LEGACY.iter().map(deprecated));
    let stages = STAGES.into_iter().zip(Stage::ALL);
    let document = Document {
        file_format: "definition/2",
        attributes: [
            Attribute::new(
                "failure_kinds.kind",
                kinds.collect(),
                "What kind of thing went wrong.",
                "On a metric, set the metric label of a kind, never observed text.",
            ),
            Attribute::new(
                "failure_kinds.stage",
                stages.map(|(name, stage)| Member::new(name, stage.summary())).collect(),
                "The stage at which an episode failed.",
                "Independent of the kind and of any retry policy.",
            ),
            Attribute::new(
                "failure_kinds.class",
                Class::ALL.map(|class| Member::new(class.as_str(), class.summary())).into(),
                "The side that a report attributes a failure to.",
                "A configurable label: it implies no action and no health verdict.",
            ),
        ],
    };
    let text = serde_saphyr::to_string(&document).map_err(io::Error::other)?;
    stream.write_all(text.as_bytes())
}

impl Attribute {
    fn new(
        key: &'static str,
        members: Vec<Member>,
        brief: &'static str,
        note: &'static str,
    ) -> Self {
        Self { key, r#type: Members { members }, brief, note, stability: STABILITY }
    }
}

impl Member {
    fn new(name: &'static str, brief: impl Into<String>) -> Self {
        Self {
            id: name,
            value: name,
            brief: brief.into(),
            note: None,
            stability: STABILITY,
            deprecated: None,
        }
    }
}

fn registered(kind: &Kind) -> Member {
    let note = (!kind.detail.is_empty()).then(|| one_line(kind.detail));
    Member { note, ..Member::new(kind.name, kind.summary) }
}

fn deprecated(legacy: &Legacy) -> Member {
    let (brief, deprecated) = match (legacy.successor(), legacy.hint()) {
        (Some(renamed_to), _) => {
            (format!("Renamed to `{renamed_to}`."), Deprecated::Renamed { renamed_to })
        }
        (None, hint) => (
            "It meant several things.".to_owned(),
            Deprecated::Uncategorized { note: hint.unwrap_or_default() },
        ),
    };
    Member { deprecated: Some(deprecated), ..Member::new(legacy.label, brief) }
}
