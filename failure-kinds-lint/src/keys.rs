//! The keys whose values are kinds, and the names of constants that stand for them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use globset::{Glob, GlobMatcher};
use memchr::memmem;

/// The keys that are looked at unless the configuration names others.
pub(crate) const DEFAULT_KEYS: [&str; 6] = [
    "failure_kind",
    "_ng_failure_kind",
    "_ng_failure_class",
    "failure_class",
    "_ng_failure_record.failure.failure_kind",
    "_ng_failure_events.*.failure_kind",
];

/// The constants that are looked at unless the configuration names others.
const DEFAULT_CONSTANTS: [&str; 4] =
    ["*FAILURE_KIND", "*FAILURE_CLASS", "*FAILURE_KIND_KEY", "*FAILURE_CLASS_KEY"];

/// [`DEFAULT_CONSTANTS`] as globs.
pub(crate) fn default_constants() -> Vec<Glob> {
    DEFAULT_CONSTANTS.iter().map(|text| Glob::new(text).expect("a valid glob")).collect()
}

/// The part of a path that any name matches.
pub(crate) const ANY: &str = "*";

/// What makes a value a kind.
#[derive(Debug)]
pub(crate) struct Keys {
    /// Keys that are one name.
    names: Vec<String>,
    /// Keys that are a path, for data only.
    paths: Vec<Vec<String>>,
    constants: Vec<Constant>,
    /// What the names of keys and of constants have in them.
    words: Vec<memmem::Finder<'static>>,
}

#[derive(Debug)]
struct Constant {
    glob: GlobMatcher,
    exact: bool,
    used: AtomicBool,
}

impl Keys {
    pub(crate) fn new(keys: &[&str], constants: &[Glob]) -> Self {
        let constant = |glob: &Glob| Constant {
            exact: !glob.glob().contains(['*', '?', '[', '{']),
            glob: glob.compile_matcher(),
            used: AtomicBool::new(false),
        };
        let (names, paths): (Vec<&str>, Vec<&str>) =
            keys.iter().copied().partition(|key| !key.contains('.'));
        let words =
            names.iter().copied().chain(constants.iter().map(|glob| part_of_all(glob.glob())));
        let finder = |word| memmem::Finder::new(word).into_owned();
        Self {
            words: shortest(words).into_iter().map(finder).collect(),
            names: names.into_iter().map(str::to_owned).collect(),
            paths: paths
                .into_iter()
                .map(|path| path.split('.').map(str::to_owned).collect())
                .collect(),
            constants: constants.iter().map(constant).collect(),
        }
    }

    /// Whether a text that names a field, a variable or an entry is a key.
    pub(crate) fn is_key(&self, name: &str) -> bool {
        self.names.iter().any(|key| key == name)
    }

    /// Whether a source may name a key, or a constant that stands for one or holds a kind.
    pub(crate) fn may_occur_in(&self, source: &str) -> bool {
        self.words.iter().any(|word| word.find(source.as_bytes()).is_some())
    }

    /// Whether the innermost entry of a path is one of a key. If `whole`, the key must be the
    /// whole path.
    pub(crate) fn is_key_path<'p>(
        &self,
        path: &(impl DoubleEndedIterator<Item = &'p str> + Clone),
        whole: bool,
    ) -> bool {
        let Some(last) = path.clone().next_back() else { return false };
        let depth = path.clone().count();
        (self.is_key(last) && (depth == 1 || !whole))
            || self.paths.iter().any(|key| {
                (if whole { key.len() == depth } else { key.len() <= depth })
                    && key
                        .iter()
                        .rev()
                        .zip(path.clone().rev())
                        .all(|(key, name)| matches(key, name))
            })
    }

    /// What may come next on the path of a key that starts with these parts.
    pub(crate) fn next_parts<'k>(&'k self, path: &[&str]) -> Vec<&'k str> {
        let starts = |key: &&Vec<String>| {
            key.len() > path.len() && key.iter().zip(path).all(|(key, name)| key == name)
        };
        let mut parts: Vec<&str> =
            self.paths.iter().filter(starts).map(|key| key[path.len()].as_str()).collect();
        if path.is_empty() {
            parts.extend(self.names.iter().map(String::as_str));
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// The names that a value of a key may stand next to.
    pub(crate) fn last_names(&self) -> impl Iterator<Item = &str> {
        let last = self.paths.iter().filter_map(|path| path.last());
        self.names.iter().chain(last).map(String::as_str).map(|name| match name {
            ANY => "",
            name => name,
        })
    }

    /// Whether a constant of this name stands for a key, where keys are.
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

/// The longest text that everything has which a glob matches.
fn part_of_all(glob: &str) -> &str {
    if glob.contains(['[', '{', '\\']) {
        return "";
    }
    glob.split(['*', '?']).max_by_key(|part| part.len()).unwrap_or_default()
}

/// The words without those that have another one in them.
fn shortest<'w>(words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let words: BTreeSet<&str> = words.collect();
    let has_other = |word: &str| words.iter().any(|&other| other != word && word.contains(other));
    words.iter().copied().filter(|word| !has_other(word)).collect()
}

fn matches(part: &str, name: &str) -> bool {
    part == ANY || part == name
}

/// Whether a name is written as constants are, in upper case.
pub(crate) fn is_constant(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
        && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether what is under a key is a kind or the side of a failure, which has the names of classes.
/// `failure_class` is used for both, `_ng_failure_class` for kinds only.
pub(crate) fn may_hold_class(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let key = key.strip_suffix("_key").unwrap_or(&key);
    key.ends_with("failure_class") && !key.ends_with("ng_failure_class")
}

/// Whether a name is that of a table which gives columns a type, a title or another name, so that
/// a value in it is not the value of a column.
pub(crate) fn is_column_table(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['_', '-']).next().unwrap_or_default();
    matches!(
        last,
        "agg"
            | "aggfunc"
            | "aggregations"
            | "aggs"
            | "columns"
            | "converters"
            | "descriptions"
            | "dtype"
            | "dtypes"
            | "formatters"
            | "headers"
            | "overrides"
            | "rename"
            | "renames"
            | "schema"
            | "titles"
            | "types"
            | "units"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        Keys::new(&DEFAULT_KEYS, &default_constants())
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
    fn sources_without_a_word_of_a_key_or_constant_are_known() {
        for source in
            ["failure_kind", "x._ng_failure_class", "MY_FAILURE_KIND_KEY", "failure_class"]
        {
            assert!(keys().may_occur_in(source), "{source}");
        }
        assert!(!keys().may_occur_in("fn failure() { kind(Failure::Kind, FAILURE) }"));
        let of_constant = |glob: &str| Keys::new(&["kind"], &[Glob::new(glob).unwrap()]);
        assert!(of_constant("LABEL_*_KEY?").may_occur_in("const LABEL_A_KEYS: &str"));
        assert!(!of_constant("LABEL_*_KEY?").may_occur_in("const A_KEYS: &str"));
        for glob in ["*", "[A-Z]_LABEL", "{A,B}_LABEL"] {
            assert!(of_constant(glob).may_occur_in("a text"), "{glob}");
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
        assert!(is(&["_ng_failure_events", "e1", "failure_kind"], true));
        assert!(!is(&[], true));
    }

    #[test]
    fn paths_lead_to_keys() {
        assert_eq!(
            keys().next_parts(&[]),
            [
                "_ng_failure_class",
                "_ng_failure_events",
                "_ng_failure_kind",
                "_ng_failure_record",
                "failure_class",
                "failure_kind"
            ]
        );
        assert_eq!(keys().next_parts(&["_ng_failure_events"]), ["*"]);
        assert_eq!(keys().next_parts(&["_ng_failure_events", "*"]), ["failure_kind"]);
        assert_eq!(keys().next_parts(&["failure_kind"]), [""; 0]);
    }

    #[test]
    fn constants_stand_for_keys_or_hold_kinds() {
        let keys = keys();
        assert!(keys.names_key("NG_FAILURE_CLASS_KEY") && !keys.holds_kind("NG_FAILURE_CLASS_KEY"));
        assert!(keys.holds_kind("JUDGE_FAILED_FAILURE_CLASS"));
        assert!(!keys.names_key("JUDGE_FAILED_FAILURE_CLASS"));
        assert!(!keys.holds_kind("MODEL_FAILURE_KINDS"));
    }

    #[test]
    fn some_keys_may_hold_a_class() {
        for key in
            ["failure_class", "FAILURE_CLASS_KEY", "DEFAULT_FAILURE_CLASS", "a.failure_class"]
        {
            assert!(may_hold_class(key), "{key}");
        }
        for key in ["failure_kind", "_ng_failure_class", "NG_FAILURE_CLASS_KEY", "FAILURE_KIND"] {
            assert!(!may_hold_class(key), "{key}");
        }
    }
}
