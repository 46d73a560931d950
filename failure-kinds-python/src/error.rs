//! Errors as exceptions.

use std::io;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

pyo3::import_exception!(failure_kinds._errors, ConfigError);
pyo3::import_exception!(failure_kinds._errors, InputError);

/// What the operating system says about a path.
pub(crate) fn os_error(py: Python<'_>, code: i32, path: &str) -> PyErr {
    let reason = py.import("os").and_then(|os| os.call_method1("strerror", (code,)));
    match reason {
        // With a code, the type of the exception is that of the code, such as `FileNotFoundError`.
        Ok(reason) => PyOSError::new_err((code, reason.unbind(), path.to_owned())),
        Err(error) => error,
    }
}

/// That a file cannot be read.
pub(crate) fn read_error(py: Python<'_>, path: &str, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(code) => os_error(py, code, path),
        None => InputError::new_err(format!("cannot read `{path}`: {error}")),
    }
}
