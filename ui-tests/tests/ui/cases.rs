//! The files under `ui`.

use std::fs;
use std::path::{Path, PathBuf};

/// One case: a source and what the compiler says.
pub(crate) struct Case {
    pub(crate) source: PathBuf,
    pub(crate) stderr: PathBuf,
}

impl Case {
    pub(crate) fn source(&self) -> String {
        fs::read_to_string(&self.source).unwrap()
    }

    pub(crate) fn stderr(&self) -> String {
        fs::read_to_string(&self.stderr).unwrap()
    }
}

/// Every file under `ui` whose name ends in `.extension`, in order.
pub(crate) fn files(extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ui"), extension, &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extension, files);
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
}

/// Every case under `ui`.
pub(crate) fn all() -> Vec<Case> {
    files("stderr")
        .into_iter()
        .map(|stderr| Case { source: stderr.with_extension("rs"), stderr })
        .collect()
}
