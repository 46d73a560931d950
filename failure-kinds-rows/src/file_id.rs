//! Which file a path leads to.

use std::io;
use std::path::Path;

/// The identity of a file: two paths lead to the same file if and only if it is equal.
///
/// It is taken from the file system, never from the text of the path, so it is known for pipes too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(Id);

/// Device and inode.
#[cfg(unix)]
type Id = (u64, u64);
/// The real path.
#[cfg(not(unix))]
type Id = std::path::PathBuf;

impl FileId {
    /// The identity of the file that a path leads to.
    ///
    /// # Errors
    ///
    /// When it does not lead to one that can be looked at.
    pub fn of(path: &Path) -> io::Result<Self> {
        #[cfg(unix)]
        let id = {
            use std::os::unix::fs::MetadataExt;
            let metadata = std::fs::metadata(path)?;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let id = std::fs::canonicalize(path)?;
        Ok(Self(id))
    }
}
