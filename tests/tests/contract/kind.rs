use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use failure_kinds::{FAILURE_KINDS, FailureKind, kinds, validate_event_kind};

const ODD: FailureKind = FailureKind::from_static("my_server:odd_case");
static KINDS: [FailureKind; 2] = [kinds::CANCELLED, FailureKind::from_static("shutdown")];

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
