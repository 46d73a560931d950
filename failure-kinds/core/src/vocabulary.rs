//! The vocabulary: one row for each kind, domain, stage, class, HTTP label and rule.
//!
//! Everything else is derived from these rows: the constants and enums, the sets, the default
//! classification, `registry.json`, the schemas and the lists in the guides.

use core::fmt::Display;

use crate::text::from_fn;

/// Calls `$callback!` with the registered kinds, in the order of the vocabulary.
///
/// A row is a summary line, more documentation where there is some, and
/// `CONSTANT = "name" { columns }`. The columns are the fields of [`Kind`](crate::Kind); all but
/// `domain` may be left out. Rows are never deleted: a retired name moves to the legacy table with
/// its successor.
#[doc(hidden)]
#[macro_export]
macro_rules! with_kinds {
    ($callback:path) => {
        $callback! {
            /// No connection to the other process could be made.
            ///
            /// Refused connections and failed name resolution: nothing was delivered.
            TRANSPORT_UNREACHABLE = "transport_unreachable" { domain: Transport, default: Some(Evaluation), server: true }
            /// The other process went away during a request.
            ///
            /// The connection was open and then broke: a reset, an early end of the reply.
            TRANSPORT_PEER_DROP = "transport_peer_drop" { domain: Transport, default: Some(Evaluation), server: true }
            /// No reply came in time, and nothing is known about delivery.
            ///
            /// The waiting side gave up. An agent that passed its own deadline is `agent_timeout`.
            TRANSPORT_TIMEOUT = "transport_timeout" { domain: Transport, default: Some(Evaluation), server: true }
            /// The calling side ran out of descriptors, ports or socket memory.
            TRANSPORT_LOCAL_RESOURCE = "transport_local_resource" { domain: Transport, default: Some(Evaluation) }
            /// The agent side answered and failed: the rollout ran.
            ///
            /// The name does not say whose fault it was.
            AGENT_RUN_ERROR = "agent_run_error" { domain: Agent }
            /// The request to the agent failed: as far as known, the rollout never ran.
            ///
            /// A gateway answered in the agent's place, or nobody did.
            AGENT_REQUEST_FAILED = "agent_request_failed" { domain: Agent, default: Some(Evaluation), server: true }
            /// The agent passed its own deadline.
            ///
            /// It may have kept an answer, and a verifier may have scored it.
            AGENT_TIMEOUT = "agent_timeout" { domain: Agent, stages: &[(Stage::Agent, Model)] }
            /// The agent tried a command that its policy forbids.
            AGENT_COMMAND_NOT_ALLOWED = "agent_command_not_allowed" { domain: Agent, default: Some(Model) }
            /// The environment server reports a failed episode and nothing more specific.
            ENVIRONMENT_SERVER_FAILED = "environment_server_failed" { domain: Environment, default: Some(Evaluation), server: true }
            /// A reply broke the wire contract.
            ///
            /// For example a successful status with a body that is not a valid result.
            ENVIRONMENT_PROTOCOL_VIOLATION = "environment_protocol_violation" { domain: Environment, default: Some(Evaluation) }
            /// It could not be confirmed that the harness stopped.
            HARNESS_TERMINATION_UNCONFIRMED = "harness_termination_unconfirmed" { domain: Harness, default: Some(Evaluation) }
            /// The call to the judge failed.
            ///
            /// The saved answer is judged again; it is not generated again.
            JUDGE_FAILED = "judge_failed" { domain: Judge, default: Some(Evaluation), rejudged: true }
            /// The judge answered with a verdict that cannot be scored.
            ///
            /// The saved answer is judged again; it is not generated again.
            JUDGE_UNPARSEABLE = "judge_unparseable" { domain: Judge, default: Some(Evaluation), rejudged: true }
            /// The verifier or scorer itself broke.
            VERIFIER_ERROR = "verifier_error" { domain: Verifier, default: Some(Evaluation) }
            /// The sandbox, browser or container backend cannot serve requests.
            PROVIDER_UNAVAILABLE = "provider_unavailable" { domain: Provider, default: Some(Evaluation), server: true }
            /// A provider's quota is spent.
            ///
            /// The reason may name the time of the reset.
            PROVIDER_QUOTA_EXHAUSTED = "provider_quota_exhausted" { domain: Provider, default: Some(Evaluation) }
            /// The provider observed an out-of-memory kill.
            ///
            /// An exit status or a message alone is not such an observation.
            PROVIDER_OOM_KILLED = "provider_oom_killed" { domain: Provider, server: true, stages: &[(Stage::Agent, Model)] }
            /// The state of a command was lost: whether it took effect is unknown.
            PROVIDER_COMMAND_OUTCOME_UNKNOWN = "provider_command_outcome_unknown" { domain: Provider }
            /// The resources session is gone.
            SESSION_LOST = "session_lost" { domain: Session, default: Some(Evaluation), server: true }
            /// The session passed its lifetime.
            SESSION_EXPIRED = "session_expired" { domain: Session, default: Some(Evaluation), server: true }
            /// Releasing the session failed.
            SESSION_RELEASE_FAILED = "session_release_failed" { domain: Session, default: Some(Evaluation) }
            /// The work was cancelled, or never dispatched.
            CANCELLED = "cancelled" { domain: Lifecycle }
            /// The process was ended from outside: SIGTERM, a dead actor, an out-of-memory kill outside the rollout.
            KILL_SHAPED = "kill_shaped" { domain: Lifecycle, default: Some(Evaluation) }
            /// The process is stopping.
            SHUTDOWN = "shutdown" { domain: Lifecycle, default: Some(Evaluation) }
            /// Writing the outcome failed.
            PERSISTENCE_FAILED = "persistence_failed" { domain: Persistence, default: Some(Evaluation) }
            /// A group never got all its members.
            COHORT_INCOMPLETE = "cohort_incomplete" { domain: Cohort, default: Some(Evaluation) }
        }
    };
}

/// Calls `$callback!` with the stages, in the order of an episode.
///
/// A row is a summary line and `Variant = "name" { default: class }`, the class of a failure at
/// that stage whose kind has no entry for it.
#[doc(hidden)]
#[macro_export]
macro_rules! with_stages {
    ($callback:path) => {
        $callback! {
            /// Before anything runs: the request is checked, queued or rejected.
            Admission = "admission" { default: Some(Evaluation) }
            /// The environment's state is prepared: session, sandbox, data.
            Seed = "seed" { default: Some(Evaluation) }
            /// The episode itself: the agent acts.
            Agent = "agent" { default: None }
            /// A verifier or a judge scores the outcome.
            Verification = "verification" { default: Some(Evaluation) }
            /// The resources of the episode are released.
            Cleanup = "cleanup" { default: Some(Evaluation) }
        }
    };
}

/// Calls `$callback!` with the classes, in the order of the contract.
///
/// A row is a summary line and `Variant = "name"`.
#[doc(hidden)]
#[macro_export]
macro_rules! with_classes {
    ($callback:path) => {
        $callback! {
            /// The model or its policy.
            Model = "model"
            /// The machinery that runs and grades the episode.
            Evaluation = "evaluation"
            /// The evidence does not decide.
            Unknown = "unknown"
        }
    };
}

/// Calls `$callback!` with the labels of HTTP statuses.
///
/// A row is a summary line, more documentation where there is some, and
/// `Variant = "label" { statuses: pattern, default: class }`. The first row whose pattern matches a
/// status gives its label.
#[doc(hidden)]
#[macro_export]
macro_rules! with_http_labels {
    ($callback:path) => {
        $callback! {
            /// The caller is not allowed to do this.
            Auth = "http_auth" { statuses: 401 | 403, default: Some(Evaluation) }
            /// Something did not answer in time.
            Timeout = "http_timeout" { statuses: 408 | 504, default: Some(Evaluation) }
            /// The request is too large.
            PayloadTooLarge = "http_payload_too_large" { statuses: 413, default: None }
            /// There were too many requests.
            RateLimited = "http_rate_limited" { statuses: 429, default: Some(Evaluation) }
            /// A gateway could not reach the server.
            Gateway = "http_gateway" { statuses: 502 | 503, default: Some(Evaluation) }
            /// The server rejected the request.
            ///
            /// After a chain of servers that does not say whose fault it was.
            ClientError = "http_client_error" { statuses: 400..=499, default: None }
            /// The server failed.
            ///
            /// After a chain of servers that does not say whose fault it was.
            ServerError = "http_server_error" { statuses: 500..=599, default: None }
        }
    };
}

/// Calls `$callback!` with the rules of the classification, in the order in which they are tried.
///
/// A row is a summary line and `Variant = "name" { step: number }`, where the step is that of the
/// documentation. A gate-derived class comes under the rule `kind`.
#[doc(hidden)]
#[macro_export]
macro_rules! with_rules {
    ($callback:path) => {
        $callback! {
            /// The configuration has a class for the HTTP status, or for its pattern.
            HttpStatusOverride = "http_status_override" { step: 1 }
            /// The kind has a class of its own at the stage where it failed.
            StageKind = "stage_kind" { step: 2 }
            /// The stage where it failed has a class, and the kind has no other one there.
            StageDefault = "stage_default" { step: 2 }
            /// The HTTP status of the failed request has a class, by its label.
            HttpEvidence = "http_evidence" { step: 3 }
            /// The HTTP status of the failed last model call has a class, by its label.
            CallEvidence = "call_evidence" { step: 3 }
            /// The kind has a class: the configuration's, or the vocabulary's.
            Kind | GateDerivedKind = "kind" { step: 4 }
            /// No other rule gives a class.
            Fallback = "fallback" { step: 5 }
        }
    };
}

/// One registered kind: what went wrong, and nothing about what to do next.
#[derive(Debug)]
pub struct Kind {
    /// The name, as it is written everywhere.
    pub name: &'static str,
    /// The constant's name in `failure_kinds::kinds`.
    pub constant: &'static str,
    /// What went wrong, in one sentence.
    pub summary: &'static str,
    /// More documentation; may be empty, and may have several lines.
    pub detail: &'static str,
    /// The part of the system that the name is about.
    pub domain: Domain,
    /// The class with no stage and no HTTP evidence; `None`: the kind alone decides nothing.
    pub default: Option<Class>,
    /// Whether it belongs to the server subcategory of evaluation failures.
    pub server: bool,
    /// Whether the saved answer is judged again and never generated again.
    pub rejudged: bool,
    /// The classes at single stages, before the default of the stage.
    pub stages: &'static [(Stage, Class)],
}

impl Kind {
    /// A row whose optional columns are left out.
    const fn new(
        (name, constant): (&'static str, &'static str),
        (summary, detail): (&'static str, &'static str),
        domain: Domain,
    ) -> Self {
        Self {
            name,
            constant,
            summary: summary.trim_ascii(),
            detail: detail.trim_ascii(),
            domain,
            default: None,
            server: false,
            rejudged: false,
            stages: &[],
        }
    }
}

macro_rules! kind_table {
    ($(
        #[doc = $summary:literal] $(#[doc = $detail:literal])*
        $constant:ident = $name:literal { domain: $domain:ident $(, $column:ident: $value:expr)* }
    )+) => {
        /// Every registered kind, in the order of the vocabulary.
        pub static KINDS: [Kind; [$($name),+].len()] = {
            #[allow(clippy::enum_glob_use, reason = "a row names any class")]
            use Class::*;
            [$(Kind {
                $($column: $value,)*
                ..Kind::new(
                    ($name, stringify!($constant)),
                    ($summary, concat!($($detail, "\n",)*)),
                    Domain::$domain,
                )
            }),+]
        };
    };
}
with_kinds!(kind_table);

macro_rules! stage_table {
    ($(
        #[doc = $summary:literal] $variant:ident = $name:literal { default: $default:expr }
    )+) => {
        /// A stage of an episode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Stage { $(#[doc = $summary] $variant,)+ }

        impl Stage {
            /// Every stage, in the order of an episode.
            pub const ALL: [Self; STAGES.len()] = [$(Self::$variant),+];

            /// The variant's name in `failure_kinds::FailureStage`.
            #[must_use]
            pub const fn variant(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)+ }
            }

            /// What the stage is, in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary.trim_ascii(),)+ }
            }

            /// The class of a failure at this stage whose kind has no entry for it.
            #[must_use]
            pub const fn default_class(self) -> Option<Class> {
                #[allow(clippy::enum_glob_use, reason = "a row names any class")]
                use Class::*;
                match self { $(Self::$variant => $default,)+ }
            }
        }

        /// The names of the stages, in the order of an episode.
        pub const STAGES: [&str; [$($name),+].len()] = [$($name),+];
    };
}
with_stages!(stage_table);

macro_rules! class_table {
    ($(#[doc = $summary:literal] $variant:ident = $name:literal)+) => {
        /// The side that a report puts a failure on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Class { $(#[doc = $summary] $variant,)+ }

        impl Class {
            /// Every class, in the order of the contract.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name in files and reports.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What the class means, in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary.trim_ascii(),)+ }
            }

            /// The variant's name in `failure_kinds::FailureClass`.
            #[must_use]
            pub const fn variant(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)+ }
            }
        }
    };
}
with_classes!(class_table);

/// One label of HTTP statuses.
#[derive(Debug)]
pub struct HttpLabel {
    /// The label, as reports show it.
    pub name: &'static str,
    /// The variant's name in `failure_kinds::HttpEvidence`.
    pub variant: &'static str,
    /// What the status says, in one sentence.
    pub summary: &'static str,
    /// More documentation; may be empty.
    pub detail: &'static str,
    /// The class in the default configuration.
    pub default: Option<Class>,
    /// The pattern of its statuses.
    pattern: &'static str,
}

impl HttpLabel {
    /// Its statuses: `401, 403`, or `other 400 to 499` after the labels before it.
    #[must_use]
    pub fn statuses(&self) -> impl Display {
        from_fn(|f| {
            if let Some((first, last)) = self.pattern.split_once("..=") {
                return write!(f, "other {} to {}", first.trim(), last.trim());
            }
            self.pattern.split(" | ").enumerate().try_for_each(|(index, status)| {
                write!(f, "{}{status}", if index == 0 { "" } else { ", " })
            })
        })
    }
}

macro_rules! http_label_table {
    ($(
        #[doc = $summary:literal] $(#[doc = $detail:literal])*
        $variant:ident = $name:literal { statuses: $statuses:pat, default: $default:expr }
    )+) => {
        /// Every label of HTTP statuses, in the order in which they are tried.
        pub static HTTP_LABELS: [HttpLabel; [$($name),+].len()] = {
            #[allow(clippy::enum_glob_use, reason = "a row names any class")]
            use Class::*;
            [$(HttpLabel {
                name: $name,
                variant: stringify!($variant),
                summary: $summary.trim_ascii(),
                detail: concat!($($detail, "\n",)*).trim_ascii(),
                default: $default,
                pattern: stringify!($statuses),
            }),+]
        };
    };
}
with_http_labels!(http_label_table);

/// One rule of the classification.
#[derive(Debug)]
pub struct Rule {
    /// The name, as reports show it.
    pub name: &'static str,
    /// When the rule decides, in one sentence.
    pub summary: &'static str,
    /// Its place in the order; two rules can share one.
    pub step: u8,
}

macro_rules! rule_table {
    ($(#[doc = $summary:literal] $($variant:ident)|+ = $name:literal { step: $step:literal })+) => {
        /// Every rule of the classification, in the order in which they are tried.
        pub static RULES: [Rule; [$($name),+].len()] =
            [$(Rule { name: $name, summary: $summary.trim_ascii(), step: $step }),+];
    };
}
with_rules!(rule_table);

macro_rules! domains {
    ($(#[doc = $summary:literal] $variant:ident = $name:literal)+) => {
        /// The part of the system that a kind is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Domain { $(#[doc = $summary] $variant,)+ }

        /// Every domain, in the order of the vocabulary.
        pub const DOMAINS: &[Domain] = &[$(Domain::$variant),+];

        impl Domain {
            /// The name of this domain.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

domains! {
    /// The connection to another process.
    Transport = "transport"
    /// The agent side.
    Agent = "agent"
    /// The environment server.
    Environment = "environment"
    /// The harness around an agent.
    Harness = "harness"
    /// The judge.
    Judge = "judge"
    /// The verifier or scorer.
    Verifier = "verifier"
    /// The backend of sandboxes, browsers or containers.
    Provider = "provider"
    /// The resources session.
    Session = "session"
    /// The life of the process; these names carry no prefix.
    Lifecycle = "lifecycle"
    /// The saving of outcomes.
    Persistence = "persistence"
    /// Groups of rollouts.
    Cohort = "cohort"
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::{
        GATE_DERIVED, LEGACY, Status, gate_derived, is_kind_name, is_namespaced, kind, legacy,
    };
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
            .chain(Class::ALL.map(Class::as_str))
            .chain(STAGES)
            .chain(HTTP_LABELS.iter().map(|label| label.name))
            .chain(RULES.iter().map(|rule| rule.name))
        {
            assert!(seen.insert(name.replace('_', "")), "{name}");
        }
    }

    #[test]
    fn every_name_is_documented_in_one_sentence() {
        let texts = KINDS.iter().map(|kind| (kind.name, kind.summary));
        let gate = GATE_DERIVED.iter().map(|class| (class.name, class.summary));
        let labels = HTTP_LABELS.iter().map(|label| (label.name, label.summary));
        let rules = RULES.iter().map(|rule| (rule.name, rule.summary));
        let stages = STAGES.into_iter().zip(Stage::ALL.map(Stage::summary));
        let classes = Class::ALL.map(|class| (class.as_str(), class.summary()));
        let mut seen = HashSet::new();
        for (name, summary) in
            texts.chain(gate).chain(labels).chain(rules).chain(stages).chain(classes)
        {
            assert!(summary.len() > 15 && summary.ends_with('.'), "{name}: {summary}");
            assert!(!summary.contains('\n') && seen.insert(summary), "{name}: {summary}");
        }
    }

    #[test]
    fn a_successor_is_registered_or_an_extension_and_not_a_legacy_label() {
        for old in &LEGACY {
            assert!(is_kind_name(old.label), "{}", old.label);
            assert!(kind(old.label).is_none(), "{}", old.label);
            match old.status {
                Status::Renamed(successor) => {
                    assert!(kind(successor).is_some() || is_namespaced(successor), "{successor}");
                    assert!(legacy(successor).is_none(), "{successor}");
                }
                Status::Split(hint) => {
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
}
