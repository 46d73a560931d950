#![cfg_attr(feature = "macros", doc = include_str!("../README.md"))]
//!
//! # The library
//!
//! One vocabulary for failures of agent evaluations, and a classifier for reports.
//!
//! * [`FailureKind`] is a registered name such as `judge_failed`, or a server's own extension
//!   such as `browser_env:tab_crashed`. [`kinds`] holds a constant for each registered name.
//! * [`ObservedKind`] is the same for saved rows, which hold any text: it rejects nothing and
//!   changes nothing.
//! * [`FailureStage`] says where in an episode a failure happened, and [`FailureClass`] on whose
//!   side a report counts it.
//! * [`FailureClassificationConfig::classify`] turns [`Evidence`] into a [`Classification`].
//!
//! ```
//! use failure_kinds::{Evidence, FailureClass, FailureClassificationConfig, FailureStage};
//!
//! let evidence = Evidence::new()
//!     .kind("provider_oom_killed")
//!     .stage(FailureStage::Agent)
//!     .admit_stage()
//!     .http_status(&503);
//! let verdict = FailureClassificationConfig::shared_default().classify(&evidence);
//! assert_eq!(verdict.class, FailureClass::Model);
//! assert_eq!(verdict.rule.to_string(), "stage agent: provider_oom_killed");
//! ```
//!
//! A name says what went wrong and nothing else. Whether to retry, how bad it is and who handles it
//! belong to the occurrence, and so does the text of the reason, which is never a label.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod class;
mod classify;
mod closed;
#[cfg(feature = "config")]
mod config;
#[cfg(feature = "config")]
#[cfg_attr(docsrs, doc(cfg(feature = "config")))]
pub mod document;
mod error;
#[cfg(feature = "config")]
mod format;
mod kind;
pub mod kinds;
#[cfg(feature = "macros")]
mod macros;
mod observed;
mod quota;
#[cfg(feature = "schemars")]
mod schema;
#[cfg(feature = "serde")]
mod serde_impls;
mod sets;
mod stage;
mod status;
mod text;
#[cfg(feature = "std")]
mod warn_once;

pub use class::{ClassError, FailureClass};
pub use classify::{
    Classification, Evidence, FailureClassificationConfig, HttpStatusKey, HttpStatusKeyError, Rule,
    RuleError, StageClassificationConfig,
};
#[cfg(feature = "derive")]
#[cfg_attr(docsrs, doc(cfg(feature = "derive")))]
pub use config::StageOverrides;
#[cfg(feature = "config")]
#[cfg_attr(docsrs, doc(cfg(feature = "config")))]
pub use config::{
    ConfigCode, ConfigError, ConfigFault, ConfigLocation, FailureClassificationOverrides,
    StageClassificationOverrides,
};
#[cfg(feature = "toml")]
#[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
pub use config::{ShippedConfig, ShippedConfigError};
pub use error::{KindError, KindErrorReason};
/// Derives the trait [`StageOverrides`](trait@StageOverrides), whose page shows what it emits and
/// which attributes it has.
#[cfg(feature = "derive")]
#[cfg_attr(docsrs, doc(cfg(feature = "derive")))]
pub use failure_kinds_macros::StageOverrides;
#[cfg(feature = "config")]
#[cfg_attr(docsrs, doc(cfg(feature = "config")))]
pub use format::ConfigFormat;
pub use kind::{FailureKind, validate_event_kind};
pub use observed::{
    GateDerivedKind, GateDerivedKindError, LegacyLabel, LegacyLabelError, ObservedKind,
    UnregisteredKind, UnregisteredKindError,
};
pub use quota::{quota_reset_text, quota_reset_unix};
pub use sets::{
    FAILURE_KINDS, GATE_DERIVED_KINDS, PROVIDER_KINDS, REJUDGE_KINDS, has_evaluation_default,
    is_gate_derived, is_namespaced, is_provider_kind, is_registered, is_rejudged,
    is_server_subcategory,
};
pub use stage::{FailureStage, StageError};
pub use status::{HttpEvidence, HttpEvidenceError, RecordedStatus, is_server_error_status};
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub use warn_once::{
    FailureKindWatch, unregistered_seen, unregistered_suppressed, validate_failure_kind,
    validate_failure_kind_opt,
};

/// What the expansions of the macros name. Not part of the interface.
#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod __private {
    pub use failure_kinds_macros::failure_kind;

    #[cfg(all(feature = "derive", feature = "schemars"))]
    pub use crate::config::stages_schema;
    #[cfg(feature = "derive")]
    pub use crate::config::{StageSet, deserialize_stages, serialize_stages, stage};
    #[cfg(all(feature = "derive", feature = "schemars"))]
    pub use alloc::borrow::Cow;
    #[cfg(all(feature = "derive", feature = "schemars"))]
    pub use schemars;
    #[cfg(feature = "derive")]
    pub use serde_core as serde;
}
