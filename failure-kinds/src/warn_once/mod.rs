//! A boundary that warns: an unregistered name stays visible, and is reported once.

mod atomics;
mod event;
mod names;
mod watch;

pub use watch::FailureKindWatch;

/// The watch behind the free functions.
static PROCESS: FailureKindWatch = FailureKindWatch::new();

/// Returns `name` unchanged, and warns once per process when it is neither a registered kind nor
/// an extension.
///
/// For producers, at the boundary where a kind leaves them. It warns and does not reject: a
/// component that still emits an old label stays visible while it is migrated, and a rejection
/// would turn a wrong name into a dropped failure. For a canonical event, use the strict
/// [`validate_event_kind`](crate::validate_event_kind).
///
/// Known names and extensions cost a lookup: no lock and no allocation.
///
/// # The warning
///
/// A `tracing` event of level `WARN` and target `failure_kinds`. The field `failure_kind` holds
/// the name, escaped and truncated to 64 characters; `successor` the new name of a renamed legacy
/// label; `suggestion` the registered name that was most likely meant. Install the subscriber
/// first: a warning without a listener is not repeated. Without the feature `tracing`, names are
/// counted and nothing is emitted.
///
/// At most 4,096 names are remembered, each by a 64-bit fingerprint with a per-process seed.
/// The next name gives one last warning, and further names are only counted: see
/// [`unregistered_suppressed`]. No name is forgotten, so none is reported twice.
///
/// ```
/// use failure_kinds::validate_failure_kind;
///
/// assert_eq!(validate_failure_kind("judge_failed"), "judge_failed");
/// assert_eq!(validate_failure_kind("browser_env:tab_crashed"), "browser_env:tab_crashed");
/// // Warns, with `suggestion=judge_failed`; the second call is silent.
/// assert_eq!(validate_failure_kind("judge_faild"), "judge_faild");
/// assert_eq!(validate_failure_kind("judge_faild"), "judge_faild");
/// ```
#[inline]
pub fn validate_failure_kind(name: &str) -> &str {
    PROCESS.validate(name)
}

/// As [`validate_failure_kind`]; `None` passes silently.
///
/// ```
/// use failure_kinds::{unregistered_seen, validate_failure_kind_opt};
///
/// assert_eq!(validate_failure_kind_opt(None), None);
/// assert_eq!(validate_failure_kind_opt(Some("judge_faild")), Some("judge_faild"));
/// assert_eq!(unregistered_seen(), 1);
/// ```
pub fn validate_failure_kind_opt(name: Option<&str>) -> Option<&str> {
    name.map(validate_failure_kind)
}

/// How many names [`validate_failure_kind`] has reported in this process: at most 4,096.
#[must_use]
pub fn unregistered_seen() -> u64 {
    PROCESS.seen()
}

/// How many calls of [`validate_failure_kind`] had an unregistered name that is not remembered,
/// because 4,096 others are.
#[must_use]
pub fn unregistered_suppressed() -> u64 {
    PROCESS.suppressed()
}
