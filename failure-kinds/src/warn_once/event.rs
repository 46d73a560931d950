//! The warnings themselves. Without the feature `tracing` there are none.

#[cfg(feature = "tracing")]
mod emitted {
    use failure_kinds_core::text::Quoted;
    use failure_kinds_core::{Fault, parse};
    use tracing::field::display;

    use super::super::watch::REMEMBERED;

    /// Reports a name that is neither registered nor an extension.
    #[cold]
    pub(in super::super) fn unregistered(name: &str) {
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

    /// Reports that further names are not reported.
    #[cold]
    pub(in super::super) fn full() {
        tracing::warn!(
            target: "failure_kinds",
            "{REMEMBERED} unregistered failure kinds were reported; further names are not"
        );
    }
}
#[cfg(feature = "tracing")]
pub(super) use emitted::{full, unregistered};

#[cfg(not(feature = "tracing"))]
pub(super) const fn unregistered(_: &str) {}

#[cfg(not(feature = "tracing"))]
pub(super) const fn full() {}
