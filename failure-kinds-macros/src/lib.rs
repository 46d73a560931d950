//! The macros of failure-kinds.

#![forbid(unsafe_code)]
