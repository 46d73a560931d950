//! The macro in a crate without a prelude.

#![no_implicit_prelude]

use ::core::prelude::v1::test;

const KIND: ::fk::FailureKind = ::fk::failure_kind!("judge_failed");

#[test]
fn c213_the_macro_needs_no_prelude() {
    ::core::assert!(::core::matches!(KIND, ::fk::failure_kind!("judge_failed")));
    ::core::assert!(::failure_kinds_middle::failure_kind!("my_server:odd_case").is_extension());
}
