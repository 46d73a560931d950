//! The file that `lint --init` writes.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use failure_kinds_lint::{FILE_NAME, STARTING_FILE};

use crate::fault::Fault;

/// Writes the starting file into the working directory, unless there is one.
pub(super) fn write() -> Result<(), Fault> {
    let path = Path::new(FILE_NAME);
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error
            .kind()
        {
            ErrorKind::AlreadyExists => Fault::new(format!("`{FILE_NAME}` already exists")),
            _ => Fault::io("write", path, &error),
        })?;
    file.write_all(STARTING_FILE.as_bytes()).map_err(|error| Fault::io("write", path, &error))
}
