use std::collections::{BTreeMap, HashSet};

use failure_kinds::{
    Evidence, FAILURE_KINDS, FailureClass, FailureClassificationConfig, FailureKind,
    GATE_DERIVED_KINDS, ObservedKind, kinds,
};

/// Texts from practice that are not names: none is taken for the name inside it.
const NO_NAMES: [&str; 15] = [
    // C22
    "submitted (exit_cost)",
    "skipped (exit_api)",
    // C169
    "offset 262144 is not a multiple of on-disk chunk length 1041",
    "offset 131072 is not a multiple of on-disk chunk length 1041",
    // C170
    "<starlette.routing.Route object at 0x7f2a54c0d1f0>",
    // C172
    "judge_failed\n",
    "my_server:odd_case\n",
    "judge_failed\r\n",
    "judge_failed ",
    "\u{feff}judge_failed",
    // C173
    "judge_f\u{430}iled",
    "judge\u{2011}failed",
    "Judge_failed",
    "\u{ff4a}udge_failed",
    "",
];

#[test]
fn each_text_has_its_variant() {
    for kind in FAILURE_KINDS {
        let observed = ObservedKind::new(kind.as_str());
        assert!(matches!(&observed, ObservedKind::Registered(found) if found == kind), "{kind}");
        assert_eq!((observed.registry(), observed.kind()), ("registered", Some(kind)));
    }
    let extension = ObservedKind::from("my_server:judge_failed");
    assert!(matches!(&extension, ObservedKind::Extension(kind) if kind.is_extension()));
    assert_eq!(extension.registry(), "extension");
    for name in GATE_DERIVED_KINDS {
        let observed = ObservedKind::new(name);
        assert!(matches!(observed, ObservedKind::GateDerived(class) if class.as_str() == *name));
        assert_eq!((observed.registry(), observed.kind()), ("gate_derived", None));
    }
    let ObservedKind::GateDerived(empty) = ObservedKind::new("answer_empty") else { panic!() };
    assert_eq!(empty.class(), Some(FailureClass::Model));
    assert_eq!(empty.summary(), "The answer is there, but it is empty.");
    let constant =
        matches!(ObservedKind::new("judge_failed"), ObservedKind::Registered(kinds::JUDGE_FAILED));
    assert!(constant, "a constant is a pattern inside");
}

#[test]
fn c33_a_renamed_label_stays_and_shows_its_successor() {
    let observed = ObservedKind::new("protocol_violation");
    assert_eq!(observed, *"protocol_violation");
    assert_eq!((observed.registry(), observed.kind()), ("legacy", None));
    assert_eq!(observed.metric_label(), "unregistered");
    let ObservedKind::Legacy(label) = observed else { panic!("{observed:?}") };
    assert_eq!(label.successor(), Some("environment_protocol_violation"));
    assert_eq!(label.hint(), None);

    let ObservedKind::Legacy(split) = ObservedKind::new("timeout") else { panic!() };
    assert_eq!(split.successor(), None);
    assert_eq!(split.hint(), Some("agent_timeout or transport_timeout"));
}

#[test]
fn c22_c169_c170_c172_c173_no_name_is_found_inside_a_text() {
    for text in NO_NAMES {
        let observed = ObservedKind::new(text);
        assert!(matches!(&observed, ObservedKind::Unregistered(name) if name.as_str() == text));
        assert_eq!(observed.as_str(), text);
        assert_eq!((observed.registry(), observed.kind()), ("unregistered", None), "{text:?}");
    }
}

#[test]
fn c90_a_code_of_a_provider_is_not_a_kind() {
    let observed = ObservedKind::new("ConcurrencyLimitExceeded");
    assert_eq!((observed.registry(), observed.kind()), ("unregistered", None));
    assert_eq!(FailureKind::try_from(observed.as_str()).unwrap_err().suggestion(), None);
}

#[test]
fn c145_kinds_are_compared_whole() {
    for text in ["judge_failed_extra", "xjudge_failed", "JUDGE_FAILED", "judge failed"] {
        let observed = ObservedKind::new(text);
        assert_eq!((observed.registry(), observed.kind()), ("unregistered", None), "{text}");
        assert_eq!(observed, *text);
    }
}

#[test]
fn c158_a_colon_in_a_sentence_makes_no_extension() {
    let text = "litellm.APIConnectionError: Connection error.";
    assert_eq!(ObservedKind::new(text).registry(), "unregistered");
    assert_eq!(FailureKind::try_from(text).unwrap_err().suggestion(), None);
}

#[test]
fn c169_c170_observed_text_is_never_a_metric_label() {
    let labels: HashSet<_> =
        NO_NAMES.iter().map(|text| ObservedKind::new(text).metric_label()).collect();
    assert_eq!(labels, HashSet::from(["unregistered"]));
    for (text, label) in [
        ("judge_failed", "judge_failed"),
        ("my_server:odd_case", "extension"),
        ("answer_empty", "unregistered"),
        ("timeout_exceeded", "unregistered"),
    ] {
        assert_eq!(ObservedKind::new(text).metric_label(), label);
    }
}

#[test]
fn an_unregistered_text_may_have_a_suggestion() {
    let suggestion = |text: &str| match ObservedKind::new(text) {
        ObservedKind::Unregistered(name) => name.suggestion(),
        other => panic!("{other:?}"),
    };
    assert_eq!(suggestion("judge_faild"), Some("judge_failed"));
    assert_eq!(suggestion("policy_failed"), None);
}

#[test]
fn equality_and_order_go_by_the_text() {
    let from_kind = ObservedKind::from(FailureKind::from_static("my_server:odd_case"));
    assert_eq!(from_kind, ObservedKind::from(String::from("my_server:odd_case")));
    let counts = BTreeMap::from([(from_kind, 1), (ObservedKind::new("zzz"), 2)]);
    assert_eq!(counts.get("my_server:odd_case"), Some(&1));
    assert_eq!(counts.get("zzz"), Some(&2));
    let text = format!("{}|{:?}", ObservedKind::new("a\n"), ObservedKind::new("shutdown"));
    assert_eq!(text, "a\n|Registered(FailureKind(\"shutdown\"))");
}

#[test]
fn classification_goes_by_the_observed_text() {
    let config = FailureClassificationConfig::shared_default();
    let class = |text: &str| {
        let observed = ObservedKind::new(text);
        let verdict = config.classify(&Evidence::new().kind(observed.as_str()));
        (verdict.class, verdict.via_legacy)
    };
    assert_eq!(class("judge_failed"), (FailureClass::Evaluation, false));
    assert_eq!(class("judge_invalid"), (FailureClass::Evaluation, true));
    assert_eq!(class("answer_empty"), (FailureClass::Model, false));
    assert_eq!(class("my_server:odd_case"), (FailureClass::Unknown, false));
    assert_eq!(class("judge_failed\n"), (FailureClass::Unknown, false));
}
