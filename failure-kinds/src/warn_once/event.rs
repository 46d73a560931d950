//! The warnings themselves.

use failure_kinds_core::{Fault, Quoted, parse};
use tracing::field::display;

use super::watch::REMEMBERED;

/// Tells of a name that is neither registered nor an extension.
#[cold]
pub(super) fn unregistered(name: &str) {
    let Err(refusal) = parse(name) else { return };
    let meant = refusal.suggestion.map(|suggestion| display(suggestion.name));
    let (successor, suggestion) =
        if matches!(refusal.fault, Fault::Legacy(_)) { (meant, None) } else { (None, meant) };
    tracing::warn!(
        target: "failure_kinds",
        failure_kind = %Quoted(name),
        successor,
        suggestion,
        "{}; reported once",
        refusal.sentence(name),
    );
}

/// Tells that further names are not told of.
#[cold]
pub(super) fn full() {
    tracing::warn!(
        target: "failure_kinds",
        "{REMEMBERED} unregistered failure kinds were reported; further names are not"
    );
}
