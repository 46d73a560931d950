use crate::{FailureStage, RecordedStatus};

/// What is known about one failure. Only what the caller gives counts.
///
/// There is no way to give an error value, a text or a cause: nothing here is derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct Evidence<'a> {
    pub(super) kind: Option<&'a str>,
    pub(super) stage: Option<FailureStage>,
    pub(super) stage_admitted: bool,
    pub(super) http_status: Option<u16>,
    pub(super) call_status: Option<u16>,
}

impl<'a> Evidence<'a> {
    /// No evidence.
    pub const fn new() -> Self {
        Self {
            kind: None,
            stage: None,
            stage_admitted: false,
            http_status: None,
            call_status: None,
        }
    }

    /// The kind as it was observed: a registered name, an extension, or any other label.
    pub fn kind(self, kind: impl Into<Option<&'a str>>) -> Self {
        Self { kind: kind.into(), ..self }
    }

    /// The stage as it was observed. On its own it decides nothing; see [`Self::admit_stage`].
    pub fn stage(self, stage: impl Into<Option<FailureStage>>) -> Self {
        Self { stage: stage.into(), ..self }
    }

    /// The caller vouches that the failure originated in the given stage, so stage rules apply.
    ///
    /// A kind admits nothing by itself, not even a provider's.
    pub const fn admit_stage(self) -> Self {
        Self { stage_admitted: true, ..self }
    }

    /// The HTTP status that was received. A value that is not an integer in 100..=599 is not
    /// evidence.
    ///
    /// Give only a status that a peer sent. A status that a client made up for an error of its own
    /// would count as an answer of the peer.
    pub fn http_status(self, status: &(impl RecordedStatus + ?Sized)) -> Self {
        Self { http_status: status.recorded_status(), ..self }
    }

    /// The HTTP status of the last model call, if that call failed and the caller vouches that it
    /// ended the rollout. A value that is not an integer in 100..=599 is not evidence.
    ///
    /// An agent server answers 500 for whatever went wrong inside it, and its own client sees only
    /// that. The status of the call to the model often says more, so it decides where the label of
    /// [`Self::http_status`] has no class. It never replaces that label, and no entry of the
    /// classes by HTTP status applies to it.
    ///
    /// ```
    /// use failure_kinds::{Evidence, FailureClass, FailureClassificationConfig};
    ///
    /// let evidence = Evidence::new().kind("agent_run_error").http_status(&500).call_status(&429);
    /// let classification = FailureClassificationConfig::shared_default().classify(&evidence);
    /// assert_eq!(classification.class, FailureClass::Evaluation);
    /// assert_eq!(classification.rule.to_string(), "call evidence http_rate_limited");
    /// ```
    pub fn call_status(self, status: &(impl RecordedStatus + ?Sized)) -> Self {
        Self { call_status: status.recorded_status(), ..self }
    }
}
