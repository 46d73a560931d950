//! The keys whose values are kinds, and the names of constants that stand for them.

use std::sync::atomic::{AtomicBool, Ordering};

use globset::{Glob, GlobMatcher};

/// The keys that are looked at where the configuration names none.
pub(crate) const DEFAULT_KEYS: [&str; 5] = [
    "failure_kind",
    "_ng_failure_kind",
    "_ng_failure_class",
    "failure_class",
    "_ng_failure_record.failure.failure_kind",
];

/// The constants that are looked at where the configuration names none.
pub(crate) const DEFAULT_CONSTANTS: [&str; 4] =
    ["*FAILURE_KIND", "*FAILURE_CLASS", "*FAILURE_KIND_KEY", "*FAILURE_CLASS_KEY"];

/// What makes a value a kind.
#[derive(Debug)]
pub(crate) struct Keys {
    /// Keys of one segment.
    names: Vec<String>,
    /// Keys that name a path, for data only.
    paths: Vec<Vec<String>>,
    constants: Vec<Constant>,
}

#[derive(Debug)]
struct Constant {
    glob: GlobMatcher,
    exact: bool,
    used: AtomicBool,
}

impl Keys {
    /// # Errors
    ///
    /// The index of a constant that is no glob, and why.
    pub(crate) fn new(keys: &[&str], constants: &[&str]) -> Result<Self, (usize, globset::Error)> {
        let constant = |(index, text): (usize, &&str)| {
            let glob = Glob::new(text).map_err(|error| (index, error))?;
            Ok(Constant {
                exact: !text.contains(['*', '?', '[', '{']),
                glob: glob.compile_matcher(),
                used: AtomicBool::new(false),
            })
        };
        let (names, paths): (Vec<&str>, Vec<&str>) =
            keys.iter().copied().partition(|key| !key.contains('.'));
        Ok(Self {
            names: names.into_iter().map(str::to_owned).collect(),
            paths: paths
                .into_iter()
                .map(|path| path.split('.').map(str::to_owned).collect())
                .collect(),
            constants: constants.iter().enumerate().map(constant).collect::<Result<_, _>>()?,
        })
    }

    /// Whether a text that names a field, a variable or an entry is a key.
    pub(crate) fn is_key(&self, name: &str) -> bool {
        self.names.iter().any(|key| key == name)
    }

    /// Whether the innermost entry of a path is one of a key; where `whole`, the path of a key
    /// must be the whole path.
    pub(crate) fn is_key_path<'p>(
        &self,
        path: &(impl DoubleEndedIterator<Item = &'p str> + Clone),
        whole: bool,
    ) -> bool {
        let mut reversed = path.clone().rev();
        let Some(last) = reversed.next() else { return false };
        let depth = path.clone().count();
        (self.is_key(last) && (depth == 1 || !whole))
            || self.paths.iter().any(|key| {
                (if whole { key.len() == depth } else { key.len() <= depth })
                    && key.iter().rev().eq(path.clone().rev().take(key.len()))
            })
    }

    /// Whether a path is the start of a key's path, or all of it.
    pub(crate) fn leads_to_key(&self, path: &[&str]) -> bool {
        let starts = |key: &&Vec<String>| {
            key.len() >= path.len() && key.iter().zip(path).all(|(key, name)| key == name)
        };
        self.paths.iter().any(|key| starts(&key))
    }

    /// Whether a constant of this name stands for a key, where keys stand.
    pub(crate) fn names_key(&self, constant: &str) -> bool {
        self.constants
            .iter()
            .any(|entry| (entry.exact || constant.ends_with("KEY")) && entry.matches(constant))
    }

    /// Whether a constant of this name holds a kind.
    pub(crate) fn holds_kind(&self, constant: &str) -> bool {
        !constant.ends_with("KEY") && self.constants.iter().any(|entry| entry.matches(constant))
    }

    /// The constants that matched nothing so far: their indices and globs.
    pub(crate) fn unused_constants(&self) -> impl Iterator<Item = (usize, &str)> {
        self.constants
            .iter()
            .enumerate()
            .filter(|(_, entry)| !entry.used.load(Ordering::Relaxed))
            .map(|(index, entry)| (index, entry.glob.glob().glob()))
    }

    /// The first segments of all keys: what rows hold at their top level.
    pub(crate) fn row_keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = self.names.iter().map(String::as_str).collect();
        for path in &self.paths {
            if !keys.contains(&path[0].as_str()) {
                keys.push(&path[0]);
            }
        }
        keys
    }
}

impl Constant {
    fn matches(&self, name: &str) -> bool {
        let matches = self.glob.is_match(name);
        if matches {
            self.used.store(true, Ordering::Relaxed);
        }
        matches
    }
}

/// Whether a name is written as constants are, in upper case.
pub(crate) fn is_constant(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
        && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        Keys::new(&DEFAULT_KEYS, &DEFAULT_CONSTANTS).unwrap()
    }

    #[test]
    fn keys_are_whole_names() {
        for key in ["failure_kind", "_ng_failure_kind", "_ng_failure_class", "failure_class"] {
            assert!(keys().is_key(key), "{key}");
        }
        for other in
            ["last_failure_kind", "failure_kinds", "failure_classes", "kind", "Failure_kind"]
        {
            assert!(!keys().is_key(other), "{other}");
        }
    }

    #[test]
    fn paths_are_anchored_in_rows_only() {
        let keys = keys();
        let is = |path: &[&str], whole| keys.is_key_path(&path.iter().copied(), whole);
        assert!(is(&["failure_kind"], true));
        assert!(!is(&["verification", "failure_kind"], true));
        assert!(is(&["verification", "failure_kind"], false));
        assert!(is(&["_ng_failure_record", "failure", "failure_kind"], true));
        assert!(!is(&[], true));
    }

    #[test]
    fn constants_stand_for_keys_or_hold_kinds() {
        let keys = keys();
        assert!(keys.names_key("NG_FAILURE_CLASS_KEY") && !keys.holds_kind("NG_FAILURE_CLASS_KEY"));
        assert!(keys.holds_kind("JUDGE_FAILED_FAILURE_CLASS"));
        assert!(!keys.names_key("JUDGE_FAILED_FAILURE_CLASS"));
        assert!(!keys.holds_kind("MODEL_FAILURE_KINDS"));
    }
}
