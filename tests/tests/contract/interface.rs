//! The traits of the public types, and how to distinguish errors.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use failure_kinds::{
    Classification, ConfigCode, ConfigFormat, Evidence, FAILURE_KINDS, FailureClass,
    FailureClassificationConfig, FailureClassificationOverrides, FailureKind, FailureStage,
    GATE_DERIVED_KINDS, GateDerivedKind, HttpEvidence, HttpStatusKey, KindErrorReason, LegacyLabel,
    ObservedKind, Rule, ShippedConfig, UnregisteredKind, is_gate_derived, is_rejudged, kinds,
    validate_event_kind,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_value, json, to_value};

/// A value that is a text: printed, parsed, compared, hashed and serialized as that text.
fn is_text<T>(value: &T, text: &str)
where
    T: Clone + Debug + Display + Eq + Hash + FromStr<Err: Debug> + Serialize + DeserializeOwned,
{
    assert_eq!(value.to_string(), text);
    assert_eq!(text.parse::<T>().unwrap(), *value);
    assert_eq!(to_value(value).unwrap(), json!(text));
    assert_eq!(from_value::<T>(json!(text)).unwrap(), *value);
    assert!(HashSet::from([value.clone()]).contains(value));
}

fn as_ref(value: &impl AsRef<str>) -> &str {
    value.as_ref()
}

#[test]
fn values_are_texts() {
    for kind in FAILURE_KINDS {
        is_text(kind, kind.as_str());
    }
    for class in FailureClass::ALL {
        is_text(class, as_ref(class));
    }
    for stage in FailureStage::ALL {
        is_text(stage, as_ref(stage));
    }
    for label in HttpEvidence::ALL {
        is_text(label, as_ref(label));
    }
    for shipped in ShippedConfig::ALL {
        is_text(shipped, as_ref(shipped));
    }
    for name in GATE_DERIVED_KINDS {
        is_text(&name.parse::<GateDerivedKind>().unwrap(), name);
    }
    is_text(&HttpStatusKey::exact(429).unwrap(), "429");
    is_text(&HttpStatusKey::pattern(429).unwrap(), "4xx");
    is_text(&"timeout_exceeded".parse::<LegacyLabel>().unwrap(), "timeout_exceeded");
    is_text(&"oops".parse::<UnregisteredKind>().unwrap(), "oops");
    is_text(&ObservedKind::new("oops"), "oops");
}

#[test]
fn classes_stages_labels_and_rules_have_a_summary() {
    assert_eq!(FailureClass::Model.summary(), "The model or its policy.");
    assert_eq!(FailureStage::Agent.summary(), "The episode itself: the agent acts.");
    assert_eq!(HttpEvidence::RateLimited.summary(), "There were too many requests.");
    assert_eq!(Rule::Fallback.summary(), "No other rule gives a class.");
    let rule = Rule::GateDerivedKind("answer_empty");
    assert_eq!(rule.summary(), Rule::Kind(kinds::CANCELLED).summary());
}

#[test]
fn every_rule_is_read_back_from_its_text() {
    let agent = FailureStage::Agent;
    for (rule, text) in [
        (Rule::HttpStatusOverride(HttpStatusKey::exact(429).unwrap()), "http status 429"),
        (Rule::HttpStatusOverride(HttpStatusKey::pattern(503).unwrap()), "http status 5xx"),
        (Rule::StageKind { stage: agent, kind: kinds::CANCELLED }, "stage agent: cancelled"),
        (
            Rule::StageKind { stage: agent, kind: FailureKind::from_static("a:b") },
            "stage agent: a:b",
        ),
        (Rule::StageDefault { stage: agent }, "stage agent: default"),
        (Rule::HttpEvidence(HttpEvidence::Auth), "http evidence http_auth"),
        (Rule::CallEvidence(HttpEvidence::Timeout), "call evidence http_timeout"),
        (Rule::Kind(kinds::JUDGE_FAILED), "kind judge_failed"),
        (Rule::GateDerivedKind("answer_empty"), "kind answer_empty"),
        (Rule::Fallback, "fallback"),
    ] {
        is_text(&rule, text);
    }
    assert_eq!(as_ref(&Rule::Fallback), "fallback");
    assert_eq!(as_ref(&Rule::Kind(kinds::CANCELLED)), "kind");
    for text in ["", "fallback ", "stage agent", "stage nowhere: default", "kind oops", "http 429"]
    {
        let error = text.parse::<Rule>().unwrap_err();
        assert_eq!(error.text(), text);
        assert_eq!(error.to_string(), format!("`{text}` is not a rule with its entry"));
    }
}

#[test]
fn a_classification_is_serialized_and_hashed() {
    let evidence = Evidence::new().kind("oom_killed").stage(FailureStage::Agent).admit_stage();
    let classification =
        FailureClassificationConfig::shared_default().classify(&evidence.http_status(&503));
    assert_eq!(
        to_value(&classification).unwrap(),
        json!({
            "class": "model",
            "rule": "stage_kind",
            "entry": "stage agent: provider_oom_killed",
            "http": "http_gateway",
            "via_legacy": true,
            "server": false,
        })
    );
    assert_eq!(classification.to_string(), "model by stage agent: provider_oom_killed");
    let seen: HashSet<Classification> = HashSet::from([classification.clone()]);
    assert!(seen.contains(&classification));
    let given: HashSet<Evidence<'_>> = HashSet::from([evidence]);
    assert!(given.contains(&evidence) && !given.contains(&Evidence::new()));
}

#[test]
fn kinds_are_compared_with_strings_and_become_strings() {
    let text = String::from("judge_failed");
    assert_eq!(kinds::JUDGE_FAILED, text);
    assert_eq!(text, kinds::JUDGE_FAILED);
    assert_eq!(String::from(kinds::JUDGE_FAILED), text);
    assert_eq!(ObservedKind::new("judge_failed"), text);
    assert_eq!(String::from(ObservedKind::new("judge_failed")), text);
    assert_eq!(FailureKind::from(&kinds::JUDGE_FAILED), kinds::JUDGE_FAILED);
}

#[test]
fn a_kind_error_has_the_rule_that_the_text_breaks() {
    use KindErrorReason::*;

    for (text, reason, suggestion) in [
        ("", Empty, None),
        (" judge_failed", WhiteSpace, Some("judge_failed")),
        ("judge failed", WhiteSpace, Some("judge_failed")),
        ("judge_f\u{430}iled", InvalidCharacter, Some("judge_failed")),
        ("JudgeFailed", NotSnakeCase, Some("judge_failed")),
        ("judge-failed", NotSnakeCase, Some("judge_failed")),
        ("a:b:c", SeveralColons, None),
        ("my_server:", EmptyPart, None),
        (":kind", EmptyPart, None),
        ("_judge", InvalidStart, None),
        ("my_server:9lives", InvalidStart, None),
        ("oom_killed", Legacy, Some("provider_oom_killed")),
        ("timeout", Legacy, None),
        ("answer_empty", GateDerived, None),
        ("judge_faild", Unregistered, Some("judge_failed")),
        ("policy_failed", Unregistered, None),
    ] {
        let error = validate_event_kind(text).unwrap_err();
        assert_eq!((error.reason(), error.suggestion()), (reason, suggestion), "{text:?}");
        assert_eq!(error.text(), text);
    }
    let long = "x".repeat(1000) + " ";
    let error = validate_event_kind(&long).unwrap_err();
    assert_eq!(error.text(), &long[..64]);
}

#[test]
fn kind_errors_are_compared() {
    let error = |text: &str| text.parse::<FailureKind>();
    assert_eq!(error("judge_faild"), error("judge_faild"));
    assert_ne!(error("judge_faild"), error("judge_fail"));
    assert_eq!(error("judge_failed"), Ok(kinds::JUDGE_FAILED));
    let long = "x".repeat(100);
    assert_ne!(error(&long), error(&(long.clone() + " ")), "the same start, another reason");
    let seen = HashSet::from([error("judge_faild").unwrap_err()]);
    assert!(seen.contains(&error("judge_faild").unwrap_err()));
}

#[test]
fn codes_have_a_name() {
    for (reason, name) in [
        (KindErrorReason::Empty, "empty"),
        (KindErrorReason::WhiteSpace, "white_space"),
        (KindErrorReason::InvalidCharacter, "invalid_character"),
        (KindErrorReason::NotSnakeCase, "not_snake_case"),
        (KindErrorReason::SeveralColons, "several_colons"),
        (KindErrorReason::EmptyPart, "empty_part"),
        (KindErrorReason::InvalidStart, "invalid_start"),
        (KindErrorReason::Legacy, "legacy"),
        (KindErrorReason::GateDerived, "gate_derived"),
        (KindErrorReason::Unregistered, "unregistered"),
    ] {
        assert_eq!((reason.to_string(), as_ref(&reason)), (name.to_owned(), name));
        assert_eq!(to_value(reason).unwrap(), json!(name));
    }
    for (code, name) in [
        (ConfigCode::Io, "io"),
        (ConfigCode::UnknownFormat, "unknown_format"),
        (ConfigCode::Empty, "empty"),
        (ConfigCode::NotUtf8, "not_utf8"),
        (ConfigCode::TooLarge, "too_large"),
        (ConfigCode::TooDeep, "too_deep"),
        (ConfigCode::TooManyEntries, "too_many_entries"),
        (ConfigCode::Syntax, "syntax"),
        (ConfigCode::DuplicateKey, "duplicate_key"),
        (ConfigCode::UnknownKey, "unknown_key"),
        (ConfigCode::MergeKey, "merge_key"),
        (ConfigCode::WrongType, "wrong_type"),
        (ConfigCode::InvalidHttpStatus, "invalid_http_status"),
        (ConfigCode::UnknownStage, "unknown_stage"),
        (ConfigCode::UnknownHttpLabel, "unknown_http_label"),
        (ConfigCode::UnknownClass, "unknown_class"),
        (ConfigCode::UnknownKind, "unknown_kind"),
        (ConfigCode::UndeclaredKind, "undeclared_kind"),
    ] {
        assert_eq!((code.to_string(), as_ref(&code)), (name.to_owned(), name));
        assert_eq!(to_value(code).unwrap(), json!(name));
    }
    let formats = ConfigFormat::ALL.iter().map(ToString::to_string);
    assert_eq!(formats.collect::<Vec<_>>(), ["json", "toml", "yaml"]);
}

#[test]
fn errors_of_classes_stages_and_labels_suggest() {
    let class = "modle".parse::<FailureClass>().unwrap_err();
    assert_eq!(class.to_string(), "`modle` is not a class; a similar one is `model`");
    assert_eq!((class.text(), class.suggestion()), ("modle", Some("model")));

    let stage = "verifcation".parse::<FailureStage>().unwrap_err();
    assert_eq!(stage.to_string(), "`verifcation` is not a stage; a similar one is `verification`");
    assert_eq!(stage.suggestion(), Some("verification"));

    let label = "http_rate_limit".parse::<HttpEvidence>().unwrap_err();
    assert_eq!(label.suggestion(), Some("http_rate_limited"));

    let none = "verifier".parse::<FailureStage>().unwrap_err();
    assert_eq!(none.suggestion(), None);
}

#[test]
fn other_errors_quote_the_text() {
    let errors: [(Box<dyn Error>, &str); 4] = [
        (
            Box::new("6xx".parse::<HttpStatusKey>().unwrap_err()),
            "`6xx` is not an HTTP status; write three digits from 100 to 599, or a pattern from `1xx` to `5xx`",
        ),
        (
            Box::new("judge_failed".parse::<LegacyLabel>().unwrap_err()),
            "`judge_failed` is not a legacy label",
        ),
        (
            Box::new("judge\n".parse::<GateDerivedKind>().unwrap_err()),
            "`judge\\n` is not a gate-derived class",
        ),
        (
            Box::new("oom_killed".parse::<UnregisteredKind>().unwrap_err()),
            "`oom_killed` is known to the vocabulary",
        ),
    ];
    for (error, message) in errors {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn constants_can_be_computed() {
    const KEY: Option<HttpStatusKey> = HttpStatusKey::parse("5xx");
    const OVERRIDES: FailureClassificationOverrides = FailureClassificationOverrides::new();
    const KIND: &FailureKind = &kinds::JUDGE_FAILED;
    const DOMAIN: Option<&str> = KIND.domain();
    const SUMMARY: Option<&str> = KIND.summary();
    const GATE: [bool; 3] = [
        is_gate_derived("answer_empty"),
        is_gate_derived("answer_empt"),
        is_gate_derived("answer_empty "),
    ];
    const REJUDGED: [bool; 2] = [is_rejudged("judge_invalid"), is_rejudged("")];

    assert_eq!(KEY, HttpStatusKey::pattern(500));
    assert_eq!(OVERRIDES, FailureClassificationOverrides::default());
    assert_eq!((DOMAIN, SUMMARY), (Some("judge"), Some("The call to the judge failed.")));
    assert_eq!(GATE, [true, false, false]);
    assert_eq!(REJUDGED, [true, false]);
}
