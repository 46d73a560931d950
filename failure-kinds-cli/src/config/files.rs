//! The files of `--config` and `config check`.

use std::path::{Path, PathBuf};

use failure_kinds::{
    ConfigError, ConfigFormat, FailureClassificationConfig, FailureClassificationOverrides,
};

use super::render;
use crate::fault::Fault;
use crate::terminal;
use failure_kinds_core::text::EscapedPath;

/// Reads one file. The outer error is about usage or input, the inner one about its contents.
pub(super) fn overrides(
    file: &Path,
) -> Result<Result<FailureClassificationOverrides, ConfigError>, Fault> {
    if ConfigFormat::of_path(file).is_none() {
        return Err(Fault::new(format!(
            "`{}` is not a classification file: its name must end in `.json`, `.toml`, `.yaml` or `.yml`",
            EscapedPath(file)
        )));
    }
    match FailureClassificationOverrides::from_path(file) {
        Err(error) if error.is_io() => {
            let why = std::error::Error::source(&error).map(ToString::to_string);
            Err(Fault::new(format!(
                "cannot read `{}`: {}",
                EscapedPath(file),
                why.unwrap_or_default()
            )))
        }
        read => Ok(read),
    }
}

/// The default configuration with these files applied, later ones over earlier ones. Errors in a
/// file are reported on standard error.
pub(crate) fn read(files: &[PathBuf]) -> Result<FailureClassificationConfig, Fault> {
    let mut merged = FailureClassificationOverrides::new();
    let mut wrong = Vec::new();
    for file in files {
        match overrides(file)? {
            Ok(overrides) => merged = merged.merge(overrides),
            Err(error) => {
                // If standard error is closed, there is nowhere to report to.
                let _ = render::faults(&error, file, &mut terminal::stderr());
                wrong.push(format!("`{}`", EscapedPath(file)));
            }
        }
    }
    if !wrong.is_empty() {
        return Err(Fault::new(format!("cannot classify by {}", wrong.join(", "))));
    }
    // Every name was already checked with its file.
    FailureClassificationConfig::default()
        .with_overrides(merged)
        .map_err(|error| Fault::new(error.to_string()))
}
