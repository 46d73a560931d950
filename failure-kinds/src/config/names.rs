//! The names of a configuration: each becomes its value, or a problem with what was meant.

use std::format;
use std::string::ToString;
use std::vec::Vec;

use failure_kinds_core::{Unlisted, listed};

use super::decoder::{Declared, Problem};
use super::error::ConfigCode;
use crate::{FailureClass, FailureKind, FailureStage, HttpEvidence, HttpStatusKey};

/// The word that clears an entry.
pub(super) const NONE: &str = "none";

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
            return Problem::new(ConfigCode::UnknownClass, "this class cannot be cleared")
                .help(format!("the classes are {classes}"));
        }
        let also = clears.then_some((NONE, "clears the entry"));
        let class = Unlisted { text, one: "a class", many: "classes", names: &names, also };
        closed(ConfigCode::UnknownClass, class)
    })
}

pub(super) fn stage(text: &str) -> Result<FailureStage, Problem> {
    text.parse().map_err(|_| {
        let names = words(FailureStage::ALL, FailureStage::as_str);
        let stage = Unlisted { text, one: "a stage", many: "stages", names: &names, also: None };
        closed(ConfigCode::UnknownStage, stage)
    })
}

/// One of the stages of a configuration that does not have all.
#[cfg(feature = "derive")]
pub(super) fn declared_stage(
    text: &str,
    declared: &[FailureStage],
) -> Result<FailureStage, Problem> {
    declared.iter().copied().find(|stage| stage.as_str() == text).ok_or_else(|| {
        let names = words(declared, FailureStage::as_str);
        let (one, many) = ("a stage of this configuration", "stages here");
        let stage = Unlisted { text, one, many, names: &names, also: None };
        closed(ConfigCode::UnknownStage, stage)
    })
}

pub(super) fn label(text: &str) -> Result<HttpEvidence, Problem> {
    HttpEvidence::ALL.iter().copied().find(|label| label.as_str() == text).ok_or_else(|| {
        let names = words(HttpEvidence::ALL, HttpEvidence::as_str);
        let (one, many) = ("an HTTP label", "labels");
        let label = Unlisted { text, one, many, names: &names, also: None };
        closed(ConfigCode::UnknownHttpLabel, label)
    })
}

pub(super) fn status(text: &str) -> Result<HttpStatusKey, Problem> {
    HttpStatusKey::parse(text).ok_or_else(|| {
        let names = &["1xx", "2xx", "3xx", "4xx", "5xx"];
        let status = Unlisted { text, one: "an HTTP status", many: "patterns", names, also: None };
        let problem = closed(ConfigCode::InvalidHttpStatus, status);
        match problem.suggestion {
            Some(_) => problem,
            None => {
                problem.help("write three digits from 100 to 599, or a pattern from `1xx` to `5xx`")
            }
        }
    })
}

pub(super) fn kind(text: &str, declared: Option<Declared>) -> Result<FailureKind, Problem> {
    let kind = FailureKind::try_from(text).map_err(|error| Problem {
        code: ConfigCode::UnknownKind,
        message: error.problem().to_string(),
        help: error.help().map(|help| help.to_string()),
        suggestion: error.suggestion().map(Into::into),
    })?;
    match declared {
        Some(Declared { server, kinds }) if kind.server() == Some(server) => {
            if kinds.contains(&kind) {
                return Ok(kind);
            }
            let names: Vec<_> = kinds.iter().map(FailureKind::as_str).collect();
            let one = &format!("a declared kind of `{server}`");
            let unlisted =
                Unlisted { text, one, many: "declared kinds", names: &names, also: None };
            let problem = closed(ConfigCode::UndeclaredKind, unlisted);
            Err(if names.is_empty() {
                problem.help("declare it in `kinds` of the environment")
            } else {
                problem
            })
        }
        _ => Ok(kind),
    }
}

/// A merge key of YAML.
pub(super) fn merge_key() -> Problem {
    Problem::new(ConfigCode::MergeKey, "merge keys (`<<`) are not supported")
        .help("write the entries out, or give the whole map by an alias: `verification: *shared`")
}

/// A key that is not one of `names`.
pub(super) fn unknown_key(text: &str, names: &[&'static str]) -> Problem {
    let key = Unlisted { text, one: "a key here", many: "keys here", names, also: None };
    closed(ConfigCode::UnknownKey, key)
}

fn closed(code: ConfigCode, unlisted: Unlisted<'_>) -> Problem {
    Problem {
        code,
        message: unlisted.problem().to_string(),
        help: Some(unlisted.help().to_string()),
        suggestion: unlisted.suggestion().map(Into::into),
    }
}

fn words<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|&value| word(value)).collect()
}
