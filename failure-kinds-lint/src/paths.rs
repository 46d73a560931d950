//! Paths that can be compared.

use std::path::{Component, Path, PathBuf};

use super::error::Error;

/// A path from the root, without `.` and `..`, whatever links there are.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let path = std::path::absolute(path).map_err(|error| Error::read(path, &error))?;
    Ok(normal(&path))
}

/// A path without `.` and `..`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            component => normal.push(component),
        }
    }
    normal
}

/// The nearest folder above a path that is the root of a repository.
pub(crate) fn repository(absolute: &Path) -> Option<&Path> {
    absolute.ancestors().skip(1).find(|folder| folder.join(".git").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved() {
        for (path, expected) in [("/a/../b/./c", "/b/c"), ("/..", "/"), ("/a/b/..", "/a")] {
            assert_eq!(normal(Path::new(path)), Path::new(expected));
        }
    }
}
