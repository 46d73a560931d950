//! The macro beside local names that a careless expansion would use.

#![allow(dead_code, non_camel_case_types, non_snake_case, reason = "only their names matter")]

mod alloc {}
mod core {}
mod failure_kinds {}
mod kinds {}
mod std {}

struct Err;
struct FailureKind;
struct Option;
struct Result;
struct str;
struct String;

fn None() {}
fn Ok() {}
fn Some() {}

const KIND: ::fk::FailureKind = ::fk::failure_kind!("judge_failed");

#[test]
fn c213_local_names_do_not_change_the_macro() {
    assert_eq!(KIND, failure_kinds_middle::failure_kind!("judge_failed"));
    assert_eq!(::fk::failure_kind!("my_server:odd_case").as_str(), "my_server:odd_case");
    assert!(matches!(KIND, ::fk::failure_kind!("judge_failed")));
}
