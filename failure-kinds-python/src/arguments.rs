//! Arguments that several functions have.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use failure_kinds_triage::Calls;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// One path, or several.
pub(crate) struct Paths(pub(crate) Vec<PathBuf>);

impl FromPyObject<'_, '_> for Paths {
    type Error = PyErr;

    fn extract(paths: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        // A text is a path, not a list of characters.
        if let Ok(path) = paths.extract::<PathBuf>() {
            return Ok(Self(vec![path]));
        }
        let paths: Vec<PathBuf> =
            paths.try_iter()?.map(|path| path?.extract()).collect::<PyResult<_>>()?;
        if paths.is_empty() {
            return Err(PyValueError::new_err("give at least one path"));
        }
        Ok(Self(paths))
    }
}

/// A point in time: a text of RFC 3339, or a datetime with a time zone.
pub(crate) struct Time(pub(crate) DateTime<Utc>);

impl FromPyObject<'_, '_> for Time {
    type Error = PyErr;

    fn extract(time: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let wrong = || {
            let expected = "a datetime with a time zone, or a text such as `2026-10-12T05:00:00Z`";
            PyValueError::new_err(format!("`now` is {expected}"))
        };
        let text = if time.is_instance_of::<PyString>() {
            time.extract::<String>()?
        } else {
            let isoformat = time.getattr("isoformat").map_err(|_| wrong())?;
            isoformat.call0()?.extract::<String>()?
        };
        // Without an offset it is not a point in time.
        let time = DateTime::parse_from_rfc3339(&text);
        time.map(|time| Self(time.into())).map_err(|_| wrong())
    }
}

impl Time {
    /// The time of an argument that may be left out: now.
    pub(crate) fn given(time: Option<Self>) -> DateTime<Utc> {
        time.map_or_else(Utc::now, |time| time.0)
    }
}

/// Where to look for captures of model calls: `auto`, `off` or a folder.
#[derive(Default)]
pub(crate) struct Where(pub(crate) Calls);

impl FromPyObject<'_, '_> for Where {
    type Error = PyErr;

    fn extract(calls: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Ok(Self(calls.extract::<PathBuf>()?.into()))
    }
}
