//! The stages of an episode and the sides of a report.

/// Hands the stages to `$callback`, in the order of an episode: documentation, variant, name.
#[doc(hidden)]
#[macro_export]
macro_rules! with_stages {
    ($callback:path) => {
        $callback! {
            /// Before anything runs: the request is checked, queued or turned away.
            (Admission, "admission")
            /// The environment's state is prepared: session, sandbox, data.
            (Seed, "seed")
            /// The episode proper: the agent acts.
            (Agent, "agent")
            /// The outcome is scored by a verifier or a judge.
            (Verification, "verification")
            /// What the episode held is given back.
            (Cleanup, "cleanup")
        }
    };
}

macro_rules! stage_names {
    ($($(#[$doc:meta])* ($variant:ident, $name:literal))+) => {
        /// The names of the stages, in the order of an episode.
        pub const STAGES: [&str; [$($name),+].len()] = [$($name),+];
    };
}
with_stages!(stage_names);

/// The side that a report puts a failure on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The model or its policy.
    Model,
    /// The machinery that runs and grades it.
    Evaluation,
    /// Not settled.
    Unknown,
}

impl Class {
    /// Every class, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Model, Self::Evaluation, Self::Unknown];

    /// The word for this class in files and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Evaluation => "evaluation",
            Self::Unknown => "unknown",
        }
    }
}
