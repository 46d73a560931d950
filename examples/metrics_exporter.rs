//! A metrics exporter: counts rollouts by failure kind, in the text format of Prometheus.
//!
//! ```text
//! cargo run -p failure-kinds-examples --example metrics_exporter -- examples/data/*/rollouts_failures.jsonl
//! ```
//!
//! It writes to standard output, for the textfile collector of a node exporter; a service would
//! answer `GET /metrics` with the same text. The label is `ObservedKind::metric_label`, so there is
//! at most one series for each registered kind and for three words, whatever the rows hold.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use failure_kinds::ObservedKind;
use prometheus_client::encoding::{EncodeLabelSet, prometheus_text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use serde::Deserialize;

/// The labels of a rollout. The same ones for every rollout, failed or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    failure_kind: &'static str,
}

/// Counts of rollouts.
struct Exporter {
    registry: Registry,
    rollouts: Family<Labels, Counter>,
}

impl Exporter {
    fn new() -> Self {
        let mut registry = Registry::default();
        let rollouts = Family::<Labels, Counter>::default();
        registry.register("rollouts", "Rollouts by failure kind", rollouts.clone());
        Self { registry, rollouts }
    }

    /// Counts a rollout. `None` means that it did not fail.
    fn count(&self, failure: Option<&ObservedKind>) {
        let failure_kind = failure.map_or("none", ObservedKind::metric_label);
        self.rollouts.get_or_create(&Labels { failure_kind }).inc();
    }

    /// The text for Prometheus.
    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        prometheus_text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// The field of a row that is read.
#[derive(Deserialize)]
struct Row {
    #[serde(rename = "_ng_failure_class")]
    kind: Option<ObservedKind>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let exporter = Exporter::new();
    for path in std::env::args().skip(1) {
        let file = File::open(&path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
        for (number, line) in BufReader::new(file).lines().enumerate() {
            match serde_json::from_str::<Row>(&line?) {
                Ok(row) => exporter.count(row.kind.as_ref()),
                Err(error) => writeln!(io::stderr(), "{path}:{}: {error}", number + 1)?,
            }
        }
    }
    io::stdout().write_all(exporter.text()?.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(text: &str) -> Vec<&str> {
        let mut series: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        series.sort_unstable();
        series
    }

    #[test]
    fn c171_every_rollout_has_the_label() {
        let exporter = Exporter::new();
        for kind in [None, Some("judge_failed"), None, Some("judge_failed"), Some("oom_killed")] {
            exporter.count(kind.map(ObservedKind::new).as_ref());
        }
        let text = exporter.text().unwrap();
        assert!(text.starts_with(
            "# HELP rollouts_total Rollouts by failure kind.\n# TYPE rollouts_total counter\n"
        ));
        assert_eq!(
            series(&text),
            [
                r#"rollouts_total{failure_kind="judge_failed"} 2"#,
                r#"rollouts_total{failure_kind="none"} 2"#,
                r#"rollouts_total{failure_kind="unregistered"} 1"#,
            ]
        );
    }

    #[test]
    fn c169_c170_free_text_makes_no_series() {
        let exporter = Exporter::new();
        for number in 0..5_000 {
            for text in [
                format!("offset {number} is not a multiple of on-disk chunk length 1041"),
                format!("<starlette.routing.Route object at 0x{number:x}>"),
                format!("server_{number}:kind_{number}"),
            ] {
                exporter.count(Some(&ObservedKind::new(&text)));
            }
        }
        for kind in failure_kinds::FAILURE_KINDS {
            exporter.count(Some(&ObservedKind::from(kind.clone())));
        }
        let text = exporter.text().unwrap();
        let series = series(&text);
        assert_eq!(series.len(), failure_kinds::FAILURE_KINDS.len() + 2);
        assert!(series.contains(&r#"rollouts_total{failure_kind="extension"} 5000"#));
        assert!(series.contains(&r#"rollouts_total{failure_kind="unregistered"} 10000"#));
    }
}
