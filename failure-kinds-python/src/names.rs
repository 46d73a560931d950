//! Functions on names and reasons.
//!
//! A Python string may hold lone surrogates. They become U+FFFD, which no name and no time holds.

use failure_kinds::{FailureKind, KindErrorReason};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Why a name is not a failure kind: the message, the rule that it breaks, and the name that was
/// most likely meant.
#[pyfunction]
pub(crate) fn refusal(name: &Bound<'_, PyString>) -> (String, &'static str, Option<&'static str>) {
    let name = name.to_string_lossy();
    match name.parse::<FailureKind>() {
        Err(error) => (error.to_string(), error.reason().as_str(), error.suggestion()),
        // A subclass of `str` with its own equality may have the text of a kind and not equal it.
        Ok(kind) => (
            format!("`{kind}` does not equal the failure kind of its text"),
            KindErrorReason::Unregistered.as_str(),
            None,
        ),
    }
}

#[pyfunction]
pub(crate) fn suggest(name: &Bound<'_, PyString>) -> Option<&'static str> {
    failure_kinds_core::suggest(&name.to_string_lossy()).map(|suggestion| suggestion.name)
}

#[pyfunction]
pub(crate) fn quota_reset_text<'py>(
    kind: &Bound<'py, PyString>,
    reason: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyString>> {
    let reason = reason.to_string_lossy();
    failure_kinds::quota_reset_text(&kind.to_string_lossy(), &reason)
        .map(|text| PyString::new(kind.py(), text))
}

#[pyfunction]
pub(crate) fn quota_reset_unix(
    kind: &Bound<'_, PyString>,
    reason: &Bound<'_, PyString>,
) -> Option<i64> {
    failure_kinds::quota_reset_unix(&kind.to_string_lossy(), &reason.to_string_lossy())
}
