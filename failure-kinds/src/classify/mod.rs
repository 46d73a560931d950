//! Which side a failure is on, for reports.

mod config;
mod evidence;
mod rule;

pub use config::{FailureClassificationConfig, StageClassificationConfig};
pub use evidence::Evidence;
pub use rule::{Classification, HttpStatusKey, Rule};
