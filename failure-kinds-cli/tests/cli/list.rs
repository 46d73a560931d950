use std::collections::BTreeSet;
use std::fs;

use failure_kinds::{FailureClass, FailureStage};
use serde_json::{Value, json};
use snapbox::file;

use crate::{failure_kinds, repository};

#[test]
fn the_vocabulary_is_a_table() {
    failure_kinds().arg("list").assert().code(0).stderr_eq("").stdout_eq(file!["list.txt"]);
}

#[test]
fn c240_the_table_holds_the_vocabulary_in_its_order() {
    let shown = failure_kinds().arg("list").output().unwrap().stdout;
    let shown = String::from_utf8(shown).unwrap();
    let (_, kinds) = shown.split_once("NAME").unwrap();
    let (kinds, _) = kinds.split_once("\n\n").unwrap();
    let names = kinds.lines().skip(1).filter(|line| !line.starts_with("   "));
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        failure_kinds::FAILURE_KINDS
            .iter()
            .map(failure_kinds::FailureKind::as_str)
            .collect::<Vec<_>>()
    );
}

#[test]
fn the_schema_explains_every_key_of_the_registry() {
    let schema = failure_kinds().args(["list", "--format", "schema"]).output().unwrap().stdout;
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let registry = fs::read(repository().join("registry.json")).unwrap();
    let registry: Value = serde_json::from_slice(&registry).unwrap();
    jsonschema::draft202012::new(&schema).unwrap().validate(&registry).unwrap();
    let keys =
        |object: &Value| object.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    for (schema, object) in [
        (&schema, &registry),
        (&schema["$defs"]["Kind"], &registry["kinds"][0]),
        (&schema["$defs"]["GateDerived"], &registry["gate_derived"][0]),
        (&schema["$defs"]["Legacy"], &registry["legacy"][0]),
    ] {
        let required = schema["required"].as_array().unwrap();
        let required: BTreeSet<_> =
            required.iter().map(|key| key.as_str().unwrap().to_owned()).collect();
        assert_eq!(keys(&schema["properties"]), keys(object));
        assert_eq!(required, keys(object));
    }
}

fn yaml(file: &str) -> Value {
    serde_saphyr::from_str(&fs::read_to_string(repository().join(file)).unwrap()).unwrap()
}

/// Checks a value against one of weaver's published schemas.
fn assert_valid(value: &Value, schema: &str) {
    let schema = fs::read(repository().join("tests/data/weaver").join(schema)).unwrap();
    let schema = serde_json::from_slice(&schema).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<_> = schema.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn the_weaver_registry_has_the_form_that_weaver_publishes() {
    assert_valid(&yaml("otel/failure_kinds.yaml"), "semconv.schema.v2.json");
}

#[test]
fn the_weaver_registry_holds_every_kind_stage_and_class() {
    let registry = yaml("otel/failure_kinds.yaml");
    assert_eq!(registry["file_format"], "definition/2");
    let members = |key: &str| {
        let attributes = registry["attributes"].as_array().unwrap();
        let attribute = attributes.iter().find(|attribute| attribute["key"] == key).unwrap();
        attribute["type"]["members"].as_array().unwrap().clone()
    };
    let ids = |members: &[Value]| -> Vec<String> {
        members.iter().map(|member| member["id"].as_str().unwrap().to_owned()).collect()
    };
    let (deprecated, registered): (Vec<_>, Vec<_>) = members("failure_kinds.kind")
        .into_iter()
        .partition(|member| member.get("deprecated").is_some());
    assert_eq!(
        ids(&registered),
        failure_kinds::FAILURE_KINDS.iter().map(ToString::to_string).collect::<Vec<_>>()
    );
    assert!(
        registered
            .iter()
            .all(|member| member["brief"].is_string() && member["stability"].is_string())
    );
    let stages: Vec<_> = FailureStage::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(ids(&members("failure_kinds.stage")), stages);
    let classes: Vec<_> = FailureClass::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(ids(&members("failure_kinds.class")), classes);

    let deprecation = |label: &str| {
        let member = deprecated.iter().find(|member| member["id"] == label).unwrap();
        member["deprecated"].clone()
    };
    assert_eq!(
        deprecation("timeout_exceeded"),
        json!({"reason": "renamed", "renamed_to": "agent_timeout"})
    );
    assert_eq!(
        deprecation("eval_missing"),
        json!({"reason": "renamed", "renamed_to": "gdpval:eval_missing"})
    );
    assert_eq!(deprecation("sandbox"), json!({"reason": "uncategorized", "note": "provider_*"}));
    assert_eq!(deprecated.len(), failure_kinds_core::LEGACY.len());
    for gate_derived in failure_kinds::GATE_DERIVED_KINDS {
        assert!(!ids(&deprecated).contains(&gate_derived.to_string()), "{gate_derived}");
    }
}

#[test]
fn the_manifest_of_the_weaver_registry_names_this_version() {
    let mut manifest = yaml("otel/manifest.yaml");
    let url = manifest["schema_url"].as_str().unwrap().to_owned();
    assert_eq!(url.rsplit('/').next(), Some(env!("CARGO_PKG_VERSION")), "{url}");
    // The schema asks for an object here, where weaver reads a string.
    manifest["schema_url"] = json!({ "url": url });
    assert_valid(&manifest, "definition-manifest.v2.json");
}
