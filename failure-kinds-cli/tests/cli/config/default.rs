use failure_kinds::{
    FAILURE_KINDS, FailureClassificationConfig, FailureClassificationOverrides, ShippedConfig,
};
use snapbox::file;

use crate::failure_kinds;

fn printed(args: &[&str]) -> String {
    let output = failure_kinds().arg("config").args(args).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_default_is_printed_with_comments() {
    snapbox::assert_data_eq!(printed(&["default"]), file!["default.toml"].raw());
    snapbox::assert_data_eq!(
        printed(&["default", "--format", "yaml"]),
        file!["default.yaml"].raw()
    );
}

#[test]
fn the_printed_default_is_the_default() {
    let overrides = [
        FailureClassificationOverrides::from_toml_str(&printed(&["default"])),
        FailureClassificationOverrides::from_yaml_str(&printed(&["default", "--format", "yaml"])),
    ];
    // Whole: over a configuration in which everything is cleared it gives the default too.
    let cleared = FailureClassificationOverrides::from_json_str(
        r#"{"stages":{"admission":{"default":"none"},"seed":{"default":"none"},
            "agent":{"default":"model","kinds":{"agent_timeout":"none","provider_oom_killed":"none"}},
            "verification":{"default":"none"},"cleanup":{"default":"none"}},
            "http_evidence":{"http_auth":"none","http_timeout":"none","http_payload_too_large":"model",
            "http_rate_limited":"none","http_gateway":"none","http_client_error":"model",
            "http_server_error":"model"},"unknown":"model"}"#,
    )
    .unwrap();
    for overrides in overrides {
        let merged = cleared.clone().merge(overrides.unwrap());
        let config = FailureClassificationConfig::default().with_overrides(merged).unwrap();
        assert_eq!(config, FailureClassificationConfig::default());
    }
}

#[test]
fn it_is_valid_without_its_comments() {
    // What is shown as a comment is what holds without it.
    let uncomment = |text: &str| -> String {
        text.lines()
            .filter_map(|line| {
                let Some(after) = line.trim_start().strip_prefix("# ") else {
                    return Some(format!("{line}\n"));
                };
                let is_entry = after.contains(" = \"")
                    || after.trim_start().split_once(": ").is_some_and(|(_, class)| {
                        ["model", "evaluation", "none"].contains(&class.split(' ').next().unwrap())
                    })
                    || after == "kinds:"
                    || after == "class_by_http_status:";
                is_entry.then(|| format!("{after}\n"))
            })
            .collect()
    };
    let toml = uncomment(&printed(&["default"]));
    let yaml = uncomment(&printed(&["default", "--format", "yaml"]));
    let toml = FailureClassificationOverrides::from_toml_str(&toml).unwrap();
    let yaml = FailureClassificationOverrides::from_yaml_str(&yaml).unwrap();
    assert_eq!(toml, yaml);
    let config = FailureClassificationConfig::default().with_overrides(toml).unwrap();
    assert_eq!(config.kinds().count(), FAILURE_KINDS.len());
    for (kind, class) in config.kinds() {
        let alone = failure_kinds::Evidence::new().kind(kind.as_str());
        let default = FailureClassificationConfig::shared_default().classify(&alone);
        assert_eq!(class.unwrap_or(failure_kinds::FailureClass::Unknown), default.class, "{kind}");
    }
}

#[test]
fn shipped_classifications_are_listed() {
    let listed = printed(&["default", "--list"]);
    let names: Vec<_> = listed.lines().map(|line| line.split_once(' ').unwrap().0).collect();
    assert_eq!(names, ["default", "nemo-rl"]);
}

#[test]
fn a_shipped_classification_is_printed_in_both_formats() {
    let toml = FailureClassificationOverrides::from_toml_str(&printed(&["default", "nemo-rl"]));
    let yaml = printed(&["default", "nemo-rl", "--format", "yaml"]);
    let yaml = FailureClassificationOverrides::from_yaml_str(&yaml);
    let shipped = ShippedConfig::NemoRl.overrides();
    assert_eq!(toml.unwrap(), shipped);
    assert_eq!(yaml.unwrap(), shipped);
}

#[test]
fn an_unknown_shipped_classification_is_a_usage_error_with_a_suggestion() {
    failure_kinds().args(["config", "default", "nemo_rl"]).assert().code(2).stdout_eq("").stderr_eq(
        snapbox::str![[r#"
error: invalid value 'nemo_rl' for '[NAME]': `nemo_rl` is not a shipped configuration; a similar one is `nemo-rl`; see `--help`

"#]],
    );
}
