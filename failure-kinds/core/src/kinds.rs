//! The registered kinds: the one table that everything else is made from.

use crate::{Class, position};

/// Hands the registered kinds to `$callback`, in the order of the vocabulary.
///
/// A row is a summary line, further documentation, and
/// `(CONSTANT, "name", Domain, default class, server subcategory)`. Add rows; never delete one:
/// a name that retires moves to the legacy table with its successor.
#[doc(hidden)]
#[macro_export]
macro_rules! with_kinds {
    ($callback:path) => {
        $callback! {
            /// No connection to the other process could be made.
            ///
            /// Refused connections and failed name resolution: nothing was delivered.
            (TRANSPORT_UNREACHABLE, "transport_unreachable", Transport, Some(Evaluation), true)
            /// The other process went away while a request was under way.
            ///
            /// The connection stood and broke: a reset, an early end of the reply.
            (TRANSPORT_PEER_DROP, "transport_peer_drop", Transport, Some(Evaluation), true)
            /// No reply came in time, and nothing is known about delivery.
            ///
            /// The waiting side gave up. For an agent that passed its own deadline there is
            /// `agent_timeout`.
            (TRANSPORT_TIMEOUT, "transport_timeout", Transport, Some(Evaluation), true)
            /// The calling side ran out of descriptors, ports or socket memory.
            (TRANSPORT_LOCAL_RESOURCE, "transport_local_resource", Transport, Some(Evaluation), false)
            /// The agent side answered and broke: the rollout ran.
            ///
            /// Whose fault it was, the name does not say.
            (AGENT_RUN_ERROR, "agent_run_error", Agent, None, false)
            /// The request to the agent failed: as far as is known the rollout never ran.
            ///
            /// A gateway answered in the agent's place, or nobody did.
            (AGENT_REQUEST_FAILED, "agent_request_failed", Agent, Some(Evaluation), true)
            /// The agent passed its own deadline.
            ///
            /// It may have kept an answer, and a verifier may have scored it.
            (AGENT_TIMEOUT, "agent_timeout", Agent, None, false)
            /// The agent tried a command that its policy forbids.
            (AGENT_COMMAND_NOT_ALLOWED, "agent_command_not_allowed", Agent, Some(Model), false)
            /// The environment server reports a failed episode and nothing finer.
            (ENVIRONMENT_SERVER_FAILED, "environment_server_failed", Environment, Some(Evaluation), true)
            /// A reply broke the wire contract.
            ///
            /// For example a status of success over a body that is no valid result.
            (ENVIRONMENT_PROTOCOL_VIOLATION, "environment_protocol_violation", Environment, Some(Evaluation), false)
            /// The harness could not be confirmed stopped.
            (HARNESS_TERMINATION_UNCONFIRMED, "harness_termination_unconfirmed", Harness, Some(Evaluation), false)
            /// The call to the judge failed.
            ///
            /// The saved answer is judged again; it is not generated again.
            (JUDGE_FAILED, "judge_failed", Judge, Some(Evaluation), false)
            /// The judge answered with a verdict that cannot be scored.
            ///
            /// The saved answer is judged again; it is not generated again.
            (JUDGE_UNPARSEABLE, "judge_unparseable", Judge, Some(Evaluation), false)
            /// The verifier or scorer itself broke.
            (VERIFIER_ERROR, "verifier_error", Verifier, Some(Evaluation), false)
            /// The backend of sandboxes, browsers or containers cannot serve.
            (PROVIDER_UNAVAILABLE, "provider_unavailable", Provider, Some(Evaluation), true)
            /// A provider's quota is spent.
            ///
            /// The reason may name the time of the reset.
            (PROVIDER_QUOTA_EXHAUSTED, "provider_quota_exhausted", Provider, Some(Evaluation), false)
            /// The provider observed an out-of-memory kill.
            ///
            /// An exit status or a message alone is no such observation.
            (PROVIDER_OOM_KILLED, "provider_oom_killed", Provider, None, true)
            /// The state of a command vanished: whether it took effect is unknown.
            (PROVIDER_COMMAND_OUTCOME_UNKNOWN, "provider_command_outcome_unknown", Provider, None, false)
            /// The resources session is gone.
            (SESSION_LOST, "session_lost", Session, Some(Evaluation), true)
            /// The session passed its lifetime.
            (SESSION_EXPIRED, "session_expired", Session, Some(Evaluation), true)
            /// Releasing the session failed.
            (SESSION_RELEASE_FAILED, "session_release_failed", Session, Some(Evaluation), false)
            /// The work was cancelled, or never dispatched.
            (CANCELLED, "cancelled", Lifecycle, None, false)
            /// The process was ended from outside: SIGTERM, a dead actor, a kill for memory outside the rollout.
            (KILL_SHAPED, "kill_shaped", Lifecycle, Some(Evaluation), false)
            /// The process is stopping.
            (SHUTDOWN, "shutdown", Lifecycle, Some(Evaluation), false)
            /// Writing the outcome failed.
            (PERSISTENCE_FAILED, "persistence_failed", Persistence, Some(Evaluation), false)
            /// A group never got all its members.
            (COHORT_INCOMPLETE, "cohort_incomplete", Cohort, Some(Evaluation), false)
        }
    };
}

/// One registered kind. What went wrong, and nothing of what to do about it.
#[derive(Debug)]
pub struct Kind {
    /// The name, as it is written everywhere.
    pub name: &'static str,
    /// The constant's name in `failure_kinds::kinds`.
    pub constant: &'static str,
    /// The part of the system that the name speaks of.
    pub domain: Domain,
    /// The side it is on with no stage and no HTTP evidence; `None`: the kind alone settles nothing.
    pub default: Option<Class>,
    /// Whether it belongs to the server subcategory of evaluation failures.
    pub server: bool,
    /// What went wrong, in one sentence.
    pub summary: &'static str,
    /// What else there is to know; may be empty, and may have several lines.
    pub detail: &'static str,
}

macro_rules! kind_table {
    ($(
        #[doc = $summary:literal] $(#[doc = $detail:literal])*
        ($constant:ident, $name:literal, $domain:ident, $default:expr, $server:literal)
    )+) => {
        /// Every registered kind, in the order of the vocabulary.
        pub static KINDS: [Kind; [$($name),+].len()] = {
            use Class::{Evaluation, Model};
            [$(Kind {
                name: $name,
                constant: stringify!($constant),
                domain: Domain::$domain,
                default: $default,
                server: $server,
                summary: $summary.trim_ascii(),
                detail: concat!($($detail, "\n",)*).trim_ascii(),
            }),+]
        };
    };
}
with_kinds!(kind_table);

macro_rules! domains {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)+) => {
        /// The part of the system that a kind speaks of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Domain { $($(#[$doc])* $variant,)+ }

        /// Every domain, in the order of the vocabulary.
        pub const DOMAINS: &[Domain] = &[$(Domain::$variant),+];

        impl Domain {
            /// The word for this domain.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

domains! {
    /// The way to another process.
    Transport "transport",
    /// The agent side.
    Agent "agent",
    /// The environment server.
    Environment "environment",
    /// The harness around an agent.
    Harness "harness",
    /// The judge.
    Judge "judge",
    /// The verifier or scorer.
    Verifier "verifier",
    /// The backend of sandboxes, browsers or containers.
    Provider "provider",
    /// The resources session.
    Session "session",
    /// The life of the process; these names carry no prefix.
    Lifecycle "lifecycle",
    /// The saving of outcomes.
    Persistence "persistence",
    /// Groups of rollouts.
    Cohort "cohort",
}

/// The registered kind of exactly this name.
#[must_use]
pub const fn kind(name: &str) -> Option<&'static Kind> {
    match position(name) {
        Some(index) => Some(&KINDS[index]),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::{Fate, GATE_DERIVED, LEGACY, gate_derived, is_kind_name, is_namespaced, legacy};
    use std::collections::HashSet;

    #[test]
    fn names_follow_the_grammar_and_their_domain() {
        for kind in &KINDS {
            assert!(is_kind_name(kind.name), "{}", kind.name);
            assert!(kind.name.len() < 40, "{}", kind.name);
            let prefixed = kind
                .name
                .strip_prefix(kind.domain.as_str())
                .is_some_and(|rest| rest.starts_with('_'));
            assert_eq!(prefixed, kind.domain != Domain::Lifecycle, "{}", kind.name);
            assert_eq!(kind.constant, kind.name.to_ascii_uppercase());
        }
        assert!(KINDS.len() < 64);
    }

    #[test]
    fn no_two_names_are_equal_without_underscores() {
        let mut seen = HashSet::new();
        for name in KINDS
            .iter()
            .map(|kind| kind.name)
            .chain(LEGACY.iter().map(|legacy| legacy.label))
            .chain(GATE_DERIVED.iter().map(|class| class.name))
        {
            assert!(seen.insert(name.replace('_', "")), "{name}");
        }
    }

    #[test]
    fn every_name_is_documented_in_one_sentence() {
        let texts = KINDS.iter().map(|kind| (kind.name, kind.summary));
        let gate = GATE_DERIVED.iter().map(|class| (class.name, class.summary));
        let mut seen = HashSet::new();
        for (name, summary) in texts.chain(gate) {
            assert!(summary.len() > 20 && summary.ends_with('.'), "{name}: {summary}");
            assert!(!summary.contains('\n') && seen.insert(summary), "{name}: {summary}");
        }
    }

    #[test]
    fn a_successor_is_registered_or_an_extension_and_no_legacy_label() {
        for old in &LEGACY {
            assert!(is_kind_name(old.label), "{}", old.label);
            assert!(kind(old.label).is_none(), "{}", old.label);
            match old.fate {
                Fate::Renamed(successor) => {
                    assert!(kind(successor).is_some() || is_namespaced(successor), "{successor}");
                    assert!(legacy(successor).is_none(), "{successor}");
                }
                Fate::Split(hint) => {
                    assert!(!hint.is_empty() && !hint.ends_with('.'), "{}: {hint}", old.label);
                }
            }
        }
    }

    #[test]
    fn gate_derived_classes_are_neither_registered_nor_legacy() {
        for class in &GATE_DERIVED {
            assert!(is_kind_name(class.name), "{}", class.name);
            assert!(kind(class.name).is_none() && legacy(class.name).is_none(), "{}", class.name);
            assert!(gate_derived(class.name).is_some());
        }
    }

    #[test]
    fn the_server_subcategory_is_the_one_of_the_contract() {
        let members: HashSet<_> =
            KINDS.iter().filter(|kind| kind.server).map(|kind| kind.name).collect();
        let expected = [
            "transport_unreachable",
            "transport_peer_drop",
            "transport_timeout",
            "agent_request_failed",
            "environment_server_failed",
            "provider_unavailable",
            "provider_oom_killed",
            "session_lost",
            "session_expired",
        ];
        assert_eq!(members, HashSet::from(expected));
    }

    #[test]
    fn the_defaults_are_those_of_the_contract() {
        for kind in &KINDS {
            let expected = match kind.name {
                "agent_run_error"
                | "agent_timeout"
                | "provider_oom_killed"
                | "provider_command_outcome_unknown"
                | "cancelled" => None,
                "agent_command_not_allowed" => Some(Class::Model),
                _ => Some(Class::Evaluation),
            };
            assert_eq!(kind.default, expected, "{}", kind.name);
        }
    }
}
