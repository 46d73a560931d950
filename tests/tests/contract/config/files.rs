//! Good files and bad files, in all formats. The faults of a bad one are beside it, in `.txt`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use failure_kinds::{
    ConfigCode, ConfigFault, ConfigFormat, FailureClassificationOverrides, FailureStage,
};
use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};

/// The files of a folder, without the expected faults.
pub(super) fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/config").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "txt"))
        .collect();
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    files
}

#[test]
fn good_files_are_read() {
    for path in files("good") {
        if let Err(error) = FailureClassificationOverrides::from_path(&path) {
            panic!("{error}");
        }
    }
}

#[test]
fn the_three_formats_say_the_same() {
    let read = |name| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/config/good");
        FailureClassificationOverrides::from_path(folder.join(name)).unwrap()
    };
    let json = read("contract.json");
    assert!(!json.is_empty());
    assert_eq!(read("contract.toml"), json);
    assert_eq!(read("contract.yaml"), json);
}

#[test]
fn every_fault_of_a_bad_file_is_in_one_report() {
    for path in files("bad") {
        let error = FailureClassificationOverrides::from_path(&path).unwrap_err();
        assert!(!error.is_io() && error.file() == Some(&path));
        let folder = format!("{}/", path.parent().unwrap().display());
        let mut expected = path.clone().into_os_string();
        expected.push(".txt");
        // A backslash is a backslash, and no part of a path.
        let assert = Assert::new().action_env(DEFAULT_ACTION_ENV).normalize_paths(false);
        assert.eq(
            error.to_string().replace(&folder, "") + "\n",
            Data::read_from(Path::new(&expected), Some(DataFormat::Text)),
        );
    }
}

#[test]
fn seven_mistakes_are_seven_located_faults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/config/bad/seven.toml");
    let error = FailureClassificationOverrides::from_path(path).unwrap_err();
    let faults: Vec<_> = error
        .faults()
        .iter()
        .map(|fault| (fault.path(), fault.location().unwrap().line, fault.suggestion()))
        .collect();
    assert_eq!(
        faults,
        [
            ("unknwon", 2, Some("unknown")),
            ("class_by_http_status.42", 5, None),
            ("class_by_http_status.429", 6, Some("evaluation")),
            ("stages.verifcation", 8, Some("verification")),
            ("stages.agent.default", 12, None),
            ("stages.agent.kinds.judge_faild", 15, Some("judge_failed")),
            ("stages.agent.kinds.agent_timeout", 17, None),
        ]
    );
    let source = error.source_text().unwrap();
    let spans: Vec<_> = error
        .faults()
        .iter()
        .map(|fault| &source[fault.location().unwrap().span.clone()])
        .collect();
    assert_eq!(
        spans,
        ["unknwon", "42", "\"evalution\"", "verifcation", "5", "judge_faild", "agent_timeout"]
    );
    assert_eq!(error.faults()[6].first_location().unwrap().line, 16);
}

#[test]
fn every_bad_file_has_expected_faults_and_no_others_do() {
    for path in files("bad") {
        let mut expected = path.clone().into_os_string();
        expected.push(".txt");
        assert!(Path::new(&expected).exists(), "{} has no expected faults", path.display());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/config/bad");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            assert!(path.with_extension("").exists(), "{} expects nothing", path.display());
        }
    }
}

#[test]
fn a_size_of_one_mebibyte_is_the_limit() {
    let padded = |size: usize| {
        let json = r#"{"unknown":"model"}"#;
        format!("{json}{}", " ".repeat(size - json.len()))
    };
    assert!(FailureClassificationOverrides::from_json_str(&padded(1 << 20)).is_ok());
    let error = FailureClassificationOverrides::from_json_str(&padded((1 << 20) + 1)).unwrap_err();
    assert_eq!(error.to_string(), "the file is over 1 MiB");
}

#[test]
fn a_file_of_the_largest_size_that_is_right_is_read() {
    let mut yaml = String::from("kinds:\n");
    for index in 0.. {
        let line = format!("  a:b{index}: model\n");
        if yaml.len() + line.len() > 1 << 20 {
            break;
        }
        yaml.push_str(&line);
    }
    assert!(FailureClassificationOverrides::from_yaml_str(&yaml).is_ok());
}

#[test]
fn aliases_that_repeat_too_many_entries_are_rejected() {
    let mut yaml = String::from("stages:\n  agent: &agent\n    kinds:\n");
    for index in 0..20_000 {
        let _ = writeln!(yaml, "      a:b{index}: model");
    }
    for index in 0..30 {
        let _ = writeln!(yaml, "  stage{index}: *agent");
    }
    let error = FailureClassificationOverrides::from_yaml_str(&yaml).unwrap_err();
    assert_eq!(error.faults()[0].code(), ConfigCode::TooManyEntries);
    assert_eq!(error.faults()[0].message(), "over 500000 entries, with aliases expanded");
    assert_eq!(error.faults()[1].path(), "stages.stage0");
}

#[test]
fn c285_merge_keys_are_rejected_by_name() {
    let yaml = "stages:\n  agent: &shared {default: model}\n  seed: {<<: *shared}\n";
    let error = FailureClassificationOverrides::from_yaml_str(yaml).unwrap_err();
    let [fault] = error.faults() else { panic!("{error}") };
    assert_eq!(fault.code(), ConfigCode::MergeKey);
    assert_eq!(fault.path(), "stages.seed.\"<<\"");
    assert_eq!(fault.location().map(|at| (at.line, at.column)), Some((3, 10)));
    assert_eq!(fault.message(), "merge keys (`<<`) are not supported");
    assert_eq!(
        fault.help(),
        Some("write the entries out, or give the whole map by an alias: `verification: *shared`")
    );
    // That help is right.
    let yaml = "stages:\n  agent: &shared {default: model}\n  seed: *shared\n";
    let overrides = FailureClassificationOverrides::from_yaml_str(yaml).unwrap();
    assert_eq!(overrides.stage(FailureStage::Seed), overrides.stage(FailureStage::Agent));
    assert!(overrides.stage(FailureStage::Seed).is_some());
}

#[test]
fn integers_of_yaml_are_decimal() {
    let keys = |yaml: &str| {
        FailureClassificationOverrides::from_yaml_str(yaml)
            .map(|read| read.http_statuses().map(|(key, _)| key.to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(keys("class_by_http_status: {429: model, '503': model}").unwrap(), ["429", "503"]);
    for key in ["4_29", "0o651", "0x1ad", "0b110101101", "+429", "0429", "429.0", "4.29e2"] {
        let yaml = format!("class_by_http_status: {{{key}: model}}");
        assert!(keys(&yaml).is_err(), "{key}");
    }
}

#[test]
fn each_kind_of_fault_has_a_code() {
    use ConfigCode::*;

    let yaml = |text: &str| FailureClassificationOverrides::from_yaml_str(text);
    let file = |name: &str| {
        let bad = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/config/bad");
        FailureClassificationOverrides::from_path(bad.join(name))
    };
    for (result, code) in [
        (file("nowhere.toml"), Io),
        (file("a.ini"), UnknownFormat),
        (file("not-utf8.toml"), NotUtf8),
        (file("deep.yaml"), TooDeep),
        (yaml(" \n"), Empty),
        (yaml(&"#".repeat((1 << 20) + 1)), TooLarge),
        (yaml("kinds: ["), Syntax),
        (yaml("kinds: {}\n---\nkinds: {}"), Syntax),
        (yaml("unknown: model\nunknown: model"), DuplicateKey),
        (yaml("kind: {}"), UnknownKey),
        (yaml("kinds: []"), WrongType),
        (yaml("kinds: {1.5: model}"), WrongType),
        (yaml("class_by_http_status: {42: model}"), InvalidHttpStatus),
        (yaml("stages: {agnt: {}}"), UnknownStage),
        (yaml("http_evidence: {http_teapot: model}"), UnknownHttpLabel),
        (yaml("unknown: modle"), UnknownClass),
        (yaml("unknown: none"), UnknownClass),
        (yaml("kinds: {judge_faild: model}"), UnknownKind),
    ] {
        let error = result.unwrap_err();
        let codes: Vec<_> = error.faults().iter().map(ConfigFault::code).collect();
        assert_eq!(codes, [code], "{error}");
    }
}

#[test]
fn the_extension_decides_the_format() {
    for (name, format) in [
        ("a.json", Some(ConfigFormat::Json)),
        ("a.TOML", Some(ConfigFormat::Toml)),
        ("a.b.yaml", Some(ConfigFormat::Yaml)),
        ("a.yml", Some(ConfigFormat::Yaml)),
        ("json", None),
        ("a.jsonl", None),
        ("a.", None),
    ] {
        assert_eq!(ConfigFormat::of_path(Path::new(name)), format, "{name}");
    }
    let error = FailureClassificationOverrides::from_path("a.ini").unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.ini: the extension is not that of a format; \
         give the file the extension `.json` or `.toml` or `.yaml` or `.yml`"
    );
    assert!(!error.is_io());
}

#[test]
fn a_file_that_cannot_be_read_is_reported_with_its_name() {
    let error = FailureClassificationOverrides::from_path("nowhere/a.toml").unwrap_err();
    assert!(error.is_io() && std::error::Error::source(&error).is_some());
    assert!(error.to_string().starts_with("nowhere/a.toml: cannot read the file: "), "{error}");
}
