//! What a controller without an operating system reports about a failure.

use alloc::format;
use alloc::string::String;

use failure_kinds::{
    kinds, quota_reset_unix, validate_event_kind, Evidence, FailureClassificationConfig,
    FailureStage, KindError,
};

/// One line for a failure: its kind, its side, and the rule that decided it.
///
/// # Errors
///
/// The text is not a kind.
pub fn line(kind: &str, stage: FailureStage, http_status: u16) -> Result<String, KindError> {
    let kind = validate_event_kind(kind)?;
    let evidence =
        Evidence::new().kind(kind.as_str()).stage(stage).admit_stage().http_status(&http_status);
    let verdict = FailureClassificationConfig::shared_default().classify(&evidence);
    Ok(format!("{kind} {} ({})", verdict.class, verdict.rule))
}

/// When a spent quota is reset, as unix time in seconds.
#[must_use]
pub fn quota_is_back(reason: &str) -> Option<i64> {
    quota_reset_unix(kinds::PROVIDER_QUOTA_EXHAUSTED.as_str(), reason)
}
