use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use failure_kinds::{FAILURE_KINDS, FailureKind, kinds, validate_event_kind};

const ODD: FailureKind = FailureKind::from_static("my_server:odd_case");
static KINDS: [FailureKind; 2] = [kinds::CANCELLED, FailureKind::from_static("shutdown")];

fn error(text: &str) -> String {
    FailureKind::try_from(text).expect_err(text).to_string()
}

#[test]
fn constants_are_patterns_for_a_place() {
    fn side(kind: &FailureKind) -> &'static str {
        match *kind {
            kinds::JUDGE_FAILED | kinds::JUDGE_UNPARSEABLE => "judge",
            kinds::SHUTDOWN => "process",
            _ => "other",
        }
    }
    assert_eq!(side(&"judge_failed".parse().unwrap()), "judge");
    assert_eq!(side(&kinds::JUDGE_UNPARSEABLE), "judge");
    assert_eq!(side(&"shutdown".parse().unwrap()), "process");
    assert_eq!(side(&ODD), "other");
    assert!(matches!(KINDS, [kinds::CANCELLED, kinds::SHUTDOWN]));
}

#[test]
fn every_registered_name_parses_to_its_constant() {
    for kind in FAILURE_KINDS {
        let parsed = validate_event_kind(kind.as_str()).unwrap();
        assert_eq!(parsed, *kind);
        assert!(parsed.is_registered() && !parsed.is_extension());
        assert_eq!(parsed.name(), kind.as_str());
        assert_eq!(parsed.server(), None);
        assert_eq!(parsed.metric_label(), kind.as_str());
    }
    assert_eq!(FAILURE_KINDS.len(), 26);
    assert_eq!(kinds::KILL_SHAPED.domain(), Some("lifecycle"));
    assert_eq!(kinds::JUDGE_FAILED.domain(), Some("judge"));
    assert_eq!(kinds::JUDGE_FAILED.summary(), Some("The call to the judge failed."));
}

#[test]
fn an_extension_keeps_its_parts() {
    assert_eq!(ODD.as_str(), "my_server:odd_case");
    assert_eq!((ODD.server(), ODD.name()), (Some("my_server"), "odd_case"));
    assert_eq!((ODD.domain(), ODD.summary()), (None, None));
    assert!(ODD.is_extension() && !ODD.is_registered());
}

#[test]
fn equality_order_and_hash_go_by_the_name() {
    let hash = |value: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        value(&mut hasher);
        hasher.finish()
    };
    let shared: FailureKind = String::from("my_server:odd_case").try_into().unwrap();
    assert_eq!(shared, ODD);
    assert_eq!(hash(&|h| shared.hash(h)), hash(&|h| ODD.hash(h)));
    assert_eq!(hash(&|h| ODD.hash(h)), hash(&|h| "my_server:odd_case".hash(h)));
    assert_eq!(hash(&|h| kinds::SHUTDOWN.hash(h)), hash(&|h| "shutdown".hash(h)));

    let sorted: BTreeSet<_> = FAILURE_KINDS.iter().cloned().chain([ODD]).collect();
    let names: Vec<_> = sorted.iter().map(FailureKind::as_str).collect();
    let mut expected = names.clone();
    expected.sort_unstable();
    assert_eq!(names, expected);

    let counts = HashMap::from([(shared, 3), (kinds::JUDGE_FAILED, 4)]);
    assert_eq!(counts.get("my_server:odd_case"), Some(&3));
    assert_eq!(counts.get("judge_failed"), Some(&4));
    assert!(ODD == *"my_server:odd_case" && "shutdown" == kinds::SHUTDOWN);
}

#[test]
fn it_is_small_and_prints_its_name() {
    assert!(size_of::<FailureKind>() <= 24);
    assert_eq!(format!("{ODD}|{ODD:?}"), "my_server:odd_case|FailureKind(\"my_server:odd_case\")");
    assert_eq!(format!("{:>10}|", kinds::SHUTDOWN), "  shutdown|");
}

#[test]
fn doubled_names_are_extensions_at_run_time() {
    for text in ["my_server:judge_failed", "judge:failed", "gdpval:reference_missing"] {
        assert_eq!(validate_event_kind(text).unwrap(), *text);
    }
}

#[test]
fn a_refusal_says_the_rule_and_what_was_meant() {
    for (text, expected) in [
        (
            "",
            "a failure kind cannot be empty; write a registered name, or `<server>:<kind>` with lower-case letters, digits and `_` on both sides, each starting with a letter",
        ),
        (
            "judge_faild",
            "`judge_faild` is not a registered failure kind; a similar name is registered: `judge_failed`",
        ),
        (
            "failed_judge",
            "`failed_judge` is not a registered failure kind; the same words are registered as `judge_failed`",
        ),
        (
            "policy_failed",
            "`policy_failed` is not a registered failure kind; a kind of one server only is written `<server>:policy_failed`",
        ),
        (
            "JudgeFailed",
            "`JudgeFailed` is not written as a failure kind: lower-case words joined by `_`; the registered name is `judge_failed`",
        ),
        (
            "judge_failed\n",
            "`judge_failed\\n` ends with white space; the registered name is `judge_failed`",
        ),
        (
            " judge_failed",
            "` judge_failed` starts with white space; the registered name is `judge_failed`",
        ),
        (
            "judge failed",
            "`judge failed` has white space behind character 5; the registered name is `judge_failed`",
        ),
        (
            "judge_f\u{430}iled",
            "`judge_f\\u{430}iled` has the character U+0430, and names are ASCII; a similar name is registered: `judge_failed`",
        ),
        (
            "timeout_exceeded",
            "`timeout_exceeded` is a legacy label that was renamed; write `agent_timeout`",
        ),
        (
            "timeout",
            "`timeout` is a legacy label that meant several things; look at: agent_timeout or transport_timeout",
        ),
        (
            "answer_empty",
            "`answer_empty` is derived from saved rows by an acceptance gate: a producer never emits it",
        ),
        (
            "my_server:",
            "`my_server:` has an empty kind part; write a registered name, or `<server>:<kind>` with lower-case letters, digits and `_` on both sides, each starting with a letter",
        ),
        (
            ":odd_case",
            "`:odd_case` has an empty server part; write a registered name, or `<server>:<kind>` with lower-case letters, digits and `_` on both sides, each starting with a letter",
        ),
        (
            "a:b:c",
            "`a:b:c` has more than one colon; write a registered name, or `<server>:<kind>` with lower-case letters, digits and `_` on both sides, each starting with a letter",
        ),
        (
            "a:1b",
            "the kind part of `a:1b` starts with a digit; write a registered name, or `<server>:<kind>` with lower-case letters, digits and `_` on both sides, each starting with a letter",
        ),
    ] {
        assert_eq!(error(text), expected);
    }
}

#[test]
fn a_refusal_carries_its_suggestion() {
    let suggestion = |text: &str| FailureKind::try_from(text).unwrap_err().suggestion();
    assert_eq!(suggestion("judge_faild"), Some("judge_failed"));
    assert_eq!(suggestion("judge_invalid"), Some("judge_unparseable"));
    assert_eq!(suggestion("timeout"), None);
    assert_eq!(suggestion("answer_empty"), None);
}

#[test]
fn a_refusal_quotes_at_most_64_characters() {
    let long = "x".repeat(100_000);
    let message = error(&long);
    assert!(message.starts_with(&format!("`{}...` is not", "x".repeat(61))), "{message}");
    assert!(message.len() < 300);
}
