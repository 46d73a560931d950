use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, OnceLock};
use std::thread;

use failure_kinds::{
    FailureKindWatch, unregistered_seen, unregistered_suppressed, validate_failure_kind,
    validate_failure_kind_opt,
};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::capture::{Capture, Recorded, events};

const REMEMBERED: usize = 4096;

/// The one warning that a fresh watch gives for `name`.
fn warning(name: &str) -> Recorded {
    let watch = FailureKindWatch::new();
    let events = events(|| assert_eq!(watch.validate(name), name));
    let [event] = <[Recorded; 1]>::try_from(events).unwrap();
    assert_eq!((event.target.as_str(), event.level), ("failure_kinds", Level::WARN));
    assert_eq!((watch.seen(), watch.suppressed()), (1, 0));
    event
}

fn fields(event: &Recorded) -> (&str, Option<&str>, Option<&str>) {
    let name = event.field("failure_kind").unwrap();
    (name, event.field("suggestion"), event.field("successor"))
}

#[test]
fn a_warning_holds_the_name_and_what_was_meant() {
    let near = warning("judge_faild");
    assert_eq!(fields(&near), ("judge_faild", Some("judge_failed"), None));
    assert_eq!(
        near.field("message"),
        Some(
            "`judge_faild` is not a registered failure kind; a similar name is registered: `judge_failed`; reported once"
        )
    );
    assert_eq!(fields(&warning("policy_failed")), ("policy_failed", None, None));
    assert_eq!(fields(&warning("answer_empty")), ("answer_empty", None, None));
}

#[test]
fn c33_the_warning_of_a_renamed_label_names_the_successor() {
    let renamed = warning("protocol_violation");
    let successor = Some("environment_protocol_violation");
    assert_eq!(fields(&renamed), ("protocol_violation", None, successor));

    let split = warning("timeout");
    assert_eq!(fields(&split), ("timeout", None, None));
    let message = split.field("message").unwrap();
    assert!(message.contains("write instead: `agent_timeout` or `transport_timeout`"), "{message}");
}

#[test]
fn c35_an_extension_is_silent_and_an_old_label_warns_once() {
    let watch = FailureKindWatch::new();
    let events = events(|| {
        for name in ["example:tool_crashed", "legacy_contract_test_error"].repeat(2) {
            assert_eq!(watch.validate(name), name);
        }
    });
    let names: Vec<_> = events.iter().map(|event| fields(event).0).collect();
    assert_eq!(names, ["legacy_contract_test_error"]);
}

#[test]
fn c27_a_registered_name_never_warns() {
    let watch = FailureKindWatch::new();
    let events = events(|| {
        for name in ["agent_timeout", "error", "complete", "context_length"].repeat(2) {
            assert_eq!(watch.validate(name), name);
        }
    });
    let names: Vec<_> = events.iter().map(|event| fields(event).0).collect();
    assert_eq!(names, ["error", "complete", "context_length"]);
}

#[test]
fn c130_a_status_of_another_tool_is_mapped_to_nothing() {
    assert_eq!(fields(&warning("exit_error")), ("exit_error", None, None));
}

#[test]
fn c22_c170_c172_c173_a_warning_shows_the_name_escaped_and_bounded() {
    for (name, shown) in [
        ("submitted (exit_cost)", "submitted (exit_cost)"),
        (
            "<starlette.routing.Route object at 0x7f2a54c0d1f0>",
            "<starlette.routing.Route object at 0x7f2a54c0d1f0>",
        ),
        ("judge_failed\n", r"judge_failed\n"),
        ("my_server:odd_case\n", r"my_server:odd_case\n"),
        ("judge_failed\r\n", r"judge_failed\r\n"),
        ("judge_failed ", "judge_failed "),
        ("\u{feff}judge_failed", r"\u{feff}judge_failed"),
        ("judge_f\u{430}iled", r"judge_f\u{430}iled"),
        ("judge\u{2011}failed", r"judge\u{2011}failed"),
        ("Judge_failed", "Judge_failed"),
        ("\u{ff4a}udge_failed", r"\u{ff4a}udge_failed"),
        ("\u{1b}[31mred", r"\u{1b}[31mred"),
        ("", ""),
    ] {
        let event = warning(name);
        assert_eq!(fields(&event).0, shown);
        let message = event.field("message").unwrap();
        assert!(message.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{message}");
    }
    let long = warning(&"x".repeat(1_000_000));
    assert_eq!(fields(&long).0, "x".repeat(61) + "...");
    assert!(long.field("message").unwrap().len() < 300);
}

#[test]
fn none_passes_without_a_warning() {
    let watch = FailureKindWatch::new();
    let events = events(|| {
        assert_eq!(watch.validate_opt(None), None);
        assert_eq!(watch.validate_opt(Some("shutdown")), Some("shutdown"));
        assert_eq!(watch.validate_opt(Some("no_such_name")), Some("no_such_name"));
    });
    assert_eq!((events.len(), watch.seen()), (1, 1));
}

/// Every thread gives each name to `validate`, all of them at once. Returns how often each name
/// was warned about, and how many events had no name.
fn together(
    threads: usize,
    names: &[String],
    validate: impl Fn(&str) + Sync,
) -> (HashMap<String, usize>, usize) {
    let capture = Capture::default();
    let barrier = Barrier::new(threads);
    thread::scope(|scope| {
        for offset in 0..threads {
            let (capture, barrier, validate) = (capture.clone(), &barrier, &validate);
            scope.spawn(move || {
                capture.during(|| {
                    barrier.wait();
                    // All start at the same name; later ones meet in changing order.
                    for index in 0..names.len() {
                        validate(&names[index * (offset * 2 + 1) % names.len()]);
                    }
                });
            });
        }
    });
    let mut counts = HashMap::new();
    let mut nameless = 0;
    for event in capture.take() {
        match event.field("failure_kind") {
            Some(name) => *counts.entry(name.to_owned()).or_default() += 1,
            None => nameless += 1,
        }
    }
    (counts, nameless)
}

fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|index| format!("{prefix}_{index}")).collect()
}

#[test]
fn sixteen_threads_give_one_warning_for_each_name() {
    // A power of two: every odd stride visits each name once.
    let names = numbered("no_such_name", 256);
    for _ in 0..8 {
        let watch = FailureKindWatch::new();
        let (counts, nameless) = together(16, &names, |name| {
            watch.validate(name);
        });
        assert_eq!(counts.len(), names.len());
        assert!(counts.values().all(|&count| count == 1), "{counts:?}");
        assert_eq!((nameless, watch.seen(), watch.suppressed()), (0, 256, 0));
    }
}

#[test]
fn the_free_functions_share_one_watch() {
    // No other test of this program calls the free functions.
    assert_eq!((unregistered_seen(), unregistered_suppressed()), (0, 0));
    let names = numbered("no_such_process_wide_name", 16);
    let (counts, nameless) = together(16, &names, |name| {
        assert_eq!(validate_failure_kind(name), name);
        assert_eq!(validate_failure_kind_opt(Some(name)), Some(name));
        assert_eq!(validate_failure_kind_opt(None), None);
    });
    assert_eq!((counts.len(), nameless), (16, 0));
    assert!(counts.values().all(|&count| count == 1), "{counts:?}");
    assert_eq!((unregistered_seen(), unregistered_suppressed()), (16, 0));
    assert_eq!(events(|| assert_eq!(validate_failure_kind(&names[3]), names[3])), []);
}

#[test]
fn c176_a_full_memory_forgets_nothing_and_never_warns_twice() {
    let names = numbered("no_such_name", REMEMBERED + 904);
    let watch = FailureKindWatch::new();
    let mut events = events(|| {
        for name in names.iter().chain(&names).chain(&names) {
            watch.validate(name);
        }
    });
    let last = events.pop().unwrap();
    let warned: Vec<_> = events.iter().map(|event| fields(event).0).collect();
    assert_eq!(warned, names[..REMEMBERED]);
    assert_eq!((last.target.as_str(), last.level), ("failure_kinds", Level::WARN));
    assert_eq!(last.fields.len(), 1);
    assert_eq!(
        last.field("message"),
        Some("4096 unregistered failure kinds were reported; further names are not")
    );
    assert_eq!((watch.seen(), watch.suppressed()), (REMEMBERED as u64, 3 * 904));
}

#[test]
fn the_last_warning_comes_with_one_name_more_than_are_remembered() {
    let names = numbered("no_such_name", REMEMBERED + 1);
    let watch = FailureKindWatch::new();
    let of = |names: &[String]| {
        events(|| names.iter().for_each(|name| assert_eq!(watch.validate(name), name))).len()
    };
    assert_eq!(of(&names[..REMEMBERED]), REMEMBERED);
    assert_eq!(of(&names[..REMEMBERED]), 0);
    assert_eq!((watch.seen(), watch.suppressed()), (4096, 0));
    assert_eq!(of(&names[REMEMBERED..]), 1);
    assert_eq!(of(&names), 0);
    assert_eq!((watch.seen(), watch.suppressed()), (4096, 2));
}

#[test]
fn sixteen_threads_fill_the_memory_exactly() {
    let names = numbered("no_such_name", REMEMBERED * 2);
    let watch = FailureKindWatch::new();
    let (counts, nameless) = together(16, &names, |name| {
        watch.validate(name);
    });
    assert_eq!((counts.len(), nameless), (REMEMBERED, 1));
    assert!(counts.values().all(|&count| count == 1));
    assert_eq!(watch.seen(), REMEMBERED as u64);
    // Each thread met the names that are not remembered once, after the memory was full or when
    // the name lost its place to another.
    let forgotten = names.iter().filter(|name| !counts.contains_key(*name)).count() as u64;
    assert_eq!((forgotten, watch.suppressed()), (REMEMBERED as u64, forgotten * 16));
}

#[test]
fn two_watches_share_nothing() {
    let (one, other) = (FailureKindWatch::new(), FailureKindWatch::new());
    let of = |watch: &FailureKindWatch| {
        events(|| assert_eq!(watch.validate("no_such_name"), "no_such_name")).len()
    };
    assert_eq!((of(&one), of(&other), of(&one)), (1, 1, 0));
    assert_eq!(format!("{one:?}"), "FailureKindWatch { seen: 1, suppressed: 0 }");
}

/// A subscriber that does something of its own at each event.
struct Hook<F>(F);

impl<S: Subscriber, F: Fn() + 'static> Layer<S> for Hook<F> {
    fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
        (self.0)();
    }
}

fn hooked<T>(hook: impl Fn() + Send + Sync + 'static, work: impl FnOnce() -> T) -> T {
    tracing::subscriber::with_default(tracing_subscriber::registry().with(Hook(hook)), work)
}

#[test]
fn a_panicking_subscriber_poisons_nothing() {
    let watch = FailureKindWatch::new();
    for name in ["no_such_name", "no_other_name"] {
        let panicked = hooked(
            || panic!("the subscriber's own"),
            || catch_unwind(AssertUnwindSafe(|| watch.validate(name).len())).is_err(),
        );
        assert!(panicked);
    }
    // Both names count as reported, and the watch goes on.
    let events = events(|| {
        for name in ["no_such_name", "no_other_name", "no_third_name"] {
            assert_eq!(watch.validate(name), name);
        }
    });
    let names: Vec<_> = events.iter().map(|event| fields(event).0).collect();
    assert_eq!(names, ["no_third_name"]);
    assert_eq!((watch.seen(), watch.suppressed()), (3, 0));
}

#[test]
fn a_subscriber_may_call_the_validator() {
    static WATCH: FailureKindWatch = FailureKindWatch::new();
    let inner = Arc::new(OnceLock::new());
    let called = inner.clone();
    let hook = move || {
        // The name of the event itself, and one that is new.
        let names = [WATCH.validate("no_such_name"), WATCH.validate("met_inside")];
        called.get_or_init(|| names);
    };
    hooked(hook, || {
        assert_eq!(WATCH.validate("no_such_name"), "no_such_name");
        assert_eq!(WATCH.validate("met_inside"), "met_inside");
    });
    assert_eq!(inner.get(), Some(&["no_such_name", "met_inside"]));
    assert_eq!(WATCH.seen(), 2);
}

#[test]
fn c170_values_that_never_repeat_do_not_grow_the_memory() {
    let watch = FailureKindWatch::new();
    let events = events(|| {
        for address in 0..20_000 {
            watch.validate(&format!("<starlette.routing.Route object at {address:#x}>"));
        }
    });
    let distinct: HashSet<_> = events.iter().map(|event| event.field("failure_kind")).collect();
    assert_eq!((events.len(), distinct.len()), (REMEMBERED + 1, REMEMBERED + 1));
    assert_eq!((watch.seen(), watch.suppressed()), (4096, 20_000 - 4096));
}
