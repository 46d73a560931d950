//! Rust values as the Python objects that reading their JSON gives.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
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

/// The lines that [`loads_lines`] reads.
pub(crate) fn lines<T: Serialize>(values: &[T]) -> Vec<u8> {
    let mut text = Vec::new();
    for value in values {
        serde_json::to_writer(&mut text, value).expect("the keys are texts");
        text.push(b'\n');
    }
    text
}

/// The objects of these lines, as a list.
pub(crate) fn loads_lines<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let loads = py.import("json")?.getattr("loads")?;
    let list = PyList::empty(py);
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        list.append(loads.call1((String::from_utf8_lossy(line),))?)?;
    }
    Ok(list.into_any())
}
