//! Laws of merging and of the full form, over any configuration.

use std::thread;

use failure_kinds::{
    FAILURE_KINDS, FailureClass, FailureClassificationConfig, FailureClassificationOverrides,
    FailureKind, FailureStage, HttpEvidence, HttpStatusKey, StageClassificationConfig,
    StageClassificationOverrides,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde::Serialize;

type Setting = Option<FailureClass>;

fn class() -> impl Strategy<Value = FailureClass> {
    select(FailureClass::ALL)
}

fn kind() -> impl Strategy<Value = FailureKind> {
    prop_oneof![
        select(FAILURE_KINDS),
        "[a-z][a-z0-9_]{0,3}:[a-z][a-z0-9_]{0,3}".prop_map(|text| text.parse().unwrap()),
    ]
}

fn status() -> impl Strategy<Value = HttpStatusKey> {
    (100..=599_u16, any::<bool>()).prop_map(|(status, exact)| {
        if exact { HttpStatusKey::exact(status) } else { HttpStatusKey::pattern(status) }.unwrap()
    })
}

/// What overrides are built from.
#[derive(Clone, Debug)]
enum Change {
    Status(HttpStatusKey, Setting),
    Default(FailureStage, Setting),
    StageKind(FailureStage, FailureKind, Setting),
    Evidence(HttpEvidence, Setting),
    Kind(FailureKind, Setting),
    Unknown(FailureClass),
}

fn change() -> impl Strategy<Value = Change> {
    let stage = || select(FailureStage::ALL);
    let setting = || option::of(class());
    prop_oneof![
        (status(), setting()).prop_map(|(key, class)| Change::Status(key, class)),
        (stage(), setting()).prop_map(|(stage, class)| Change::Default(stage, class)),
        (stage(), kind(), setting())
            .prop_map(|(stage, kind, class)| { Change::StageKind(stage, kind, class) }),
        (select(HttpEvidence::ALL), setting()).prop_map(|(l, class)| Change::Evidence(l, class)),
        (kind(), setting()).prop_map(|(kind, class)| Change::Kind(kind, class)),
        class().prop_map(Change::Unknown),
    ]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    vec(change(), 0..12)
}

impl Change {
    /// What is changed, apart from the class.
    fn key(&self) -> String {
        match self {
            Self::Status(key, _) => format!("status {key}"),
            Self::Default(stage, _) => format!("default {stage}"),
            Self::StageKind(stage, kind, _) => format!("stage {stage} {kind}"),
            Self::Evidence(label, _) => format!("evidence {label}"),
            Self::Kind(kind, _) => format!("kind {kind}"),
            Self::Unknown(_) => "unknown".into(),
        }
    }
}

fn overrides(changes: &[Change]) -> FailureClassificationOverrides {
    let mut overrides = FailureClassificationOverrides::new();
    for change in changes {
        match change {
            Change::Status(key, class) => drop(overrides.set_http_status(*key, *class)),
            Change::Default(stage, class) => {
                overrides.stage_mut(*stage).set_default(*class);
            }
            Change::StageKind(stage, kind, class) => {
                overrides.stage_mut(*stage).set_kind(kind, *class);
            }
            Change::Evidence(label, class) => {
                overrides.set_http_evidence(*label, *class);
            }
            Change::Kind(kind, class) => {
                overrides.set_kind(kind, *class);
            }
            Change::Unknown(class) => {
                overrides.set_unknown(*class);
            }
        }
    }
    overrides
}

fn config(changes: &[Change]) -> FailureClassificationConfig {
    FailureClassificationConfig::default().with_overrides(overrides(changes)).unwrap()
}

/// Written in each format.
fn written(value: &impl Serialize) -> [String; 3] {
    [
        serde_json::to_string_pretty(value).unwrap(),
        toml::to_string(value).unwrap(),
        serde_saphyr::to_string(value).unwrap(),
    ]
}

/// Written and read again, in each format.
fn through_formats(value: &impl Serialize) -> [(&'static str, FailureClassificationOverrides); 3] {
    let [json, toml, yaml] = written(value);
    let read = |result: Result<_, failure_kinds::ConfigError>, text: &str| {
        result.unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    [
        ("json", read(FailureClassificationOverrides::from_json_str(&json), &json)),
        ("toml", read(FailureClassificationOverrides::from_toml_str(&toml), &toml)),
        ("yaml", read(FailureClassificationOverrides::from_yaml_str(&yaml), &yaml)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn merging_nothing_changes_nothing(changes in changes()) {
        let some = overrides(&changes);
        let none = FailureClassificationOverrides::new;
        prop_assert_eq!(&some.clone().merge(none()), &some);
        prop_assert_eq!(&none().merge(some.clone()), &some);
        let config = config(&changes);
        prop_assert_eq!(&config.clone().with_overrides(none()).unwrap(), &config);
    }

    #[test]
    fn merging_is_associative(a in changes(), b in changes(), c in changes()) {
        let [a, b, c] = [a, b, c].map(|changes| overrides(&changes));
        prop_assert_eq!(
            a.clone().merge(b.clone()).merge(c.clone()),
            a.merge(b.merge(c))
        );
    }

    #[test]
    fn merging_first_is_applying_one_after_the_other(a in changes(), b in changes()) {
        let one_by_one = config(&a).with_overrides(overrides(&b)).unwrap();
        let merged = overrides(&a).merge(overrides(&b));
        let default = FailureClassificationConfig::default();
        prop_assert_eq!(default.with_overrides(merged).unwrap(), one_by_one);
    }

    #[test]
    fn disjoint_merges_commute(a in changes(), b in changes()) {
        let taken: Vec<_> = a.iter().map(Change::key).collect();
        let b: Vec<_> = b.into_iter().filter(|change| !taken.contains(&change.key())).collect();
        let (a, b) = (overrides(&a), overrides(&b));
        prop_assert_eq!(a.clone().merge(b.clone()), b.merge(a));
    }

    #[test]
    fn overrides_are_read_as_they_were_written(changes in vec(change(), 1..12)) {
        let overrides = overrides(&changes);
        for (format, read) in through_formats(&overrides) {
            prop_assert_eq!(&read, &overrides, "{}", format);
        }
    }

    #[test]
    fn the_full_form_gives_an_equal_configuration(
        changes in changes(),
        emptied in subsequence(FailureStage::ALL, 0..=2),
    ) {
        let mut config = config(&changes);
        for &stage in &emptied {
            *config.stage_mut(stage) = StageClassificationConfig::new();
        }
        // Configurations with the same entries are equal; the text also shows cleared ones.
        let texts = written(&config);
        for (format, read) in through_formats(&config) {
            let read = FailureClassificationConfig::default().with_overrides(read).unwrap();
            prop_assert_eq!(&read, &config, "{}", format);
            prop_assert_eq!(&written(&read), &texts, "{}", format);
        }
        // As a part of a larger configuration, read by serde_json alone.
        let [json, toml, yaml] = &texts;
        let embedded: [FailureClassificationConfig; 3] = [
            serde_json::from_str(json).unwrap(),
            toml::from_str(toml).unwrap(),
            serde_saphyr::from_str(yaml).unwrap(),
        ];
        for read in embedded {
            prop_assert_eq!(&read, &config);
        }
    }

    #[test]
    fn the_full_form_of_a_stage_gives_an_equal_stage(
        changes in changes(),
        stage in select(FailureStage::ALL),
    ) {
        let config = config(&changes);
        let json = serde_json::to_string(config.stage(stage)).unwrap();
        let read: StageClassificationConfig = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(&read, config.stage(stage));
        let partial: StageClassificationOverrides = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(
            &StageClassificationConfig::new().with_overrides(partial).unwrap(),
            config.stage(stage)
        );
    }

    #[test]
    fn no_text_breaks_a_reader(text in ".{0,80}") {
        let _ = FailureClassificationOverrides::from_json_str(&text);
        let _ = FailureClassificationOverrides::from_toml_str(&text);
        let _ = FailureClassificationOverrides::from_yaml_str(&text);
    }
}

#[test]
fn the_full_form_of_the_default() {
    let full = serde_json::to_string_pretty(FailureClassificationConfig::shared_default()).unwrap();
    snapbox::assert_data_eq!(full + "\n", snapbox::file!["default.json"].raw());
}

#[test]
fn a_cleared_entry_is_written() {
    let config = super::config(
        r#"{"class_by_http_status":{"503":null},"stages":{"seed":{"kinds":{"judge_failed":null}}},
            "kinds":{"judge_failed":null},"http_evidence":{"http_auth":null}}"#,
    );
    let full = serde_json::to_value(config).unwrap();
    for path in [
        "/class_by_http_status/503",
        "/stages/seed/kinds/judge_failed",
        "/kinds/judge_failed",
        "/http_evidence/http_auth",
        "/stages/agent/default",
    ] {
        assert_eq!(full.pointer(path).unwrap(), "none", "{path}");
    }
}

#[test]
fn no_thread_changes_the_shared_default() {
    let pristine = FailureClassificationConfig::default();
    thread::scope(|scope| {
        for (index, kind) in FAILURE_KINDS.iter().take(8).enumerate() {
            let pristine = &pristine;
            scope.spawn(move || {
                for round in 0..50 {
                    let stage = FailureStage::ALL[(index + round) % FailureStage::ALL.len()];
                    let mut own = FailureClassificationConfig::shared_default().clone();
                    let mut overrides = FailureClassificationOverrides::new();
                    overrides.stage_mut(stage).set_default(FailureClass::Unknown);
                    own = own.with_overrides(overrides).unwrap();
                    own.stage_mut(stage).set_kind(kind.clone(), None);
                    assert_ne!(&own, pristine);
                    assert_eq!(FailureClassificationConfig::shared_default(), pristine);
                }
            });
        }
    });
}
