//! Reports on saved rows.

use std::fmt::Write;
use std::path::PathBuf;

use failure_kinds::FailureClassificationConfig;
use failure_kinds_cli::render;
use failure_kinds_rows::Check;
use failure_kinds_triage::inputs;
use failure_kinds_triage::{Error, ReadOptions, Report as Triage, Seen, Terms, read_runs};
use jiff::Timestamp;
use pyo3::prelude::*;

use crate::arguments::{Paths, Time};
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
    now: Timestamp,
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
    now: Option<Time>,
}

impl Report {
    fn new(seen: &Seen, options: Options) -> Self {
        let terms = Terms {
            config: &options.config,
            admit_stage: options.admit_stage,
            admit_calls: options.admit_calls,
            latest: options.latest,
        };
        let now = options.now.map_or_else(Timestamp::now, |now| now.0);
        Self { report: Triage::new(seen, &terms), now }
    }
}

/// Read the rows of files and folders, and report on them.
///
/// Args:
///     paths: files of JSON Lines, plain, gzip or zstandard, or folders to search for runs.
///     config: which side each failure is on; the default configuration if there is none.
///     admit_stage: whether the recorded stage may decide a side.
///     latest: count in the groups only the row that decides each rollout.
///     strict: check every byte, and raise on a malformed line.
///     now: the time that resets of quotas are compared with; the current time if there is none.
///
/// Raises:
///     OSError: a named file cannot be read.
///     InputError: the input is not rows; with ``strict``, a line is malformed.
#[pyfunction]
#[pyo3(signature = (
    paths, *, config=None, admit_stage=true, admit_calls=true, latest=false, strict=false, now=None
))]
#[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords")]
pub(crate) fn triage(
    py: Python<'_>,
    paths: Paths,
    config: Option<&Bound<'_, ClassificationConfig>>,
    admit_stage: bool,
    admit_calls: bool,
    latest: bool,
    strict: bool,
    now: Option<Time>,
) -> PyResult<Report> {
    let config = ClassificationConfig::given(config);
    let options = Options { config, admit_stage, admit_calls, latest, now };
    let report = work::run(py, move |stop| {
        read(&paths.0, strict, stop).map(|seen| Report::new(&seen, options))
    })?;
    let report = report.map_err(|error| input_error(py, error))?;
    if strict {
        well_formed(&report.report)?;
    }
    Ok(report)
}

fn read(paths: &[PathBuf], strict: bool, stop: &work::Stop) -> Result<Seen, Error> {
    let check = if strict { Check::Every } else { Check::Read };
    let options = ReadOptions { check, ..ReadOptions::default() };
    read_runs(&inputs::find(paths)?, &options, stop)
}

fn input_error(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Read { path, error } => read_error(py, &path, &error),
        error => InputError::new_err(error.to_string()),
    }
}

/// Rejects malformed lines.
fn well_formed(report: &Triage) -> PyResult<()> {
    if report.totals.malformed == 0 {
        return Ok(());
    }
    let mut message = format!("{} malformed lines", report.totals.malformed);
    for line in &report.malformed_lines {
        let _ = write!(message, "\n{}:{}: {}", line.path, line.line, line.why);
    }
    Err(InputError::new_err(message))
}
