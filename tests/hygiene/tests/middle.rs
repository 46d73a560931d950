//! The macro that another crate re-exports raises no lint either.

#![deny(
    warnings,
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
#![forbid(unsafe_code, clippy::unwrap_used)]

use failure_kinds_hygiene as _;
use fk::FailureKind;

/// A constant through the crate in the middle.
const BY_MIDDLE: FailureKind = failure_kinds_middle::failure_kind!("my_server:odd_case");

#[test]
fn c211_a_re_exported_macro_gives_the_same_constants() {
    assert_eq!(BY_MIDDLE, fk::failure_kind!("my_server:odd_case"));
    assert_eq!(failure_kinds_middle::failure_kind!("judge_failed"), fk::kinds::JUDGE_FAILED);
}
