//! The native half of the Python package `failure-kinds`.
//!
//! Names and the cheap functions on them are pure Python, in `python/failure_kinds`. Everything that takes more than a look-up in a set is here.

#![allow(clippy::doc_markdown, reason = "the documentation of a Python function is for Python")]
#![allow(clippy::needless_pass_by_value, reason = "arguments are converted to values")]

mod act;
mod arguments;
mod classification;
mod command;
mod error;
mod json;
mod names;
mod report;
mod rows;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::act::{Comparison, compare, select};
    #[pymodule_export]
    use crate::classification::{ClassificationConfig, classify};
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::names::{quota_reset_text, quota_reset_unix, refusal, suggest};
    #[pymodule_export]
    use crate::report::{Report, TriageState, triage};
    #[pymodule_export]
    use crate::rows::{Rows, rows};
}
