//! What the caller learns while a source is read.

use std::io;

/// Receives how much of a source was read, and can stop the reading.
pub trait Progress: Sync {
    /// Takes the number of bytes read since the last call. Called from several threads.
    ///
    /// # Errors
    ///
    /// An error stops the reading of the source, which then fails with it.
    fn advance(&self, bytes: u64) -> io::Result<()>;
}

/// Ignores the progress.
impl Progress for () {
    fn advance(&self, _: u64) -> io::Result<()> {
        Ok(())
    }
}
