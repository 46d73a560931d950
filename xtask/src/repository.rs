//! The repository: its files, cargo in it, and its own command.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a file.
pub(crate) fn read(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}").into())
}

/// The paths of all files that are committed or will be, from the root, without links to others.
pub(crate) fn files() -> Result<Vec<String>> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let listed = output(Command::new("git").args(arguments))?;
    let root = root();
    let is_file = |path: &&str| root.join(path).symlink_metadata().is_ok_and(|file| file.is_file());
    Ok(listed.lines().filter(is_file).map(str::to_owned).collect())
}

/// The files with this extension, as paths and texts.
pub(crate) fn texts(extension: &str) -> Result<Vec<(String, String)>> {
    let has_it =
        |path: &String| Path::new(path).extension().is_some_and(|found| found == extension);
    files()?.into_iter().filter(has_it).map(|path| Ok((path.clone(), read(&path)?))).collect()
}

/// What cargo prints in the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Result<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    output(Command::new(cargo).args(arguments))
}

/// What the command `failure-kinds` prints.
pub(crate) fn failure_kinds(arguments: &[&str]) -> Result<String> {
    cargo(
        &[&["run", "--quiet", "--locked", "--package", "failure-kinds-cli", "--"], arguments]
            .concat(),
    )
}

/// What `cargo metadata` says about the packages of the workspace.
pub(crate) fn packages() -> Result<Vec<serde_json::Value>> {
    let metadata = cargo(&["metadata", "--locked", "--no-deps", "--format-version", "1"])?;
    let mut metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    match metadata["packages"].take() {
        serde_json::Value::Array(packages) => Ok(packages),
        other => Err(format!("`cargo metadata` lists no packages but {other}").into()),
    }
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.current_dir(root()).output()?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{errors}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
