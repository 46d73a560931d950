//! The code of the derive raises no lint, and has no `allow`: a crate may forbid that lint. Clippy runs over this file in CI.

#![forbid(unsafe_code, dead_code, unreachable_patterns, clippy::unwrap_used)]
#![deny(
    warnings,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    unused_crate_dependencies,
    unused_qualifications,
    clippy::all,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::nursery,
    clippy::pedantic
)]

use failure_kinds_tests_stage_overrides as _;
use fk::{FailureClassificationConfig, FailureStage, StageClassificationConfig, StageOverrides};
use trybuild as _;

/// Every stage, so that none is left for the last arm. Only the generated items have no documentation.
#[derive(Debug, StageOverrides)]
#[stage_overrides(crate = "fk", server = "browser_env", kinds("tab_crashed"))]
pub struct AllStages {
    admission: StageClassificationConfig,
    #[doc(alias = "boot")]
    seed: StageClassificationConfig,
    #[stage(default = "model", "browser_env:tab_crashed" = "evaluation")]
    agent: StageClassificationConfig,
    #[doc(hidden)]
    verification: StageClassificationConfig,
    /// Documented.
    cleanup: StageClassificationConfig,
}

// Of a private struct nothing but its default is used here.
#[derive(Debug, StageOverrides)]
#[stage_overrides(crate = "fk", server = "browser_env", kinds("captcha_wall"))]
struct OneStage {
    #[stage(default = "evaluation", "browser_env:captcha_wall" = "model")]
    agent: StageClassificationConfig,
}

#[test]
fn c215_c216_c217_the_code_of_the_derive_raises_no_lint() {
    let base = FailureClassificationConfig::shared_default();
    let default = |config: &FailureClassificationConfig| {
        config.stage(FailureStage::Agent).default_class().map(fk::FailureClass::as_str)
    };
    assert_eq!(default(&AllStages::default().classification(base)), Some("model"));
    assert_eq!(default(&OneStage::default().classification(base)), Some("evaluation"));
}
