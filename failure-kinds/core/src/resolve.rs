//! What the vocabulary knows about a text.

use crate::{GateDerived, KINDS, Kind, Legacy, gate_derived, kind, legacy, split_extension};

/// What the vocabulary knows about a text.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// A registered kind.
    Registered(&'static Kind),
    /// A well-formed extension of a server.
    Extension {
        /// What is before the colon.
        server: &'a str,
        /// What is after it.
        name: &'a str,
    },
    /// A label of saved rows and old producers.
    Legacy(&'static Legacy),
    /// A class that only an acceptance gate derives.
    GateDerived(&'static GateDerived),
    /// None of these.
    Unregistered,
}

impl Entry<'_> {
    /// The words for all states in reports.
    pub const STATES: [&'static str; 5] =
        ["registered", "extension", "legacy", "gate_derived", "unregistered"];

    /// The word for this state.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        let [registered, extension, legacy, gate_derived, unregistered] = Self::STATES;
        match self {
            Self::Registered(_) => registered,
            Self::Extension { .. } => extension,
            Self::Legacy(_) => legacy,
            Self::GateDerived(_) => gate_derived,
            Self::Unregistered => unregistered,
        }
    }
}

/// Looks up a text as it is.
#[must_use]
pub fn resolve(text: &str) -> Entry<'_> {
    if let Some(kind) = kind(text) {
        Entry::Registered(kind)
    } else if let Some((server, name)) = split_extension(text) {
        Entry::Extension { server, name }
    } else if let Some(legacy) = legacy(text) {
        Entry::Legacy(legacy)
    } else if let Some(class) = gate_derived(text) {
        Entry::GateDerived(class)
    } else {
        Entry::Unregistered
    }
}

/// The registered kind that an extension doubles: by its kind part (`my_server:judge_failed`),
/// or by both parts joined (`judge:failed`).
///
/// Such an extension is well-formed, and still a second label for one failure.
#[must_use]
pub fn doubled(server: &str, name: &str) -> Option<&'static Kind> {
    let joined = |kind: &&Kind| {
        kind.name.len() == server.len() + 1 + name.len()
            && kind.name.as_bytes()[server.len()] == b'_'
            && kind.name.starts_with(server)
            && kind.name.ends_with(name)
    };
    kind(name).or_else(|| KINDS.iter().find(joined))
}
