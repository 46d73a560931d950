//! The named sets of the vocabulary and the predicates on names.
//!
//! Every predicate looks at the given text only: a legacy label is not followed to its successor.

use core::mem;

use failure_kinds_core::{Class, GATE_DERIVED_NAMES, PROVIDER, REJUDGED, contains, kind, position};

use crate::{FailureClass, FailureKind, kinds};

/// The shared vocabulary, in its order.
pub static FAILURE_KINDS: &[FailureKind] = &kinds::ALL;

/// Observations of a provider. Membership assigns no responsibility.
pub static PROVIDER_KINDS: &[FailureKind] = &{
    const NONE: FailureKind = FailureKind::registered(0);
    let mut kinds = [NONE; PROVIDER.len()];
    let mut index = 0;
    while index < kinds.len() {
        // Assigning would drop the old value, which no constant may.
        mem::forget(mem::replace(&mut kinds[index], FailureKind::from_static(PROVIDER[index])));
        index += 1;
    }
    kinds
};

/// The judge failures whose saved answer is judged again and never generated again.
///
/// The legacy label `judge_invalid` is a member though it is not registered: saved rows hold it.
pub static REJUDGE_KINDS: &[&str] = REJUDGED;

/// The classes that an acceptance gate derives from saved rows. No producer may emit one.
pub static GATE_DERIVED_KINDS: &[&str] = GATE_DERIVED_NAMES;

/// Whether `name` is part of the shared vocabulary, and nothing more.
#[must_use]
pub const fn is_registered(name: &str) -> bool {
    position(name).is_some()
}

/// Whether `name` is well-formed as a server's own `<server>:<kind>` extension.
///
/// Both parts are `[a-z][a-z0-9_]*`, the whole string, with exactly one colon.
#[must_use]
pub const fn is_namespaced(name: &str) -> bool {
    failure_kinds_core::is_namespaced(name)
}

/// Whether `name` is a class that an acceptance gate derives from saved rows.
#[must_use]
pub const fn is_gate_derived(name: &str) -> bool {
    contains(GATE_DERIVED_NAMES, name)
}

/// Whether `name` is a registered provider observation ([`PROVIDER_KINDS`]).
///
/// ```
/// use failure_kinds::is_provider_kind;
///
/// assert!(is_provider_kind("provider_oom_killed"));
/// assert!(!is_provider_kind("oom_killed"), "a legacy label is not registered");
/// ```
#[must_use]
pub const fn is_provider_kind(name: &str) -> bool {
    match kind(name) {
        Some(kind) => kind.is_provider(),
        None => false,
    }
}

/// Whether the saved answer of a failure with this name is judged again ([`REJUDGE_KINDS`]).
///
/// ```
/// use failure_kinds::is_rejudged;
///
/// assert!(is_rejudged("judge_failed") && is_rejudged("judge_invalid"));
/// assert!(!is_rejudged("verifier_error"));
/// ```
#[must_use]
pub const fn is_rejudged(name: &str) -> bool {
    contains(REJUDGED, name)
}

/// Whether the registered kind `name` is on the evaluation's side without any further context.
#[must_use]
pub const fn has_evaluation_default(name: &str) -> bool {
    match kind(name) {
        Some(kind) => matches!(kind.default, Some(Class::Evaluation)),
        None => false,
    }
}

/// Whether a failure that is already on the evaluation's side belongs to the server subcategory.
///
/// It never decides a class: for any class but [`FailureClass::Evaluation`] the answer is `false`.
#[must_use]
pub const fn is_server_subcategory(class: FailureClass, name: &str) -> bool {
    matches!(class, FailureClass::Evaluation)
        && match kind(name) {
            Some(kind) => kind.server,
            None => false,
        }
}
