//! The macros of failure-kinds, written for the crate `failure-kinds` to re-export.
//!
//! This crate is an implementation detail. Its interface changes without notice; depend on
//! `failure-kinds` instead.

#![forbid(unsafe_code)]

mod kind_macro;
#[cfg(feature = "derive")]
mod stage_overrides;

use proc_macro::TokenStream;

/// Implements `failure_kind!`. The runtime's `macro_rules!` passes `$crate` before the user's tokens.
#[proc_macro]
pub fn failure_kind(input: TokenStream) -> TokenStream {
    kind_macro::expand(input)
}

#[expect(missing_docs, reason = "documented where the runtime re-exports it, beside the trait")]
#[cfg(feature = "derive")]
#[proc_macro_derive(StageOverrides, attributes(stage, stage_overrides))]
pub fn stage_overrides(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    stage_overrides::derive(&input).into()
}
