//! The macros of failure-kinds, written for the crate `failure-kinds` to re-export.
//!
//! This crate is an implementation detail. Its interface changes without notice; depend on
//! `failure-kinds` instead.

#![forbid(unsafe_code)]

mod kind_macro;

use proc_macro::TokenStream;

/// `failure_kind!` behind the `macro_rules!` of the runtime, which puts `$crate` before the
/// user's tokens.
#[proc_macro]
pub fn failure_kind(input: TokenStream) -> TokenStream {
    kind_macro::expand(input)
}
