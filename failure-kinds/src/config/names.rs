//! The names of a configuration: each becomes its value, or a problem with what was meant.

use std::format;
use std::string::ToString;
use std::vec::Vec;

use failure_kinds_core::{Unlisted, listed};

use super::faults::Problem;
use crate::{FailureClass, FailureKind, FailureStage, HttpEvidence, HttpStatusKey};

/// The word that clears an entry.
pub(super) const NONE: &str = "none";

/// The keys of a whole configuration, in their order.
pub(super) const KEYS: [&str; 5] =
    ["class_by_http_status", "stages", "http_evidence", "kinds", "unknown"];

/// The keys of one stage.
pub(super) const STAGE_KEYS: [&str; 2] = ["default", "kinds"];

/// A class, or `None` for the word that clears an entry.
pub(super) fn setting(text: &str) -> Result<Option<FailureClass>, Problem> {
    if text == NONE { Ok(None) } else { class_among(text, true).map(Some) }
}

/// A class, at a place that cannot be cleared.
pub(super) fn class(text: &str) -> Result<FailureClass, Problem> {
    class_among(text, false)
}

fn class_among(text: &str, clears: bool) -> Result<FailureClass, Problem> {
    text.parse().map_err(|_| {
        let names = words(FailureClass::ALL, FailureClass::as_str);
        if text == NONE {
            let classes = listed(names.iter().copied());
            return Problem::new("this class cannot be cleared")
                .help(format!("the classes are {classes}"));
        }
        let also = clears.then_some((NONE, "clears the entry"));
        closed(Unlisted { text, one: "a class", many: "classes", names: &names, also })
    })
}

pub(super) fn stage(text: &str) -> Result<FailureStage, Problem> {
    text.parse().map_err(|_| {
        let names = words(FailureStage::ALL, FailureStage::as_str);
        closed(Unlisted { text, one: "a stage", many: "stages", names: &names, also: None })
    })
}

/// One of the stages of a configuration that has not all.
#[cfg(feature = "derive")]
pub(super) fn declared_stage(
    text: &str,
    declared: &[FailureStage],
) -> Result<FailureStage, Problem> {
    declared.iter().copied().find(|stage| stage.as_str() == text).ok_or_else(|| {
        let names = words(declared, FailureStage::as_str);
        let (one, many) = ("a stage of this configuration", "stages here");
        closed(Unlisted { text, one, many, names: &names, also: None })
    })
}

pub(super) fn label(text: &str) -> Result<HttpEvidence, Problem> {
    HttpEvidence::ALL.iter().copied().find(|label| label.as_str() == text).ok_or_else(|| {
        let names = words(HttpEvidence::ALL, HttpEvidence::as_str);
        closed(Unlisted { text, one: "an HTTP label", many: "labels", names: &names, also: None })
    })
}

pub(super) fn status(text: &str) -> Result<HttpStatusKey, Problem> {
    HttpStatusKey::parse(text).ok_or_else(|| {
        let names = &["1xx", "2xx", "3xx", "4xx", "5xx"];
        let problem =
            closed(Unlisted { text, one: "an HTTP status", many: "patterns", names, also: None });
        match problem.suggestion {
            Some(_) => problem,
            None => {
                problem.help("write three digits from 100 to 599, or a pattern from `1xx` to `5xx`")
            }
        }
    })
}

pub(super) fn kind(text: &str) -> Result<FailureKind, Problem> {
    FailureKind::try_from(text).map_err(|error| Problem {
        message: error.problem().to_string(),
        help: error.help().map(|help| help.to_string()),
        suggestion: error.suggestion().map(Into::into),
    })
}

/// A key that is none of `names`.
pub(super) fn unknown_key(text: &str, names: &[&'static str]) -> Problem {
    closed(Unlisted { text, one: "a key here", many: "keys here", names, also: None })
}

fn closed(unlisted: Unlisted<'_>) -> Problem {
    Problem {
        message: unlisted.problem().to_string(),
        help: Some(unlisted.help().to_string()),
        suggestion: unlisted.suggestion().map(Into::into),
    }
}

fn words<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|&value| word(value)).collect()
}
