//! A collector: reads saved failure rows, and prints whose side each failure is on.
//!
//! ```text
//! cargo run -p failure-kinds-examples --example collector -- examples/data/*/rollouts_failures.jsonl
//! ```
//!
//! A row can hold any text as its kind, so the kind is an `ObservedKind`: nothing is rejected and
//! nothing is rewritten. (For reports on whole runs, use `failure-kinds triage`.)

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use failure_kinds::{Evidence, FailureClass, FailureClassificationConfig, ObservedKind};
use serde::Deserialize;
use serde_json::Value;

/// The fields of a row that are read. Each of them may be missing.
#[derive(Deserialize)]
struct Row {
    #[serde(rename = "_ng_failure_class")]
    kind: Option<ObservedKind>,
    #[serde(rename = "_ng_failure_stage")]
    stage: Option<String>,
    /// Any JSON: only an integer in 100..=599 is evidence.
    #[serde(rename = "_ng_failure_http_status", default)]
    http_status: Value,
}

/// How often each kind occurred on each side.
#[derive(Debug, Default)]
struct Report {
    counts: BTreeMap<(FailureClass, Option<ObservedKind>), u64>,
    /// A message for each line that could not be read, so that nothing is dropped silently.
    unreadable: Vec<String>,
}

impl Report {
    /// Reads JSON Lines.
    fn read(&mut self, name: &str, lines: impl BufRead) -> io::Result<()> {
        for (number, line) in lines.lines().enumerate() {
            match serde_json::from_str::<Row>(&line?) {
                Ok(row) => self.count(row),
                Err(error) => self.unreadable.push(format!("{name}:{}: {error}", number + 1)),
            }
        }
        Ok(())
    }

    fn count(&mut self, row: Row) {
        let mut evidence = Evidence::new()
            .kind(row.kind.as_ref().map(ObservedKind::as_str))
            .http_status(&row.http_status);
        // The environment server reported the stage, and this collector trusts it. A word that is
        // not a stage is not evidence.
        if let Some(stage) = row.stage.and_then(|stage| stage.parse().ok()) {
            evidence = evidence.stage(Some(stage)).admit_stage();
        }
        let class = FailureClassificationConfig::shared_default().classify(&evidence).class;
        *self.counts.entry((class, row.kind)).or_default() += 1;
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for ((class, kind), count) in &self.counts {
            match kind {
                // Text of unknown origin is escaped for the terminal.
                Some(kind) => {
                    let (registry, text) = (kind.registry(), kind.as_str().escape_debug());
                    writeln!(f, "{class:<12}{count:>6}  {text} ({registry})")?;
                }
                None => writeln!(f, "{class:<12}{count:>6}  no kind")?,
            }
        }
        self.unreadable.iter().try_for_each(|line| writeln!(f, "unreadable: {line}"))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut report = Report::default();
    for path in std::env::args().skip(1) {
        let file = File::open(&path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
        report.read(&path, BufReader::new(file))?;
    }
    write!(io::stdout(), "{report}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_all_sorts_are_counted_and_none_is_lost() {
        let rows = r#"{"_ng_failure_class": "judge_failed", "_ng_failure_stage": "verification"}
{"_ng_failure_class": "judge_invalid"}
{"_ng_failure_class": "timeout_exceeded", "_ng_failure_stage": "agent"}
{"_ng_failure_class": "browser_env:tab_crashed", "_ng_failure_http_status": 503}
{"_ng_failure_class": "judge faild\u001b[31m", "_ng_failure_http_status": "503"}
{"_ng_failure_class": "agent_run_error", "_ng_failure_stage": "somewhere"}
{"notes": "no kind at all"}
{"_ng_failure_class": 503}
{"_ng_failure_class": "judge_fai"#;
        let mut report = Report::default();
        report.read("rows.jsonl", rows.as_bytes()).unwrap();
        assert_eq!(
            report.to_string(),
            r"model            1  timeout_exceeded (legacy)
evaluation       1  browser_env:tab_crashed (extension)
evaluation       1  judge_failed (registered)
evaluation       1  judge_invalid (legacy)
unknown          1  no kind
unknown          1  agent_run_error (registered)
unknown          1  judge faild\u{1b}[31m (unregistered)
unreadable: rows.jsonl:8: invalid type: integer `503`, expected an observed failure kind at line 1 column 25
unreadable: rows.jsonl:9: EOF while parsing a string at line 1 column 32
"
        );
    }

    #[test]
    fn rows_of_a_real_run_are_counted() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/enospc/rollouts_failures.jsonl");
        let mut report = Report::default();
        report.read("enospc", BufReader::new(File::open(path).unwrap())).unwrap();
        let counts: Vec<_> = report.counts.values().copied().collect();
        // The disk was full in the middle of the eleventh row.
        assert_eq!((counts, report.unreadable.len()), (vec![10], 1));
    }
}
