//! What `failure_kind!` accepts. `ui-tests` shows what it rejects.

use crate::capture::events;
use failure_kinds::{FAILURE_KINDS, FailureKind, failure_kind, kinds, validate_event_kind};

macro_rules! through_literal {
    ($name:literal) => {
        failure_kind!($name)
    };
}
macro_rules! through_expr {
    ($name:expr) => {
        failure_kind!($name)
    };
}
macro_rules! through_tt {
    ($name:tt) => {
        failure_kind!($name)
    };
}
macro_rules! through_two {
    ($name:literal) => {
        through_expr!($name)
    };
}

macro_rules! each_name {
    ($($(#[$doc:meta])+ $constant:ident = $name:literal { $($columns:tt)* })+) => {
        fn each_name() -> Vec<(FailureKind, FailureKind, &'static str)> {
            vec![$((failure_kind!($name), kinds::$constant, $name)),+]
        }
    };
}
failure_kinds_core::with_kinds!(each_name);

#[test]
fn c240_every_registered_name_is_its_constant() {
    for ((kind, constant, name), registered) in each_name().into_iter().zip(FAILURE_KINDS) {
        assert_eq!(kind, constant);
        assert_eq!(kind, *registered);
        assert_eq!(kind, *name);
        assert!(kind.is_registered());
    }
}

#[test]
fn c204_an_extension_keeps_its_text() {
    let kind = failure_kind!("my_server:odd_case");
    assert!(kind.is_extension());
    assert_eq!(kind, validate_event_kind("my_server:odd_case").unwrap());
    assert_eq!((kind.server(), kind.name()), (Some("my_server"), "odd_case"));
    // A legacy word is fine as the kind part.
    assert_eq!(failure_kind!("gdpval:reference_missing"), *"gdpval:reference_missing");
}

#[test]
fn raw_strings_and_escapes_are_accepted() {
    assert_eq!(failure_kind!(r"judge_failed"), kinds::JUDGE_FAILED);
    assert_eq!(failure_kind!(r##"judge_failed"##,), kinds::JUDGE_FAILED);
    assert_eq!(failure_kind!("judge\x5f\u{66}ailed"), kinds::JUDGE_FAILED);
    assert_eq!(
        failure_kind!(
            "judge_\
             failed"
        ),
        kinds::JUDGE_FAILED
    );
    assert_eq!(failure_kind!(r"my_server:odd_case"), *"my_server:odd_case");
    assert_eq!(failure_kind!["shutdown"], kinds::SHUTDOWN);
    assert_eq!(failure_kind! {"shutdown"}, kinds::SHUTDOWN);
}

#[test]
fn c201_a_trailing_comma_is_accepted() {
    assert_eq!(failure_kind!("judge_failed",), kinds::JUDGE_FAILED);
    assert_eq!(failure_kind!("my_server:odd_case",), *"my_server:odd_case");
}

#[test]
fn c195_parentheses_around_the_one_literal_are_accepted() {
    assert_eq!(failure_kind!(("judge_failed")), kinds::JUDGE_FAILED);
    assert_eq!(failure_kind!(("judge_failed"),), kinds::JUDGE_FAILED);
    assert_eq!(through_expr!(("my_server:odd_case")), *"my_server:odd_case");
}

#[test]
fn a_literal_passes_through_other_macros() {
    assert_eq!(through_literal!("judge_failed"), kinds::JUDGE_FAILED);
    assert_eq!(through_expr!("judge_failed"), kinds::JUDGE_FAILED);
    assert_eq!(through_tt!("judge_failed"), kinds::JUDGE_FAILED);
    assert_eq!(through_two!("my_server:odd_case"), *"my_server:odd_case");
}

const CONST: FailureKind = failure_kind!("judge_failed");
const OURS: FailureKind = failure_kind!("my_server:odd_case");
const OURS_BY_REFERENCE: &FailureKind = &failure_kind!("my_server:odd_case");
static STATIC: [FailureKind; 3] =
    [failure_kind!("cancelled"), failure_kind!("shutdown"), failure_kind!("my_server:odd_case")];

trait Emits {
    const KIND: FailureKind;
    const FALLBACK: FailureKind = failure_kind!("my_server:fallback");
}

struct Producer {
    kind: FailureKind,
}

impl Emits for Producer {
    const KIND: FailureKind = failure_kind!("verifier_error");
}

#[test]
fn c206_it_is_a_constant() {
    const REPEATED: [FailureKind; 2] = [failure_kind!("judge_failed"); 2];
    const LIST: &[FailureKind] =
        &[failure_kind!("judge_failed"), failure_kind!("my_server:odd_case")];
    const REGISTERED: bool = OURS_BY_REFERENCE.is_registered();

    assert_eq!(CONST, kinds::JUDGE_FAILED);
    assert_eq!(OURS, *"my_server:odd_case");
    assert_eq!(STATIC, [kinds::CANCELLED, kinds::SHUTDOWN, OURS]);
    assert_eq!(Producer::KIND, kinds::VERIFIER_ERROR);
    assert_eq!(Producer::FALLBACK, *"my_server:fallback");
    assert_eq!(REPEATED, [CONST, CONST]);
    assert_eq!([0; LIST.len()].len(), 2);
    assert_eq!(const { failure_kind!("my_server:odd_case") }, OURS);
    const { assert!(!REGISTERED) };
}

#[test]
fn it_is_an_expression_anywhere() {
    fn generic<T>(_: T) -> FailureKind {
        failure_kind!("session_lost")
    }
    async fn later() -> FailureKind {
        async { failure_kind!("my_server:odd_case") }.await
    }
    let producer = Producer { kind: failure_kind!("session_expired") };
    assert_eq!(producer.kind, kinds::SESSION_EXPIRED);
    assert_eq!(generic(1), generic("x"));
    assert_eq!([0].map(|_| failure_kind!("shutdown")), [kinds::SHUTDOWN]);
    assert_eq!(failure_kind!("judge_failed").as_str(), "judge_failed");
    assert!(matches!(&failure_kind!("shutdown"), kind if kind.is_registered()));

    let mut later = std::pin::pin!(later());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(kind) = later.as_mut().poll(&mut context) else {
        panic!("nothing to wait for")
    };
    assert_eq!(kind, OURS);
}

#[test]
fn a_registered_kind_is_a_pattern_for_a_place() {
    fn side(kind: &FailureKind) -> &'static str {
        match *kind {
            failure_kind!("judge_failed") | through_literal!("judge_unparseable") => "judge",
            through_expr!("shutdown") => "process",
            _ if *kind == failure_kind!("my_server:odd_case") => "ours",
            _ => "other",
        }
    }
    assert_eq!(side(&"judge_failed".parse().unwrap()), "judge");
    assert_eq!(side(&kinds::JUDGE_UNPARSEABLE), "judge");
    assert_eq!(side(&kinds::SHUTDOWN), "process");
    assert_eq!(side(&"my_server:odd_case".parse().unwrap()), "ours");
    assert_eq!(side(&kinds::CANCELLED), "other");

    let some = Some(kinds::CANCELLED);
    assert!(matches!(some, Some(failure_kind!("cancelled"))));
    if let Producer { kind: failure_kind!("shutdown") } = (Producer { kind: kinds::CANCELLED }) {
        panic!("it was cancelled");
    }
}

#[test]
fn c214_names_of_locals_do_not_collide() {
    struct Row {
        name: u8,
        kind: FailureKind,
        kinds: u8,
        f: u8,
    }
    let (name, kinds, f) = (1, 2, 3);
    let kind = failure_kind!("judge_failed");
    let row = Row { name, kind, kinds, f };
    assert_eq!((row.name, row.kinds, row.f), (1, 2, 3));
    assert_eq!(row.kind, failure_kind!("judge_failed"));
}

#[test]
fn c236_a_kind_is_the_value_of_a_field() {
    let events = events(|| {
        tracing::warn!(failure_kind = failure_kind!("judge_failed").as_str());
        tracing::warn!(failure_kind = failure_kind!("my_server:odd_case").as_str());
    });
    let kinds: Vec<_> = events.iter().map(|event| event.field("failure_kind")).collect();
    assert_eq!(kinds, [Some("\"judge_failed\""), Some("\"my_server:odd_case\"")]);
}

#[test]
#[deny(warnings)]
fn c284_an_extension_as_a_statement_gives_no_warning() {
    failure_kind!("browser_env:tab_crashed");
}
