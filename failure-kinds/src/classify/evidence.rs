use crate::{FailureStage, RecordedStatus};

/// What is known of one failure. Only what the caller gives counts.
///
/// There is no way to give an error value, a text or a cause: nothing here is derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Evidence<'a> {
    pub(super) kind: Option<&'a str>,
    pub(super) stage: Option<FailureStage>,
    pub(super) stage_admitted: bool,
    pub(super) http_status: Option<u16>,
}

impl<'a> Evidence<'a> {
    /// No evidence.
    pub const fn new() -> Self {
        Self { kind: None, stage: None, stage_admitted: false, http_status: None }
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

    /// The HTTP status that was received. A value that is no integer in 100..=599 is no evidence.
    ///
    /// Give only a status that a peer sent. One that a client made up for a fault of its own
    /// would be taken for an answer of the peer.
    pub fn http_status(self, status: &(impl RecordedStatus + ?Sized)) -> Self {
        Self { http_status: status.recorded_status(), ..self }
    }
}
