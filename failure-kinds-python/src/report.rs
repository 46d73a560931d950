//! Reports on saved rows.

use std::fmt::Write;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use failure_kinds::FailureClassificationConfig;
use failure_kinds_cli::render;
use failure_kinds_core::text::Escaped;
use failure_kinds_rows::Check;
use failure_kinds_triage::inputs::{self, Inputs};
use failure_kinds_triage::{
    Error, ReadOptions, Report as Triage, Seen, Terms, TriageState as State, read_runs,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{Paths, Time, Where};
use crate::classification::ClassificationConfig;
use crate::error::{InputError, read_error};
use crate::{json, work};

/// What failed in saved rows: how often, at which stage, on whose side, by which rule, and out of
/// how many.
///
/// ``str(report)`` is the table of the command, and a notebook shows it as HTML.
#[pyclass(frozen, module = "failure_kinds")]
pub(crate) struct Report {
    report: Triage,
    now: DateTime<Utc>,
}

#[pymethods]
impl Report {
    /// Return the JSON of ``failure-kinds triage --format json``, key for key.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::loads(py, &self.report)
    }

    /// The groups of failure rows as dicts, the largest first.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::loads(py, &self.report.groups)
    }

    /// The runs as dicts, by path.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::loads(py, &self.report.runs)
    }

    /// Return the report as Markdown, for the summary of a CI job.
    fn to_markdown(&self, py: Python<'_>) -> String {
        py.detach(|| render::markdown(&self.report, self.now))
    }

    /// Return the report as a page for a browser, which needs no other file.
    fn to_html(&self, py: Python<'_>) -> String {
        py.detach(|| render::html(&self.report))
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| render::notebook(&self.report))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        py.detach(|| render::text(&self.report, self.now))
    }

    fn __repr__(&self) -> String {
        let totals = self.report.totals;
        format!("<failure_kinds.Report: {} failures in {} rows>", totals.failures, totals.rows)
    }
}

/// How a report classifies and counts what was read.
struct Options {
    config: FailureClassificationConfig,
    admit_stage: bool,
    admit_calls: bool,
    latest: bool,
    now: DateTime<Utc>,
}

impl Report {
    fn new(seen: &Seen, options: &Options) -> Self {
        let &Options { ref config, admit_stage, admit_calls, latest, now } = options;
        let terms = Terms { config, admit_stage, admit_calls, latest };
        Self { report: Triage::new(seen, &terms), now }
    }
}

/// Read the rows of files and folders, and report on them.
///
/// Args:
///     paths: files of JSON Lines, plain, gzip or zstandard, or folders to search for runs.
///     config: which side each failure is on; the default configuration if there is none.
///     admit_stage: whether the recorded stage may decide a side.
///     calls: where to look for captures of model calls: ``"auto"``, ``"off"`` or a folder.
///     admit_calls: whether the failed last model call may decide a side.
///     latest: count in the groups only the row that decides each rollout.
///     strict: check every byte, and raise on a malformed line.
///     one_run: join all inputs into one run: shards of one collection.
///     now: the time that resets of quotas are compared with; the current time if there is none.
///
/// Raises:
///     OSError: a named file cannot be read.
///     InputError: the input is not rows; with ``strict``, a line is malformed.
#[pyfunction]
#[pyo3(
    signature = (
        paths, *, config=None, admit_stage=true, calls=Where::default(), admit_calls=true,
        latest=false, strict=false, one_run=false, now=None
    ),
    text_signature = "(paths, *, config=None, admit_stage=True, calls='auto', admit_calls=True, \
                      latest=False, strict=False, one_run=False, now=None)"
)]
#[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords")]
pub(crate) fn triage(
    py: Python<'_>,
    paths: Paths,
    config: Option<&Bound<'_, ClassificationConfig>>,
    admit_stage: bool,
    calls: Where,
    admit_calls: bool,
    latest: bool,
    strict: bool,
    one_run: bool,
    now: Option<Time>,
) -> PyResult<Report> {
    let (config, now) = (ClassificationConfig::given(config), Time::given(now));
    let options = Options { config, admit_stage, admit_calls, latest, now };
    let report = work::run(py, move |stop| {
        let inputs = find(&paths.0, one_run)?;
        let seen = read_runs(&inputs, &read_options(calls, strict), stop)?;
        let report = Report::new(&seen, &options);
        if strict {
            well_formed(&report.report)?;
        }
        Ok(report)
    })?;
    report.map_err(|error| input_error(py, error))
}

/// What was read from some files. States merge to one report on all of them.
///
/// Read each file or run once, anywhere, and merge in any order:
///
///     state = fk.TriageState.from_paths(["part-0/"])
///     state |= fk.TriageState.from_paths(["part-1/"])
///     state.report()
///
/// States pickle. A state is read by the version of this package that wrote it.
#[pyclass(module = "failure_kinds")]
#[derive(Clone)]
pub(crate) struct TriageState(State);

#[pymethods]
impl TriageState {
    /// Read the rows of files and folders.
    ///
    /// The arguments are those of :func:`triage`.
    #[staticmethod]
    #[pyo3(
        signature = (paths, *, calls=Where::default(), strict=false),
        text_signature = "(paths, *, calls='auto', strict=False)"
    )]
    fn from_paths(py: Python<'_>, paths: Paths, calls: Where, strict: bool) -> PyResult<Self> {
        let state = work::run(py, move |stop| {
            let inputs = inputs::find(&paths.0)?;
            let state = State::read(&inputs, &read_options(calls, strict), stop)?;
            if strict {
                let terms = Terms::new(FailureClassificationConfig::shared_default());
                well_formed(&Triage::new(&*state.seen()?, &terms))?;
            }
            Ok(state)
        })?;
        state.map(Self).map_err(|error| input_error(py, error))
    }

    /// Read what :meth:`to_bytes` returned.
    ///
    /// Raises:
    ///     InputError: it is of another version, or damaged.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, state: &[u8]) -> PyResult<Self> {
        let state = py.detach(|| State::from_bytes(state));
        state.map(Self).map_err(|error| input_error(py, error))
    }

    /// Return the state as bytes, for :meth:`from_bytes` of the same version.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.0.to_bytes()))
    }

    /// Report on what was read.
    ///
    /// The arguments are those of :func:`triage`.
    ///
    /// Raises:
    ///     InputError: nothing that was read is rows.
    #[pyo3(signature = (
        *, config=None, admit_stage=true, admit_calls=true, latest=false, now=None
    ))]
    fn report(
        &self,
        py: Python<'_>,
        config: Option<&Bound<'_, ClassificationConfig>>,
        admit_stage: bool,
        admit_calls: bool,
        latest: bool,
        now: Option<Time>,
    ) -> PyResult<Report> {
        let (config, now) = (ClassificationConfig::given(config), Time::given(now));
        let options = Options { config, admit_stage, admit_calls, latest, now };
        let report = py.detach(|| Ok(Report::new(&*self.0.seen()?, &options)));
        report.map_err(|error| input_error(py, error))
    }

    fn __or__(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let mut merged = self.clone();
        merged.__ior__(py, other)?;
        Ok(merged)
    }

    fn __ior__(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        py.detach(|| self.0.merge(other.0.clone())).map_err(|error| input_error(py, error))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = slf.get_type().getattr("from_bytes")?;
        Ok((from_bytes, (slf.borrow().to_bytes(slf.py()),)))
    }
}

/// Finds the files of these paths.
pub(crate) fn find(paths: &[PathBuf], one_run: bool) -> Result<Inputs, Error> {
    let inputs = inputs::find(paths)?;
    Ok(if one_run { inputs.into_one_run() } else { inputs })
}

pub(crate) fn read_options(calls: Where, strict: bool) -> ReadOptions {
    let check = if strict { Check::Every } else { Check::Read };
    ReadOptions { check, calls: calls.0 }
}

pub(crate) fn input_error(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Read { path, error } => read_error(py, &path, &error),
        error => InputError::new_err(error.to_string()),
    }
}

/// Rejects malformed lines.
fn well_formed(report: &Triage) -> Result<(), Error> {
    if report.totals.malformed == 0 {
        return Ok(());
    }
    let mut message = format!("malformed lines: {}", report.totals.malformed);
    for line in &report.malformed_lines {
        let _ = write!(message, "\n{}:{}: {}", Escaped(&line.path), line.line, line.why);
    }
    Err(Error::Input(message))
}
