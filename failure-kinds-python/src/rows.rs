//! The failure rows of files, one by one.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{mem, thread, vec};

use failure_kinds_triage::inputs;
use failure_kinds_triage::{Error, FailureRow, Terms, visit_failures};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments::{Paths, Where};
use crate::classification::ClassificationConfig;
use crate::report::{input_error, read_options};
use crate::work::{PATIENCE, Stop};

/// How many rows, and about how many bytes of text, are passed on together.
const ROWS: usize = 256;
const BYTES: usize = 1 << 20;
/// How many such batches wait for the reader.
const BATCHES: usize = 4;

/// A failure row that outlives its line.
struct Row {
    path: Arc<str>,
    line: u64,
    /// Task, rollout and attempt.
    identity: Option<(i64, i64, i64)>,
    kind: Option<String>,
    stage: Option<&'static str>,
    status: Option<u16>,
    class: &'static str,
    rule: &'static str,
    reason: Option<String>,
}

type Batch = Result<Vec<Row>, Error>;

/// The failure rows of files, as dicts. They are read on demand, in bounded memory.
///
/// With ``pyarrow`` installed, polars, DuckDB and pandas read them as a table.
#[pyclass(module = "failure_kinds")]
pub(crate) struct Rows {
    batches: Mutex<Receiver<Batch>>,
    /// What is left of a batch.
    batch: Mutex<vec::IntoIter<Row>>,
    stop: Arc<Stop>,
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            let row = self.batch.lock().unwrap_or_else(PoisonError::into_inner).next();
            if let Some(row) = row {
                return row.into_dict(py).map(Some);
            }
            let Some(batch) = self.receive(py)? else { return Ok(None) };
            let batch = batch.map_err(|error| input_error(py, error))?;
            *self.batch.lock().unwrap_or_else(PoisonError::into_inner) = batch.into_iter();
        }
    }

    /// `__arrow_c_stream__` is there if pyarrow is.
    fn __getattr__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if name.to_cow()? == "__arrow_c_stream__"
            && let Ok(arrow) = py.import("failure_kinds._arrow")
        {
            return py
                .import("functools")?
                .call_method1("partial", (arrow.getattr("stream")?, slf));
        }
        let message = format!("'Rows' object has no attribute '{name}'");
        Err(PyAttributeError::new_err(message))
    }
}

impl Rows {
    /// The next batch. Meanwhile other threads run, and signals are handled.
    fn receive(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        loop {
            let received = py.detach(|| {
                let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
                batches.recv_timeout(PATIENCE)
            });
            match received {
                Ok(batch) => return Ok(Some(batch)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Row {
    fn of(row: &FailureRow<'_>, path: Arc<str>) -> Self {
        Self {
            path,
            line: row.line,
            identity: row
                .identity
                .map(|identity| (identity.task, identity.rollout, identity.attempt)),
            kind: row.failure.kind.map(str::to_owned),
            stage: row.failure.stage.map(failure_kinds::FailureStage::as_str),
            status: row.failure.http_status,
            class: row.classification.class.as_str(),
            rule: row.classification.rule.as_str(),
            reason: row.reason.as_deref().map(str::to_owned),
        }
    }

    fn size(&self) -> usize {
        self.kind.as_ref().map_or(0, String::len) + self.reason.as_ref().map_or(0, String::len)
    }

    fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let (task, rollout, attempt) = match self.identity {
            Some((task, rollout, attempt)) => (Some(task), Some(rollout), Some(attempt)),
            None => (None, None, None),
        };
        let row = PyDict::new(py);
        row.set_item(intern!(py, "path"), &*self.path)?;
        row.set_item(intern!(py, "line"), self.line)?;
        row.set_item(intern!(py, "_ng_task_index"), task)?;
        row.set_item(intern!(py, "_ng_rollout_index"), rollout)?;
        row.set_item(intern!(py, "_ng_attempt_index"), attempt)?;
        row.set_item(intern!(py, "kind"), self.kind)?;
        row.set_item(intern!(py, "stage"), self.stage)?;
        row.set_item(intern!(py, "status"), self.status)?;
        row.set_item(intern!(py, "class"), self.class)?;
        row.set_item(intern!(py, "rule"), self.rule)?;
        row.set_item(intern!(py, "reason"), self.reason)?;
        Ok(row)
    }
}

/// Collects rows and passes them on.
struct Sender<'s> {
    batches: SyncSender<Batch>,
    stop: &'s Stop,
    batch: Vec<Row>,
    bytes: usize,
    path: Arc<str>,
}

impl Sender<'_> {
    fn row(&mut self, row: &FailureRow<'_>) {
        if *self.path != *row.path {
            self.path = row.path.into();
        }
        let row = Row::of(row, Arc::clone(&self.path));
        self.bytes += row.size();
        self.batch.push(row);
        if self.batch.len() >= ROWS || self.bytes >= BYTES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.bytes = 0;
        let batch = mem::take(&mut self.batch);
        self.send(Ok(batch));
    }

    fn send(&self, batch: Batch) {
        if self.batches.send(batch).is_err() {
            // Nobody reads the rest.
            self.stop.stop();
        }
    }
}

/// Read the failure rows of files and folders one by one.
///
/// Each is a dict: ``path``, ``line``, ``_ng_task_index``, ``_ng_rollout_index``,
/// ``_ng_attempt_index``, ``kind``, ``stage``, ``status``, ``class``, ``rule``, ``reason``. The
/// arguments and exceptions are those of :func:`triage`; errors are raised while the rows are read.
#[pyfunction]
#[pyo3(
    signature = (
        paths, *, config=None, admit_stage=true, calls=Where::default(), admit_calls=true
    ),
    text_signature = "(paths, *, config=None, admit_stage=True, calls='auto', admit_calls=True)"
)]
pub(crate) fn rows(
    py: Python<'_>,
    paths: Paths,
    config: Option<&Bound<'_, ClassificationConfig>>,
    admit_stage: bool,
    calls: Where,
    admit_calls: bool,
) -> PyResult<Rows> {
    let config = ClassificationConfig::given(config);
    // At once, so that a wrong path is an error of this call.
    let inputs = py.detach(|| inputs::find(&paths.0)).map_err(|error| input_error(py, error))?;
    let (batches, received) = sync_channel(BATCHES);
    let stop = Arc::new(Stop::default());
    let reader = {
        let stop = Arc::clone(&stop);
        move || {
            let terms = Terms { admit_stage, admit_calls, ..Terms::new(&config) };
            let (batch, path) = (Vec::new(), Arc::from(""));
            let mut sender = Sender { batches, stop: &stop, batch, bytes: 0, path };
            let options = read_options(calls, false);
            let read = visit_failures(&inputs, &options, &terms, &*stop, |row| sender.row(row));
            sender.flush();
            if let Err(error) = read {
                sender.send(Err(error));
            }
        }
    };
    let thread = thread::Builder::new().name("failure-kinds rows".to_owned()).spawn(reader);
    thread.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(Rows { batches: Mutex::new(received), batch: Mutex::new(Vec::new().into_iter()), stop })
}
