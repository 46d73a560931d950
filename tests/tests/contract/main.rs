//! What the library promises, one module for each part.

#![allow(clippy::unwrap_used, reason = "a test that unwraps says what is wrong by its line")]

mod capture;
mod classification;
mod config;
mod interface;
mod kind;
mod kind_macro;
mod observed;
mod peer_grammar;
mod quota;
mod quota_texts;
mod refusal;
mod repository;
mod serde;
mod sets;
mod stage;
mod stage_overrides;
mod status;
mod suggest;
mod vocabulary;
mod warn_once;
