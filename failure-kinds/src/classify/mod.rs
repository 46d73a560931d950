//! Which side a failure is on, for reports.

mod config;
mod evidence;
mod rule;
mod settings;

#[cfg(feature = "config")]
pub(crate) use config::{Entries, Entry, Labels, Stages};
pub use config::{FailureClassificationConfig, StageClassificationConfig};
pub use evidence::Evidence;
pub use rule::{Classification, HttpStatusKey, HttpStatusKeyError, Rule, RuleError};
#[cfg(feature = "config")]
pub(crate) use settings::{with_settings, with_stage_settings};
