//! A crate that denies every lint it can. What the macros expand to must raise none.

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

#[cfg(test)]
use failure_kinds_middle as _;
use fk::FailureKind;

/// A constant by its whole path.
pub const BY_PATH: FailureKind = fk::failure_kind!("judge_failed");

/// A constant of an extension.
pub const OURS: FailureKind = fk::failure_kind!("my_server:odd_case");

/// A static of both sorts.
pub static BOTH: [FailureKind; 2] =
    [fk::failure_kind!("cancelled"), fk::failure_kind!("my_server:odd_case")];

/// A pattern, a guard and an expression.
#[must_use]
pub fn next(kind: &FailureKind) -> FailureKind {
    match *kind {
        fk::failure_kind!("cancelled") | BY_PATH => fk::failure_kind!("shutdown"),
        _ if *kind == fk::failure_kind!("my_server:odd_case") => OURS,
        _ => kind.clone(),
    }
}
