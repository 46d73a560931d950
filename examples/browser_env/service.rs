//! The configuration of the service, which includes the classification of failures.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use failure_kinds::{FailureClassificationConfig, FailureClassificationOverrides, StageOverrides};
use serde::Deserialize;

use crate::environment::{BrowserEnv, BrowserEnvOverrides};

/// A file such as `service.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Service {
    /// Where the service listens.
    pub(crate) port: u16,
    /// What this deployment changes in the stages of the environment.
    #[serde(default)]
    pub(crate) failures: BrowserEnvOverrides,
    /// Classification files of the operator, later ones over earlier ones; `failure-kinds triage
    /// --config` takes the same files.
    #[serde(default)]
    pub(crate) classification: Vec<PathBuf>,
}

impl Service {
    /// Reads TOML, or YAML by the extension.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(path)?;
        Ok(match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml" | "yml") => serde_saphyr::from_str(&text)?,
            _ => toml::from_str(&text)?,
        })
    }

    /// The environment's classification with this deployment's changes, over the shared default.
    pub(crate) fn declared(&self) -> Result<FailureClassificationConfig, Box<dyn Error>> {
        let environment = BrowserEnv::default()
            .with_overrides(self.failures.clone())
            .map_err(|error| error.with_path_prefix("failures"))?;
        Ok(environment.classification(FailureClassificationConfig::shared_default()))
    }

    /// The same with the operator's files applied. Their paths are relative to the service's file.
    pub(crate) fn effective(
        &self,
        folder: &Path,
    ) -> Result<FailureClassificationConfig, Box<dyn Error>> {
        let mut operator = FailureClassificationOverrides::new();
        for file in &self.classification {
            operator =
                operator.merge(FailureClassificationOverrides::from_path(folder.join(file))?);
        }
        Ok(self.declared()?.with_overrides(operator)?)
    }
}
