//! Overrides as a part of a larger configuration, through serde.

use failure_kinds::{
    FailureClass, FailureClassificationConfig, FailureClassificationOverrides, FailureStage,
};
use serde::{Deserialize, Serialize};

/// A configuration of some service.
#[derive(Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Service {
    port: u16,
    #[serde(default)]
    failures: FailureClassificationOverrides,
}

const TOML: &str = r#"
port = 8080

[failures.stages.agent]
default = "model"

[failures.class_by_http_status]
429 = "evaluation"
"#;

const YAML: &str = "
port: 8080
failures:
  class_by_http_status: { 429: evaluation }
  stages:
    agent: { default: model }
";

#[test]
fn it_is_read_from_toml_yaml_and_json() {
    let from_toml: Service = toml::from_str(TOML).unwrap();
    let from_yaml: Service = serde_saphyr::from_str(YAML).unwrap();
    assert_eq!(from_toml, from_yaml);
    let json = serde_json::to_string(&from_toml).unwrap();
    assert_eq!(serde_json::from_str::<Service>(&json).unwrap(), from_toml);
    let config = FailureClassificationConfig::default().with_overrides(from_toml.failures).unwrap();
    assert_eq!(config.stage(FailureStage::Agent).default_class(), Some(FailureClass::Model));
    let without: Service = toml::from_str("port = 1").unwrap();
    assert!(without.failures.is_empty());
}

#[test]
fn c230_a_misspelt_key_is_an_error_with_its_path() {
    // A wrong shape is rejected by serde, with every other fault of that sort.
    let error = serde_json::from_str::<Service>(
        r#"{"port":1,"failures":{"stages":{"seed":{"default":1},"verification":{"defualt":"evaluation"}}}}"#,
    )
    .unwrap_err()
    .to_string();
    assert!(error.contains("stages.seed.default: expected a class, found a number"), "{error}");
    assert!(
        error.contains(
            "stages.verification.defualt: `defualt` is not a key here; a similar one is `default`"
        ),
        "{error}"
    );
    // A wrong name is rejected when the merged whole is validated.
    let service: Service =
        toml::from_str("port = 1\n[failures.stages.verifcation]\ndefault = \"evaluation\"\n")
            .unwrap();
    let error = FailureClassificationConfig::default().with_overrides(service.failures);
    assert_eq!(
        error.unwrap_err().with_path_prefix("failures").to_string(),
        "failures.stages.verifcation: `verifcation` is not a stage; a similar one is `verification`"
    );
}

#[test]
fn all_wrong_names_are_reported_together() {
    let overrides: FailureClassificationOverrides = serde_json::from_str(
        r#"{"class_by_http_status":{"42":"model"},
            "stages":{"agnt":{"default":"modle","kinds":{"x":"y"}}},
            "http_evidence":{"http_teapot":"none"},
            "kinds":{"answer_cut_off":"model"},"unknown":"none"}"#,
    )
    .unwrap();
    let error = FailureClassificationConfig::default().with_overrides(overrides).unwrap_err();
    let paths: Vec<_> = error.faults().iter().map(failure_kinds::ConfigFault::path).collect();
    assert_eq!(
        paths,
        [
            "class_by_http_status.42",
            "stages.agnt",
            "stages.agnt.default",
            "stages.agnt.kinds.x",
            "stages.agnt.kinds.x",
            "http_evidence.http_teapot",
            "kinds.answer_cut_off",
            "unknown",
        ]
    );
    assert!(error.faults().iter().all(|fault| fault.location().is_none()));
}

#[test]
fn a_duplicate_key_is_rejected() {
    let error = serde_json::from_str::<Service>(
        r#"{"port":1,"failures":{"unknown":"model","unknown":"model"}}"#,
    );
    assert!(error.unwrap_err().to_string().contains("unknown: duplicate key `unknown`"));
}
