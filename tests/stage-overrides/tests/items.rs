//! The items that the derive emits, used from another crate.

use failure_kinds_tests_stage_overrides::{in_a_function, AllStages, AllStagesOverrides};
use fk::{FailureClass, FailureStage, StageClassificationOverrides, StageOverrides};

#[test]
fn c211_c213_the_declared_stages_are_there() {
    use FailureStage::{Admission, Agent, Cleanup, Seed, Verification};
    assert_eq!(AllStages::STAGES, [Admission, Seed, Agent, Verification, Cleanup]);
    assert_eq!(AllStages::TAB_CRASHED, "browser_env:tab_crashed");
    let mut seed = StageClassificationOverrides::new();
    seed.set_default(FailureClass::Model);
    let overrides = AllStagesOverrides { seed: Some(seed), ..Default::default() };
    let all = AllStages::default().with_overrides(overrides).unwrap();
    assert_eq!(all.seed.default_class(), Some(FailureClass::Model));
    assert_eq!(all.admission.default_class(), Some(FailureClass::Evaluation));
}

#[test]
fn c225_a_field_that_is_configured_away_is_not_a_stage() {
    // One of two, and a third.
    assert_eq!(in_a_function(), 2);
}
