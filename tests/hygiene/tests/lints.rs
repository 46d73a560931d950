//! The crate that denies every lint it can, seen from outside: its constants are what they should
//! be. Clippy shows that it raises no lint, in CI and before a release.

use failure_kinds_hygiene::{BOTH, BY_PATH, OURS, next};
use failure_kinds_middle as _;

#[test]
fn c210_a_renamed_dependency_needs_no_option() {
    assert_eq!(BY_PATH, fk::kinds::JUDGE_FAILED);
    assert_eq!(OURS.as_str(), "my_server:odd_case");
}

#[test]
fn c215_c216_c217_the_expansion_raises_no_lint() {
    assert_eq!(BOTH, [fk::kinds::CANCELLED, OURS]);
    assert_eq!(next(&fk::kinds::CANCELLED), fk::kinds::SHUTDOWN);
    assert_eq!(next(&OURS), OURS);
    assert_eq!(next(&fk::kinds::SESSION_LOST), fk::kinds::SESSION_LOST);
}
