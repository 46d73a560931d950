//! Errors of usage, input or output.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use crate::terminal;
use failure_kinds_core::text::EscapedPath;

/// Why a command failed: a line for standard error for each reason, without a final period.
/// Everything it quotes is escaped.
#[derive(Debug)]
pub(crate) struct Fault(String);

impl Fault {
    /// The exit code of every fault.
    pub(crate) const EXIT_CODE: u8 = 2;

    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// `cannot read `a/b.jsonl`: No such file or directory (os error 2)`
    pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        Self(format!("cannot {what} `{}`: {error}", EscapedPath(path)))
    }

    /// Fails if there are faults: prints all but the last one, and returns that.
    pub(crate) fn fail_on_any(mut faults: Vec<Self>) -> Result<(), Self> {
        let Some(last) = faults.pop() else { return Ok(()) };
        for fault in &faults {
            terminal::error(fault);
        }
        Err(last)
    }
}

#[cfg(feature = "triage")]
impl From<failure_kinds_triage::Error> for Fault {
    fn from(error: failure_kinds_triage::Error) -> Self {
        Self::new(error.to_string())
    }
}

#[cfg(feature = "lint")]
impl From<failure_kinds_lint::Error> for Fault {
    fn from(error: failure_kinds_lint::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
