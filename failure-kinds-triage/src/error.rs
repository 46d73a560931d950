//! Why nothing can be reported.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use failure_kinds_core::text::{Escaped, path_text};
use failure_kinds_rows::Format;

/// Why nothing can be reported: one sentence without a final period. Whatever it quotes is
/// escaped.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder cannot be read.
    Read {
        /// Its path, as in reports.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// What was read is not what triage reads: a sentence.
    Input(String),
}

impl Error {
    pub(crate) fn read(path: &Path, error: &io::Error) -> Self {
        let error =
            error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
        Self::Read { path: path_text(path).into_owned(), error }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, error } => write!(f, "cannot read `{}`: {error}", Escaped(path)),
            Self::Input(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for Error {}

/// What is said after the path of a file or folder that cannot be read.
pub(crate) fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// Why a file gives no rows: what is said about it after its path.
pub(crate) enum Unread {
    Io(io::Error),
    /// It is not JSON Lines, or has no row.
    Content(String),
}

impl Unread {
    pub(crate) fn of_format(format: Format) -> Self {
        Self::Content(format!("is not JSON Lines but {format}"))
    }

    /// The error of a file that the caller named.
    pub(crate) fn of_named(self, path: &str) -> Error {
        match self {
            Self::Io(error) => Error::Read { path: path.to_owned(), error },
            Self::Content(what) => Error::Input(format!("`{}` {what}", Escaped(path))),
        }
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Display for Unread {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => f.write_str(&unreadable(error)),
            Self::Content(what) => f.write_str(what),
        }
    }
}
