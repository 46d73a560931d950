//! The command, inside the interpreter's process.

use std::ffi::OsString;
use std::iter;
use std::os::unix::ffi::OsStringExt;

use pyo3::prelude::*;

/// Runs the command with these arguments and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<Vec<u8>>) -> u8 {
    let name = iter::once(OsString::from("failure-kinds"));
    let arguments = name.chain(arguments.into_iter().map(OsString::from_vec));
    py.detach(|| failure_kinds_cli::run(arguments))
}
