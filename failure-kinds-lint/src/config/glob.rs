//! Globs of paths that are relative to the folder of a configuration file.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use globset::{GlobBuilder, GlobMatcher};

#[derive(Debug)]
pub(super) struct PathGlob {
    /// The folder that it is relative to: absolute and normal.
    root: PathBuf,
    matcher: GlobMatcher,
    text: String,
    span: Range<usize>,
    used: AtomicBool,
}

impl PathGlob {
    /// A pattern without a slash matches at any depth, and one for a folder everything in it.
    pub(super) fn new(root: &Path, text: &str, span: Range<usize>) -> Result<Self, globset::Error> {
        let mut root = root;
        let mut pattern = text.trim_end_matches('/');
        loop {
            if let Some(rest) = pattern.strip_prefix("./") {
                pattern = rest;
            } else if let (Some(rest), Some(parent)) = (pattern.strip_prefix("../"), root.parent())
            {
                pattern = rest;
                root = parent;
            } else {
                break;
            }
        }
        let pattern = match pattern.strip_prefix('/') {
            Some(anchored) => anchored.to_owned(),
            None if pattern.contains('/') => pattern.to_owned(),
            None => format!("**/{pattern}"),
        };
        let matcher = GlobBuilder::new(&pattern).literal_separator(true).build()?.compile_matcher();
        let used = AtomicBool::new(false);
        Ok(Self { root: root.to_owned(), matcher, text: text.to_owned(), span, used })
    }

    /// Whether it matches a path or a folder around it.
    pub(super) fn matches(&self, absolute: &Path) -> bool {
        let Ok(path) = absolute.strip_prefix(&self.root) else { return false };
        let matches = path
            .ancestors()
            .filter(|part| !part.as_os_str().is_empty())
            .any(|part| self.matcher.is_match(part));
        if matches {
            self.used.store(true, Ordering::Relaxed);
        }
        matches
    }

    /// The glob as it is written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether it matched anything so far.
    pub(super) fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }
}
