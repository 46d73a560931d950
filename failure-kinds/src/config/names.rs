//! The names of a configuration: each becomes its value, or a problem with what was meant.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use failure_kinds_core::{Quoted, suggest_among};

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
        let mut names = words(FailureClass::ALL, FailureClass::as_str);
        let all = format!("the classes are {}", list(&names));
        if text == NONE {
            Problem::new("this class cannot be cleared").help(all)
        } else if clears {
            names.push(NONE);
            closed(text, "a class", &names, || format!("{all}; `{NONE}` clears the entry"))
        } else {
            closed(text, "a class", &names, || all)
        }
    })
}

pub(super) fn stage(text: &str) -> Result<FailureStage, Problem> {
    text.parse().map_err(|_| {
        let names = words(FailureStage::ALL, FailureStage::as_str);
        closed(text, "a stage", &names, || format!("the stages are {}", list(&names)))
    })
}

pub(super) fn label(text: &str) -> Result<HttpEvidence, Problem> {
    HttpEvidence::ALL.iter().copied().find(|label| label.as_str() == text).ok_or_else(|| {
        let names = words(HttpEvidence::ALL, HttpEvidence::as_str);
        closed(text, "an HTTP label", &names, || format!("the labels are {}", list(&names)))
    })
}

pub(super) fn status(text: &str) -> Result<HttpStatusKey, Problem> {
    HttpStatusKey::parse(text).ok_or_else(|| {
        closed(text, "an HTTP status", &["1xx", "2xx", "3xx", "4xx", "5xx"], || {
            "write three digits from 100 to 599, or a pattern from `1xx` to `5xx`".to_string()
        })
    })
}

pub(super) fn kind(text: &str) -> Result<FailureKind, Problem> {
    FailureKind::try_from(text).map_err(|error| Problem {
        message: error.problem().to_string(),
        help: error.help().map(|help| help.to_string()),
        suggestion: error.suggestion().map(Into::into),
    })
}

/// A key that is none of `known`.
pub(super) fn unknown_key(text: &str, known: &[&'static str]) -> Problem {
    closed(text, "a key here", known, || format!("the keys here are {}", list(known)))
}

/// A text that is none of a closed list of names.
fn closed(text: &str, noun: &str, names: &[&'static str], all: impl FnOnce() -> String) -> Problem {
    let problem = Problem::new(match text {
        "" => format!("an empty text is not {noun}"),
        _ => format!("`{}` is not {noun}", Quoted(text)),
    });
    match suggest_among(text, &names.iter().copied()) {
        Some(name) => Problem {
            suggestion: Some(name.into()),
            ..problem.help(format!("a similar one is `{name}`"))
        },
        None => problem.help(all()),
    }
}

fn words<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|&value| word(value)).collect()
}

/// `` `a`, `b`, `c` ``
fn list(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
