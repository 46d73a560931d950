//! Files that producers write beside the files of a run, and that hold no rows of it.

use std::ffi::OsStr;

use super::name::decompressed;

/// A known companion file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Companion {
    /// What its name is; `*` at the start stands for any text.
    pattern: &'static str,
    /// What it holds.
    pub(super) what: &'static str,
    /// Whether there is one for each rollout, so that a folder of them is reported as one entry.
    pub(super) is_per_rollout: bool,
}

const fn one(pattern: &'static str, what: &'static str) -> Companion {
    Companion { pattern, what, is_per_rollout: false }
}

const fn per_rollout(pattern: &'static str, what: &'static str) -> Companion {
    Companion { pattern, what, is_per_rollout: true }
}

/// What the captures of a folder are reported as.
pub(super) const CAPTURES: &str = "captures of model calls";

const COMPANIONS: [Companion; 7] = [
    per_rollout("*.capture.jsonl", CAPTURES),
    per_rollout("*.capture.incomplete", CAPTURES),
    one("rollout_verdicts.jsonl", "verdicts on the health of rollouts"),
    one("*_verdicts.jsonl", "verdicts on rollouts"),
    one("quality_summary.json", "a summary of verdicts"),
    one("*_coverage.json", "a report on coverage"),
    one("*_manifest.json", "a manifest"),
];

impl Companion {
    /// The companion that a file's name stands for.
    pub(super) fn of(name: &OsStr) -> Option<&'static Self> {
        let name = decompressed(name).0.as_encoded_bytes();
        COMPANIONS.iter().find(|companion| match companion.pattern.strip_prefix('*') {
            Some(end) => name.ends_with(end.as_bytes()),
            None => name == companion.pattern.as_bytes(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions() {
        let what = |name: &str| Companion::of(name.as_ref()).map(|companion| companion.what);
        assert_eq!(what("0-0.capture.jsonl"), Some(CAPTURES));
        assert_eq!(what("0-0.capture.jsonl.zst"), Some(CAPTURES));
        assert_eq!(what("0-0-a1.capture.incomplete"), Some(CAPTURES));
        assert_eq!(what("rollout_verdicts.jsonl"), Some("verdicts on the health of rollouts"));
        assert_eq!(what("a_verdicts.jsonl"), Some("verdicts on rollouts"));
        assert_eq!(what("quality_summary.json"), Some("a summary of verdicts"));
        assert_eq!(what("kind_coverage.json"), Some("a report on coverage"));
        assert_eq!(what("run_manifest.json"), Some("a manifest"));
        for other in ["rollouts.jsonl", "verdicts.jsonl", "a_quality_summary.json", "manifest.json"]
        {
            assert_eq!(what(other), None, "{other}");
        }
    }
}
