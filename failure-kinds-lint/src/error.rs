//! Why lint could not do its work.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use failure_kinds_core::text::EscapedPath;

/// Why a file, or the whole project, could not be checked: a line for each reason, without a final
/// period. Whatever it quotes is escaped.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// For each reason.
    pub(crate) fn of_each(sentences: impl Iterator<Item = String>) -> Self {
        Self(sentences.collect::<Vec<_>>().join("\n"))
    }

    /// `cannot read `a/b.py`: No such file or directory (os error 2)`
    pub(crate) fn read(path: &Path, error: &io::Error) -> Self {
        Self(format!("cannot read `{}`: {error}", EscapedPath(path)))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
