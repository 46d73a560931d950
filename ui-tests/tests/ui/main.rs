//! The messages of the macros, as a user sees them.

#![allow(clippy::unwrap_used, reason = "a test that unwraps says what is wrong by its line")]

mod cases;
mod compile;
mod docs;
mod rules;
