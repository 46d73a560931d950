//! SARIF 2.1.0, the part of it that findings need.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::json;
use failure_kinds_lint::{Edit, Finding, Id, Level, Place};

/// The most results that code scanning takes from one run.
pub(crate) const MOST_RESULTS: usize = 25_000;

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocations: Option<[Invocation; 1]>,
    results: Vec<Outcome>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: [Notification; 1],
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    occurrence_count: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix {
    description: Message,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Message,
}

pub(super) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    let shown = worst(findings);
    let mut ids: Vec<Id> = shown.iter().map(|finding| finding.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "failure-kinds",
                    version: env!("CARGO_PKG_VERSION"),
                    information_uri: env!("CARGO_PKG_REPOSITORY"),
                    rules: ids.iter().copied().map(rule).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            invocations: (shown.len() < findings.len()).then(|| [omission(shown.len(), findings)]),
            results: shown.iter().map(|finding| outcome(finding, &ids)).collect(),
        }],
    };
    json::write(&log, out)
}

/// The findings that are shown if there are too many: those of the highest level, in their order.
fn worst(findings: &[Finding]) -> Vec<&Finding> {
    let mut shown: Vec<&Finding> = findings.iter().collect();
    if shown.len() > MOST_RESULTS {
        let errors = findings.iter().filter(|finding| finding.level == Level::Error).count();
        let mut left = MOST_RESULTS.saturating_sub(errors);
        shown.retain(|finding| {
            let is_error = finding.level == Level::Error;
            let is_shown = is_error || left > 0;
            left -= usize::from(is_shown && !is_error);
            is_shown
        });
        shown.truncate(MOST_RESULTS);
    }
    shown
}

fn omission(shown: usize, findings: &[Finding]) -> Invocation {
    let message =
        format!("{shown} of {} findings, the most that code scanning takes", findings.len());
    Invocation {
        execution_successful: true,
        tool_execution_notifications: [Notification { level: "note", message: text(&message) }],
    }
}

fn rule(id: Id) -> Rule {
    let explanation = id.explanation();
    Rule {
        id: id.as_str(),
        short_description: text(explanation.what),
        full_description: text(explanation.why),
        help: text(explanation.fix),
        default_configuration: Configuration {
            enabled: explanation.level != Level::Off,
            level: severity(explanation.level),
        },
    }
}

const fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Off => "none",
    }
}

fn outcome(finding: &Finding, ids: &[Id]) -> Outcome {
    let fix = finding.fix.as_ref().map(|fix| Fix {
        description: text(finding.help.as_deref().unwrap_or(&finding.message)),
        artifact_changes: [ArtifactChange {
            artifact_location: location(finding),
            replacements: fix.edits.iter().map(replacement).collect(),
        }],
    });
    Outcome {
        rule_id: finding.id.as_str(),
        rule_index: ids.binary_search(&finding.id).unwrap_or_default(),
        level: severity(finding.level),
        message: text(&super::sentence(finding)),
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: location(finding),
                region: region(finding.at.start, finding.at.end),
            },
        }],
        fixes: fix.into_iter().collect(),
        occurrence_count: (finding.count > 1).then_some(finding.count),
    }
}

fn replacement(edit: &Edit) -> Replacement {
    Replacement { deleted_region: region(edit.start, edit.end), inserted_content: text(&edit.text) }
}

fn text(text: &str) -> Message {
    Message { text: text.to_owned() }
}

const fn region(start: Place, end: Place) -> Region {
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

/// The path from the root of the repository, with what a URI cannot hold percent-encoded.
fn location(finding: &Finding) -> ArtifactLocation {
    let path = &finding.repository_path;
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            byte => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    ArtifactLocation { uri }
}
