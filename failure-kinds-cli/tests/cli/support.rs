//! What the tests of all commands need.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder for the files of one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file, and creates its folders.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The same, with a newline behind each line.
    pub(crate) fn rows(&self, name: &str, lines: &[&str]) -> PathBuf {
        self.write(name, lines.iter().flat_map(|line| [line, "\n"]).collect::<String>())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// What the command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn ran(command: snapbox::cmd::Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().expect("no signal ends the command"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
