//! Classification files in three formats.

use failure_kinds::{
    ConfigError, FailureClassificationConfig as Config, FailureClassificationOverrides as Overrides,
};
use serde_json::Value;

use crate::assert_printable;

/// Any text is a configuration, which can be written and read again, or has errors, each with its
/// location.
pub fn config(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let json = Overrides::from_json_str(text);
    let toml = Overrides::from_toml_str(text);
    let yaml = Overrides::from_yaml_str(text);
    // serde reads the same.
    if let Ok(overrides) = &json {
        let text = text.trim_start_matches('\u{feff}');
        assert_eq!(&serde_json::from_str::<Overrides>(text).unwrap(), overrides);
    }
    if let Ok(overrides) = &toml {
        let text = text.trim_start_matches('\u{feff}');
        assert_eq!(&toml::from_str::<Overrides>(text).unwrap(), overrides);
    }
    for read in [json, toml, yaml] {
        match read {
            Ok(overrides) => check_overrides(overrides),
            Err(error) => check_faults(&error, text),
        }
    }
}

fn check_overrides(overrides: Overrides) {
    let json = serde_json::to_string(&overrides).unwrap();
    assert_eq!(Overrides::from_json_str(&json).unwrap(), overrides, "{json}");
    let config = Config::default().with_overrides(overrides).unwrap();
    let full = serde_json::to_value(&config).unwrap();
    let json = full.to_string();
    let toml = toml(&full);
    for (read, text) in [
        (Overrides::from_json_str(&json), &json),
        // Such JSON is YAML too.
        (Overrides::from_yaml_str(&json), &json),
        (Overrides::from_toml_str(&toml), &toml),
    ] {
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(Config::default().with_overrides(read).unwrap(), config, "{text}");
    }
}

/// A table of texts and tables as TOML: one line for each of its keys.
fn toml(table: &Value) -> String {
    fn pair((key, value): (&String, &Value)) -> String {
        match value.as_object() {
            None => format!("{key:?} = {value}"),
            Some(table) => {
                let pairs: Vec<_> = table.iter().map(pair).collect();
                format!("{key:?} = {{ {} }}", pairs.join(", "))
            }
        }
    }
    let lines: Vec<_> = table.as_object().unwrap().iter().map(pair).collect();
    lines.join("\n")
}

fn check_faults(error: &ConfigError, text: &str) {
    assert!(!error.faults().is_empty());
    assert_printable(&error.to_string());
    for fault in error.faults() {
        for at in fault.location().into_iter().chain(fault.first_location()) {
            let before = &text[..at.span.start];
            assert!(text.get(at.span.clone()).is_some(), "{fault}");
            assert_eq!(at.line, before.matches('\n').count() + 1, "{fault}");
            let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
            // A byte order mark at the start of a file is in no column.
            let line = if at.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
            assert_eq!(at.column, line.chars().count() + 1, "{fault}");
        }
    }
}
