//! The file that `lint --init` writes.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::config::FILE_NAME;
use crate::fault::Fault;

/// The starting file: every key, commented out where it holds its default.
pub(crate) const STARTING_FILE: &str = include_str!("starting-file.toml");

/// Writes the starting file into a folder that has none.
pub(crate) fn write(folder: &Path) -> Result<(), Fault> {
    let path = folder.join(FILE_NAME);
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(&path).map_err(|error| match error
            .kind()
        {
            ErrorKind::AlreadyExists => Fault::new(format!("`{FILE_NAME}` is there already")),
            _ => Fault::io("write", &path, &error),
        })?;
    file.write_all(STARTING_FILE.as_bytes()).map_err(|error| Fault::io("write", &path, &error))
}
