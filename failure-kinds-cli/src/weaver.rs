//! The vocabulary as an OpenTelemetry registry: `otel/failure_kinds.yaml`.
//!
//! The form is weaver's `definition/2`.

use std::io::{self, Write};

use failure_kinds_core::{Class, KINDS, Kind, LEGACY, Legacy, STAGES, Stage};
use serde::Serialize;

use crate::json;
use crate::registry::one_line;

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

/// Writes the registry. A member is one line of JSON, which is YAML too.
pub(crate) fn write(stream: &mut dyn Write) -> io::Result<()> {
    stream.write_all(b"file_format: definition/2\nattributes:\n")?;
    attribute(
        stream,
        "failure_kinds.kind",
        "What kind of thing went wrong.",
        "On a metric, set the metric label of a kind, never observed text.",
        KINDS.iter().map(registered).chain(LEGACY.iter().map(deprecated)),
    )?;
    attribute(
        stream,
        "failure_kinds.stage",
        "The stage at which an episode failed.",
        "Independent of the kind and of any retry policy.",
        STAGES.into_iter().zip(Stage::ALL).map(|(name, stage)| Member::new(name, stage.summary())),
    )?;
    attribute(
        stream,
        "failure_kinds.class",
        "The side that a report attributes a failure to.",
        "A configurable label; it implies no action and no health verdict.",
        Class::ALL.into_iter().map(|class| Member::new(class.as_str(), class.summary())),
    )
}

fn attribute(
    stream: &mut dyn Write,
    key: &str,
    brief: &str,
    note: &str,
    members: impl Iterator<Item = Member>,
) -> io::Result<()> {
    write!(
        stream,
        "\
- key: {key}
  brief: {brief}
  note: {note}
  stability: {STABILITY}
  type:
    members:
"
    )?;
    for member in members {
        stream.write_all(b"    - ")?;
        json::write_line(&member, stream)?;
    }
    Ok(())
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
