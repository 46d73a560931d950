//! The committed JSON Schema agrees with the program, over the same good and bad files.

use std::fs;
use std::path::Path;

use failure_kinds::{FailureClassificationConfig, FailureClassificationOverrides, FailureKind};
use jsonschema::Validator;
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

use super::files::files;
use crate::stage_overrides::BrowserEnvOverrides;

fn committed() -> Validator {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let schema = fs::read_to_string(root.join("failure-classification.schema.json")).unwrap();
    let schema = serde_json::from_str(&schema).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

/// A file as an editor would validate it; `None` if its syntax is wrong.
fn value(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim_start_matches('\u{feff}');
    // A document of nothing but comments is not validated.
    if text.lines().all(|line| line.trim().is_empty() || line.trim().starts_with('#')) {
        return None;
    }
    match path.extension()?.to_str()? {
        "json" => serde_json::from_str(text).ok(),
        "toml" => toml::from_str(text).ok(),
        _ => serde_saphyr::from_str(text).ok(),
    }
}

#[test]
fn it_accepts_what_the_program_accepts() {
    let schema = committed();
    let mut checked = 0;
    for path in files("good") {
        if let Some(value) = value(&path) {
            if let Err(error) = schema.validate(&value) {
                panic!("{}: {error}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked >= 10, "{checked}");
}

#[test]
fn it_rejects_what_the_program_rejects() {
    let schema = committed();
    let mut checked = 0;
    for path in files("bad") {
        // A file with a syntax error is up to the reader of its format.
        if let Some(value) = value(&path) {
            assert!(!schema.is_valid(&value), "{} is accepted", path.display());
            checked += 1;
        }
    }
    assert!(checked >= 25, "{checked}");
}

#[test]
fn it_agrees_on_every_class_position() {
    let schema = committed();
    let wrap: [fn(&Value) -> Value; 6] = [
        |class| json!({ "class_by_http_status": { "5xx": class } }),
        |class| json!({ "stages": { "seed": { "default": class } } }),
        |class| json!({ "stages": { "seed": { "kinds": { "judge_failed": class } } } }),
        |class| json!({ "http_evidence": { "http_auth": class } }),
        |class| json!({ "kinds": { "my_server:odd_case": class } }),
        |class| json!({ "unknown": class }),
    ];
    let classes = [
        json!("model"),
        json!("evaluation"),
        json!("unknown"),
        json!("none"),
        json!(null),
        json!("Model"),
        json!("model "),
        json!(""),
        json!(0),
        json!(true),
        json!([]),
        json!({}),
    ];
    for wrap in wrap {
        for class in &classes {
            agree(&schema, &wrap(class));
        }
    }
}

#[test]
fn it_agrees_on_every_kind_of_key() {
    let schema = committed();
    let keys = [
        "judge_failed",
        "my_server:odd_case",
        "judge:failed",
        "judge_faild",
        "answer_cut_off",
        "oom_killed",
        "timeout",
        "a:b:c",
        "a:",
        ":b",
        "a:b\n",
        "judge_failed\n",
        " judge_failed",
        "A:b",
        "a:1b",
        "",
        "100",
        "599",
        "600",
        "099",
        "99",
        "4xx",
        "6xx",
        "0xx",
        "4XX",
        "42x",
        "429\n",
        "４２９",
        "+29",
        "admission",
        "cleanup",
        "Agent",
        "default",
        "kinds",
        "http_auth",
        "http_server_error",
        "http_teapot",
    ];
    for key in keys {
        for value in [
            json!({ "class_by_http_status": { key: "model" } }),
            json!({ "stages": { key: {} } }),
            json!({ "stages": { "agent": { key: "model" } } }),
            json!({ "stages": { "agent": { "kinds": { key: "model" } } } }),
            json!({ "http_evidence": { key: "model" } }),
            json!({ "kinds": { key: "model" } }),
            json!({ key: {} }),
        ] {
            agree(&schema, &value);
        }
    }
}

fn agree(schema: &Validator, value: &Value) {
    let program = FailureClassificationOverrides::from_json_str(&value.to_string());
    assert_eq!(schema.is_valid(value), program.is_ok(), "{value}: {program:?}");
}

fn validator<T: JsonSchema>() -> Validator {
    jsonschema::draft202012::new(schema_for!(T).as_value()).unwrap()
}

#[test]
fn the_full_form_is_accepted() {
    let full = serde_json::to_value(FailureClassificationConfig::shared_default()).unwrap();
    assert!(committed().is_valid(&full));
    assert!(validator::<FailureClassificationConfig>().is_valid(&full));
}

#[test]
fn names_have_schemas_of_their_own() {
    let kinds = validator::<FailureKind>();
    for (text, valid) in
        [("judge_failed", true), ("a:b", true), ("judge_faild", false), ("answer_empty", false)]
    {
        assert_eq!(kinds.is_valid(&json!(text)), valid, "{text}");
    }
    assert!(validator::<failure_kinds::ObservedKind>().is_valid(&json!("anything")));
    assert!(validator::<failure_kinds::FailureStage>().is_valid(&json!("seed")));
    assert!(!validator::<failure_kinds::FailureClass>().is_valid(&json!("none")));
}

#[test]
fn derived_overrides_have_a_schema() {
    let schema = schema_for!(BrowserEnvOverrides);
    let agent = schema.pointer("/properties/agent/description").unwrap();
    assert_eq!(agent, "The episode proper.");
    let validator = validator::<BrowserEnvOverrides>();
    assert!(validator.is_valid(&json!({ "agent": { "default": "none" }, "verification": {} })));
    for refused in
        [json!({ "seed": {} }), json!({ "agent": null }), json!({ "agent": { "kind": {} } })]
    {
        assert!(!validator.is_valid(&refused), "{refused}");
    }
}
