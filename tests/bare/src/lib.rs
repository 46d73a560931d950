//! A crate without `std`. Other packages of the workspace turn features of the runtime on, so
//! only a build of this package alone tests this:
//!
//! ```sh
//! cargo test -p failure-kinds-bare
//! cargo test -p failure-kinds-bare --features macros
//! ```

#![no_std]

extern crate alloc;

pub mod classify;

use failure_kinds::{kinds, FailureKind};

/// A kind of the server, without a macro.
pub const BY_CONST: FailureKind = FailureKind::from_static("my_server:odd_case");

/// A registered kind and one of the server, by the macro.
#[cfg(feature = "macros")]
pub const BY_MACRO: [FailureKind; 2] = [
    failure_kinds::failure_kind!("judge_failed"),
    failure_kinds::failure_kind!("my_server:odd_case"),
];

/// Whether the process was asked to stop.
#[must_use]
pub fn is_shutdown(kind: &FailureKind) -> bool {
    matches!(*kind, kinds::SHUTDOWN)
}

#[cfg(not(feature = "macros"))]
mod without_macros {
    /// Without the feature the name is free.
    macro_rules! failure_kind {
        ($name:literal) => {
            super::FailureKind::from_static($name)
        };
    }

    const _: super::FailureKind = failure_kind!("judge_failed");
}
