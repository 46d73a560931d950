//! What works without `std`, with and without the macros.

use failure_kinds::{
    kinds, validate_event_kind, Evidence, FailureClass, FailureClassificationConfig, FailureKind,
};
use failure_kinds_bare::{is_shutdown, BY_CONST};

#[test]
fn c220_kinds_are_checked_without_the_macro() {
    assert_eq!(BY_CONST, *"my_server:odd_case");
    assert!(is_shutdown(&kinds::SHUTDOWN) && !is_shutdown(&BY_CONST));
    assert_eq!(validate_event_kind("judge_failed").ok(), Some(kinds::JUDGE_FAILED));
    assert!("judge_faild".parse::<FailureKind>().is_err());
}

#[cfg(feature = "macros")]
#[test]
fn c220_the_macro_needs_no_std() {
    assert_eq!(failure_kinds_bare::BY_MACRO, [kinds::JUDGE_FAILED, BY_CONST]);
}

#[test]
fn c220_classification_needs_no_feature() {
    let evidence = Evidence::new().kind("judge_failed");
    let config = FailureClassificationConfig::shared_default();
    assert_eq!(config.classify(&evidence).class, FailureClass::Evaluation);
}
