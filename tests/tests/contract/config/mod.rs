//! The classification configuration: `config.md` of the contract.

mod document;
mod embedded;
mod files;
mod merge;
mod round_trip;
mod schema;
mod shipped;

use failure_kinds::{Evidence, FailureClassificationConfig, FailureClassificationOverrides};

fn overrides(json: &str) -> FailureClassificationOverrides {
    FailureClassificationOverrides::from_json_str(json).unwrap()
}

/// The default with these overrides.
fn config(json: &str) -> FailureClassificationConfig {
    FailureClassificationConfig::default().with_overrides(overrides(json)).unwrap()
}

/// The class and the rule with its entry, as in a report.
fn decided(config: &FailureClassificationConfig, evidence: &Evidence<'_>) -> (String, String) {
    let classification = config.classify(evidence);
    (classification.class.to_string(), classification.rule.to_string())
}
