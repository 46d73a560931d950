//! Classification and its configuration.

use std::path::PathBuf;

use failure_kinds::{
    ConfigError as Faults, Evidence, FailureClassificationConfig, FailureClassificationOverrides,
    FailureStage,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::error::{ConfigError, read_error};
use crate::json;

/// Which side each failure is on. Without arguments, the default configuration.
///
/// A configuration does not change; :meth:`with_overrides` returns another one. Configurations
/// compare equal if they classify in the same way, and pickle.
#[pyclass(frozen, eq, module = "failure_kinds", name = "ClassificationConfig")]
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct ClassificationConfig(FailureClassificationConfig);

#[pymethods]
impl ClassificationConfig {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Read a JSON, TOML or YAML file over the default configuration.
    ///
    /// Raises:
    ///     OSError: the file cannot be read.
    ///     ConfigError: it has faults; all are listed, with line and column.
    #[staticmethod]
    fn from_path(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::default().over(py, read_path(py, &path)?)
    }

    /// Apply a dict, as a file would hold it, over the default configuration.
    ///
    /// Raises:
    ///     ConfigError: it has faults; all are listed, with the keys that lead to them.
    #[staticmethod]
    fn from_dict(config: &Bound<'_, PyDict>) -> PyResult<Self> {
        Self::default().over(config.py(), read_dict(config)?)
    }

    /// Return a configuration with a file or a dict applied over this one, key by key.
    ///
    /// Raises:
    ///     OSError: the file cannot be read.
    ///     ConfigError: there are faults; all are listed.
    fn with_overrides(&self, overrides: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = overrides.py();
        let overrides = match overrides.cast::<PyDict>() {
            Ok(dict) => read_dict(dict)?,
            Err(_) => read_path(py, &overrides.extract::<PathBuf>()?)?,
        };
        self.over(py, overrides)
    }

    /// Return the full form: every key, and ``"none"`` for what is cleared.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::loads(py, &self.0)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let dict = slf.get().to_dict(slf.py())?;
        Ok(format!("ClassificationConfig.from_dict({})", dict.repr()?))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let from_dict = slf.get_type().getattr("from_dict")?;
        Ok((from_dict, (slf.get().to_dict(slf.py())?,)))
    }
}

impl ClassificationConfig {
    /// The configuration of an argument that may be left out.
    pub(crate) fn given(config: Option<&Bound<'_, Self>>) -> FailureClassificationConfig {
        config.map_or_else(FailureClassificationConfig::default, |config| config.get().0.clone())
    }

    fn over(&self, py: Python<'_>, overrides: FailureClassificationOverrides) -> PyResult<Self> {
        let config = self.0.clone().with_overrides(overrides);
        config.map(Self).map_err(|faults| config_error(py, &faults))
    }
}

fn read_path(py: Python<'_>, path: &PathBuf) -> PyResult<FailureClassificationOverrides> {
    let read = py.detach(|| FailureClassificationOverrides::from_path(path));
    read.map_err(|faults| config_error(py, &faults))
}

fn read_dict(config: &Bound<'_, PyDict>) -> PyResult<FailureClassificationOverrides> {
    let py = config.py();
    let text: String = py.import("json")?.call_method1("dumps", (config,))?.extract()?;
    FailureClassificationOverrides::from_json_str(&text).map_err(|faults| {
        // A place in the text says nothing about the dict.
        let messages: Vec<_> = faults.faults().iter().map(ToString::to_string).collect();
        let faults: Vec<_> = faults.faults().iter().map(|fault| entry(fault, false)).collect();
        ConfigError::new_err((messages.join("\n"), faults))
    })
}

fn config_error(py: Python<'_>, faults: &Faults) -> PyErr {
    use std::error::Error;

    if let (true, Some(file), Some(error)) = (
        faults.is_io(),
        faults.file(),
        faults.source().and_then(|source| source.downcast_ref::<std::io::Error>()),
    ) {
        return read_error(py, &file.to_string_lossy(), error);
    }
    let entries: Vec<_> = faults.faults().iter().map(|fault| entry(fault, true)).collect();
    ConfigError::new_err((faults.to_string(), entries))
}

/// The fields of a `ConfigFault`.
type Entry = (String, String, Option<String>, Option<String>, Option<usize>, Option<usize>);

fn entry(fault: &failure_kinds::ConfigFault, located: bool) -> Entry {
    let location = fault.location().filter(|_| located);
    (
        fault.path().to_owned(),
        fault.message().to_owned(),
        fault.help().map(str::to_owned),
        fault.suggestion().map(str::to_owned),
        location.map(|location| location.line),
        location.map(|location| location.column),
    )
}

/// The fields of a `Classification`.
type Fields = (&'static str, &'static str, Option<&'static str>, bool, bool);

#[pyfunction]
pub(crate) fn classify(
    kind: Option<&Bound<'_, PyString>>,
    http_status: &Bound<'_, PyAny>,
    call_status: &Bound<'_, PyAny>,
    stage: Option<&str>,
    admit_stage: bool,
    config: Option<&Bound<'_, ClassificationConfig>>,
) -> PyResult<Fields> {
    let kind = kind.map(|kind| kind.to_string_lossy());
    let stage = stage.map(str::parse::<FailureStage>).transpose();
    let stage = stage.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut evidence = Evidence::new()
        .kind(kind.as_deref())
        .stage(stage)
        .http_status(&status(http_status))
        .call_status(&status(call_status));
    if admit_stage {
        evidence = evidence.admit_stage();
    }
    let config =
        config.map_or(FailureClassificationConfig::shared_default(), |config| &config.get().0);
    let class = config.classify(&evidence);
    Ok((
        class.class.as_str(),
        class.rule.as_str(),
        class.http.map(failure_kinds::HttpEvidence::as_str),
        class.server,
        class.via_legacy,
    ))
}

/// A status as it was recorded. Texts, floats and booleans are not evidence.
fn status(recorded: &Bound<'_, PyAny>) -> Option<i64> {
    let integer = recorded.cast::<PyInt>().ok().filter(|_| !recorded.is_instance_of::<PyBool>())?;
    integer.extract().ok()
}
