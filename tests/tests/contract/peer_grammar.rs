//! The answers of the reference package for each input, compared with ours.

use failure_kinds::{FAILURE_KINDS, FailureKindWatch, is_namespaced, is_registered};
use serde::Deserialize;

use crate::capture::events;

const ANSWERS: &str = include_str!("../../data/peer_grammar.json");

/// The inputs that no `&str` can hold, so there is nothing to ask: lone surrogates by their code
/// points, and values that are not strings.
const NO_STRINGS: [&str; 19] = [
    "[55296]",
    "[57343]",
    "[97, 58, 55296]",
    "[56448, 58, 98]",
    "[55357, 56613]",
    "[97, 58, 98, 56330]",
    "None",
    "True",
    "False",
    "0",
    "1",
    "503",
    "1.5",
    "nan",
    "b'judge_failed'",
    "('judge_failed',)",
    "['judge_failed']",
    "{'judge_failed': 1}",
    "frozenset({'judge_failed'})",
];

#[derive(Deserialize)]
struct Answers {
    registered: Vec<String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    note: String,
    input: Option<String>,
    build: Option<Build>,
    codepoints: Option<Vec<u32>>,
    python: Option<String>,
    is_registered: serde_json::Value,
    is_namespaced: serde_json::Value,
    unchanged: Option<bool>,
    log_records_first: usize,
    log_records_second: usize,
}

#[derive(Deserialize)]
struct Build {
    prefix: String,
    unit: String,
    count: usize,
    suffix: String,
}

impl Case {
    /// The input, or its text in [`NO_STRINGS`].
    fn text(&self) -> Result<String, String> {
        match self {
            Self { input: Some(input), .. } => Ok(input.clone()),
            Self { build: Some(build), .. } => {
                Ok(format!("{}{}{}", build.prefix, build.unit.repeat(build.count), build.suffix))
            }
            Self { codepoints: Some(points), .. } => Err(format!("{points:?}")),
            Self { python: Some(python), .. } => Err(python.clone()),
            Self { note, .. } => panic!("a case without an input: {note}"),
        }
    }
}

#[test]
fn every_string_is_answered_as_by_the_reference() {
    let answers: Answers = serde_json::from_str(ANSWERS).unwrap();
    for name in &answers.registered {
        assert!(is_registered(name), "{name}");
    }

    let watch = FailureKindWatch::new();
    let mut asked = 0;
    let mut no_strings = Vec::new();
    for case in &answers.cases {
        let text = match case.text() {
            Ok(text) => text,
            Err(no_string) => {
                no_strings.push(no_string);
                continue;
            }
        };
        asked += 1;
        let shown: String = text.chars().take(60).collect();
        // Registered since the reference answered.
        let newer =
            FAILURE_KINDS.iter().any(|kind| *kind == *text) && !answers.registered.contains(&text);

        assert_eq!(is_registered(&text), case.is_registered == true || newer, "{shown:?}");
        assert_eq!(is_namespaced(&text), case.is_namespaced, "{shown:?}");
        assert_eq!(case.unchanged, Some(true), "{shown:?}");

        let warnings = || {
            let mut returned = "";
            let warnings = events(|| returned = watch.validate(&text)).len();
            assert!(std::ptr::eq(returned, text.as_str()), "{shown:?} comes back as it is");
            warnings
        };
        let first = if newer { 0 } else { case.log_records_first };
        assert_eq!(warnings(), first, "{shown:?}");
        assert_eq!(warnings(), case.log_records_second, "{shown:?}");
    }
    assert_eq!(asked, 257);
    assert_eq!(no_strings, NO_STRINGS);
}

#[test]
fn none_passes_without_a_warning_as_in_the_reference() {
    let events = events(|| assert_eq!(FailureKindWatch::new().validate_opt(None), None));
    assert_eq!(events, []);
}
