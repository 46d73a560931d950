//! What the crates of failure-kinds share: the vocabulary, the grammar of a name, the legacy labels,
//! suggestions and the wording of errors.
//!
//! This crate is an implementation detail. Its interface changes without notice; depend on
//! `failure-kinds` instead.
//!
//! It has no dependencies and needs no allocator, because the macro crate builds it for the
//! compiler's host while the runtime builds it for the target.

#![no_std]
#![forbid(unsafe_code)]

mod gate;
mod grammar;
mod legacy;
mod lookup;
mod refusal;
mod resolve;
mod sets;
mod suggest;
pub mod text;
mod unlisted;
mod vocabulary;
mod wording;
mod words;

pub use gate::{GATE_DERIVED, GateDerived, gate_derived};
pub use grammar::{is_kind_name, is_namespaced, split_extension};
pub use legacy::{LEGACY, Legacy, Status, legacy};
pub use lookup::{kind, position};
pub use refusal::{Accepted, Fault, Part, Refusal, WhitePlace, accept, check_producer, parse};
pub use resolve::{Entry, doubled, resolve};
pub use sets::{GATE_DERIVED_NAMES, PROVIDER, REJUDGED, contains};
pub use suggest::{How, Suggestion, suggest, suggest_among};
pub use text::Quoted;
pub use unlisted::{Unlisted, listed};
pub use vocabulary::{
    Class, DOMAINS, Domain, HTTP_LABELS, HttpLabel, KINDS, Kind, RULES, Rule, STAGES, Stage,
};
