//! What to do about a report: which rollouts to run again, and what differs from another run.

use std::ffi::CString;
use std::path::PathBuf;
use std::slice;

use failure_kinds_cli::render;
use failure_kinds_core::Quoted;
use failure_kinds_core::text::path_text;
use failure_kinds_triage::{
    By, Comparison as Compared, ConditionError, Conditions, Error, SavedReport, Seen, Side, Terms,
    read_runs, select as select_rollouts,
};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::arguments::{Paths, Where};
use crate::classification::ClassificationConfig;
use crate::report::{find, input_error, read_options};
use crate::{json, work};

/// What is returned for a rollout.
#[derive(Clone, Copy)]
enum Emit {
    Ids,
    Inputs,
    Rows,
}

/// Select rollouts, for example to run them again.
///
/// Args:
///     paths: files of JSON Lines, or folders to search for runs.
///     where: conditions such as ``"failed,class=evaluation"``, of which at least one must hold.
///     emit: ``"ids"``, a dict with identity, status, class and rule; ``"inputs"``, the lines of
///         the inventory as objects; ``"rows"``, the deciding rows as objects.
///     one_run: join all inputs into one run.
///
/// The other arguments and the exceptions are those of :func:`triage`. ``ValueError`` is raised for
/// a wrong condition. A kind that is not registered gives a warning.
#[pyfunction]
#[pyo3(
    signature = (
        paths, *, r#where, emit="ids", config=None, admit_stage=true, calls=Where::default(),
        admit_calls=true, one_run=false
    ),
    text_signature = "(paths, *, where, emit='ids', config=None, admit_stage=True, calls='auto', \
                      admit_calls=True, one_run=False)"
)]
#[expect(clippy::too_many_arguments, reason = "keywords")]
pub(crate) fn select<'py>(
    py: Python<'py>,
    paths: Paths,
    r#where: &Bound<'py, PyAny>,
    emit: &str,
    config: Option<&Bound<'_, ClassificationConfig>>,
    admit_stage: bool,
    calls: Where,
    admit_calls: bool,
    one_run: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let any_of = conditions(r#where)?;
    let emit = match emit {
        "ids" => Emit::Ids,
        "inputs" => Emit::Inputs,
        "rows" => Emit::Rows,
        _ => return Err(PyValueError::new_err("emit is \"ids\", \"inputs\" or \"rows\"")),
    };
    let config = ClassificationConfig::given(config);
    let selected = work::run(py, move |stop| {
        let mut inputs = find(&paths.0, one_run)?;
        if !matches!(emit, Emit::Ids) {
            inputs.copy_streams()?;
        }
        let seen = read_runs(&inputs, &read_options(calls, false), stop)?;
        let terms = Terms { admit_stage, admit_calls, ..Terms::new(&config) };
        let selection = select_rollouts(&seen, &terms, &any_of);
        match emit {
            Emit::Ids => Ok(json::lines(&selection.rollouts)),
            Emit::Inputs => selection.inputs(&inputs, stop),
            Emit::Rows => selection.rows(&inputs, stop),
        }
    })?;
    json::loads_lines(py, &selected.map_err(|error| input_error(py, error))?)
}

/// One text of conditions, or several.
fn conditions(given: &Bound<'_, PyAny>) -> PyResult<Vec<Conditions>> {
    let texts: Vec<String> = match given.cast::<PyString>() {
        Ok(text) => vec![text.extract()?],
        Err(_) => given.extract()?,
    };
    let any_of: Vec<Conditions> = texts
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, ConditionError>>()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    if any_of.is_empty() {
        return Err(PyValueError::new_err("give at least one condition"));
    }
    for (kind, meant) in any_of.iter().flat_map(Conditions::unregistered) {
        let hint = meant.map(|name| format!("; a similar name is registered: `{name}`"));
        let hint = hint.unwrap_or_default();
        let message = format!("`{}` is not a registered kind{hint}", Quoted(kind));
        let message = CString::new(message)?;
        PyErr::warn(given.py(), &given.py().get_type::<PyUserWarning>(), &message, 1)?;
    }
    Ok(any_of)
}

/// What differs between two sides, and whether it can be chance.
#[pyclass(frozen, module = "failure_kinds")]
pub(crate) struct Comparison(Compared);

#[pymethods]
impl Comparison {
    /// Return the JSON of ``failure-kinds compare --format json``, key for key.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::loads(py, &self.0)
    }

    /// The rows as dicts: those that are new or up first.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::loads(py, &self.0.rows)
    }

    /// Return the comparison as Markdown, for the summary of a CI job.
    fn to_markdown(&self, py: Python<'_>) -> String {
        py.detach(|| render::comparison_markdown(&self.0))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        py.detach(|| render::comparison_text(&self.0))
    }

    fn __repr__(&self) -> String {
        format!("<failure_kinds.Comparison: {} rows>", self.0.rows.len())
    }

    /// What to know before the rows, as sentences.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, &self.0.notes)
    }
}

/// What was read for one side.
enum Content {
    Rows(Box<Seen>),
    Report(Box<SavedReport>),
}

/// Compare two sides: what is new, gone, up or down, and whether that can be chance.
///
/// Args:
///     baseline: a folder, a file of rows, or a saved report (``triage --format json``).
///     current: the side that is compared with it.
///     by: what a row is: ``"kind"``, ``"kind,stage"`` or ``"class"``.
///     one_run: join the files of each side into one run.
///     any_config: compare even if the sides were classified by different configurations.
///
/// The other arguments and the exceptions are those of :func:`triage`.
#[pyfunction]
#[pyo3(
    signature = (
        baseline, current, *, by="kind", config=None, admit_stage=true, calls=Where::default(),
        admit_calls=true, one_run=false, any_config=false
    ),
    text_signature = "(baseline, current, *, by='kind', config=None, admit_stage=True, \
                      calls='auto', admit_calls=True, one_run=False, any_config=False)"
)]
#[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords")]
pub(crate) fn compare(
    py: Python<'_>,
    baseline: PathBuf,
    current: PathBuf,
    by: &str,
    config: Option<&Bound<'_, ClassificationConfig>>,
    admit_stage: bool,
    calls: Where,
    admit_calls: bool,
    one_run: bool,
    any_config: bool,
) -> PyResult<Comparison> {
    let by = match by {
        "kind" => By::Kind,
        "kind,stage" => By::KindAndStage,
        "class" => By::Class,
        _ => return Err(PyValueError::new_err("by is \"kind\", \"kind,stage\" or \"class\"")),
    };
    let config = ClassificationConfig::given(config);
    let options = read_options(calls, false);
    let compared = work::run(py, move |stop| {
        let paths = [baseline, current];
        let read = |path| {
            let mut inputs = find(slice::from_ref(path), one_run)?;
            inputs.copy_streams()?;
            let content = match SavedReport::find(&inputs)? {
                Some(report) => Content::Report(Box::new(report)),
                None => Content::Rows(Box::new(read_runs(&inputs, &options, stop)?)),
            };
            Ok::<_, Error>((path_text(path).into_owned(), inputs, content))
        };
        let sides = [read(&paths[0])?, read(&paths[1])?];
        let [baseline, current] = sides.each_ref().map(|(path, inputs, content)| match content {
            Content::Rows(seen) => Side::rows(path.clone(), inputs, seen),
            Content::Report(report) => Side::report(path.clone(), report),
        });
        let terms = Terms { admit_stage, admit_calls, ..Terms::new(&config) };
        failure_kinds_triage::compare(&baseline, &current, &terms, by, any_config, stop)
    })?;
    compared.map(Comparison).map_err(|error| input_error(py, error))
}
