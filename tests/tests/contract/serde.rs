use std::collections::BTreeMap;

use failure_kinds::{FAILURE_KINDS, FailureClass, FailureKind, FailureStage, ObservedKind, kinds};
use proptest::prelude::*;
use serde_json::{Value, from_str, from_value, json, to_string};

#[test]
fn kinds_are_strings_and_map_keys() {
    for kind in FAILURE_KINDS {
        let text = to_string(kind).unwrap();
        assert_eq!(text, format!("\"{kind}\""));
        assert_eq!(from_str::<FailureKind>(&text).unwrap(), *kind);
    }
    let counts: BTreeMap<FailureKind, u32> =
        from_str(r#"{"judge_failed": 2, "my_server:odd_case": 1}"#).unwrap();
    assert_eq!(counts[&kinds::JUDGE_FAILED], 2);
    assert_eq!(to_string(&counts).unwrap(), r#"{"judge_failed":2,"my_server:odd_case":1}"#);
}

#[test]
fn reading_a_kind_is_strict() {
    let refusal = |value: Value| from_value::<FailureKind>(value).unwrap_err().to_string();
    assert_eq!(
        refusal(json!("judge_faild")),
        "`judge_faild` is not a registered failure kind; a similar name is registered: `judge_failed`"
    );
    assert_eq!(
        refusal(json!("oom_killed")),
        "`oom_killed` is a legacy label that was renamed; write `provider_oom_killed`"
    );
    assert!(refusal(json!("answer_empty")).contains("a producer never emits it"));
    assert_eq!(refusal(json!(503)), "invalid type: integer `503`, expected a failure kind");
    assert_eq!(refusal(json!(null)), "invalid type: null, expected a failure kind");
    let key = from_str::<BTreeMap<FailureKind, u32>>(r#"{"judge failed": 2}"#).unwrap_err();
    assert!(key.to_string().starts_with("character 6 of `judge failed` is white space"), "{key}");
}

#[test]
fn stages_and_classes_are_strings_and_map_keys() {
    for &stage in FailureStage::ALL {
        assert_eq!(to_string(&stage).unwrap(), format!("\"{stage}\""));
        assert_eq!(from_value::<FailureStage>(json!(stage.as_str())).unwrap(), stage);
    }
    for &class in FailureClass::ALL {
        assert_eq!(to_string(&class).unwrap(), format!("\"{class}\""));
        assert_eq!(from_value::<FailureClass>(json!(class.as_str())).unwrap(), class);
        assert_eq!(class.as_str().parse(), Ok(class));
    }
    let text = r#"{"seed":{"model":1},"agent":{"evaluation":2}}"#;
    let counts: BTreeMap<FailureStage, BTreeMap<FailureClass, u32>> = from_str(text).unwrap();
    assert_eq!(to_string(&counts).unwrap(), text);
}

#[test]
fn c35_there_are_no_aliases() {
    // The errors are those of parsing, which list the right names.
    let error = from_value::<FailureStage>(json!("verifier")).unwrap_err();
    assert_eq!(error.to_string(), "verifier".parse::<FailureStage>().unwrap_err().to_string());
    let error = from_value::<FailureClass>(json!("Model")).unwrap_err();
    assert_eq!(error.to_string(), "Model".parse::<FailureClass>().unwrap_err().to_string());
}

#[test]
fn an_observed_kind_takes_any_string_and_only_strings() {
    let read = |value: Value| from_value::<ObservedKind>(value);
    assert_eq!(read(json!("judge_failed\n")).unwrap(), *"judge_failed\n");
    let error = read(json!(true)).unwrap_err().to_string();
    assert_eq!(error, "invalid type: boolean `true`, expected an observed failure kind");
    assert!(from_value::<Option<ObservedKind>>(json!(null)).unwrap().is_none());
}

const NEAR_NAMES: &[&str] = &[
    "judge_failed",
    "my_server:odd_case",
    "timeout_exceeded",
    "timeout",
    "answer_empty",
    "\u{feff}shutdown",
    "",
];

/// Any text, and texts close to names, which take other branches.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::sample::select(NEAR_NAMES).prop_map(String::from),
        (prop::sample::select(NEAR_NAMES), any::<char>())
            .prop_map(|(name, char)| format!("{name}{char}")),
    ]
}

proptest! {
    #[test]
    fn any_string_comes_back_through_an_observed_kind(text in texts()) {
        let written = to_string(&text).unwrap();
        let observed: ObservedKind = from_str(&written).unwrap();
        prop_assert_eq!(observed.as_str(), text.as_str());
        prop_assert_eq!(to_string(&observed).unwrap(), written);

        let map: BTreeMap<ObservedKind, u32> = from_value(json!({ text.as_str(): 7 })).unwrap();
        prop_assert_eq!(from_str::<Value>(&to_string(&map).unwrap()).unwrap(), json!({ text: 7 }));
    }
}
