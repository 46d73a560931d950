//! The native half of the Python package `failure-kinds`.
//!
//! Names and the cheap functions on them are pure Python, in `python/failure_kinds`. What takes
//! more than a look-up in a set is here.

mod names;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::names::{quota_reset_text, quota_reset_unix, refusal, suggest};
}
