//! What the words of a report mean: a few of them for each, the same in text and on pages.
//!
//! Kinds, stages, classes, HTTP labels and rules are explained by the vocabulary.

/// Of a rollout: it is not among those that failed.
pub(crate) const DEGRADED: &str = "failed, but scored";
/// Of a rollout.
pub(crate) const RECOVERED: &str = "did not fail in the end, after a failed attempt";
/// Of a rollout.
pub(crate) const PASSED: &str = "a result, whatever its reward";
/// Of a rollout or a row.
pub(crate) const OMITTED: &str = "no attempt was made";
/// Of a rollout.
pub(crate) const MISSING: &str = "expected, but left no row";
/// Of a rollout.
pub(crate) const UNEXPECTED: &str = "with a row, but in no inventory";
/// Of a row.
pub(crate) const UNROUTED: &str = "one failed request ended the whole run";
/// Of a row.
pub(crate) const MASKED: &str = "left out of scores";
/// Of a row.
pub(crate) const TERMINAL: &str = "no retry may follow, says the producer";
/// Of a row.
pub(crate) const FINAL: &str = "the model's own scored zero, which no retry may replace";
/// Of a row.
pub(crate) const REJUDGEABLE: &str = "a saved answer can be judged again";
/// Of a failure on the evaluation's side.
pub(crate) const SERVER: &str =
    "a server or machine that the rollout needed was gone or broken; part of the evaluation side";
/// Of a row without a stage.
pub(crate) const NO_STAGE: &str = "the row does not say where in the episode it failed";

/// A word for rows or rollouts.
pub(crate) struct Mark {
    pub(crate) name: &'static str,
    /// What it describes.
    pub(crate) of: &'static str,
    pub(crate) meaning: &'static str,
}

/// The words that are the same in all forms of a report.
pub(crate) static MARKS: [Mark; 11] = [
    Mark { name: "degraded", of: "a rollout", meaning: DEGRADED },
    Mark { name: "recovered", of: "a rollout", meaning: RECOVERED },
    Mark { name: "passed", of: "a rollout", meaning: PASSED },
    Mark { name: "omitted", of: "a rollout or a row", meaning: OMITTED },
    Mark { name: "missing", of: "a rollout", meaning: MISSING },
    Mark { name: "unexpected", of: "a rollout", meaning: UNEXPECTED },
    Mark { name: "unrouted", of: "a row", meaning: UNROUTED },
    Mark { name: "masked", of: "a row", meaning: MASKED },
    Mark { name: "terminal", of: "a row", meaning: TERMINAL },
    Mark { name: "final", of: "a row", meaning: FINAL },
    Mark { name: "rejudgeable", of: "a row", meaning: REJUDGEABLE },
];
