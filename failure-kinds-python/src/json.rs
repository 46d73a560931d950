//! Values of Rust as Python has them after reading JSON.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

/// The dicts and lists that reading the value's JSON gives, so that they equal the command's JSON.
pub(crate) fn loads<'py>(
    py: Python<'py>,
    value: &(impl Serialize + Sync),
) -> PyResult<Bound<'py, PyAny>> {
    let text = py.detach(|| serde_json::to_string(value));
    let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
