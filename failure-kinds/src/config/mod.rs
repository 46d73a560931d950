//! Classification configuration: files, partial overrides, and the merge into a whole.
//!
//! A file is parsed into a tree with locations ([`document`](crate::document)). [`section`] reads
//! the tree into overrides, which hold names as texts, and applies overrides to a configuration. It
//! is the only place that knows keys, and has them from the rows of `classify/settings.rs`. A [`Decoder`](decoder::Decoder) collects the faults.

mod decoder;
mod error;
mod names;
mod overrides;
mod read;
#[cfg(feature = "schemars")]
mod schema;
mod section;
#[cfg(feature = "toml")]
mod shipped;
#[cfg(feature = "derive")]
mod stages;

pub use error::{ConfigCode, ConfigError, ConfigFault, ConfigLocation};
pub use overrides::{FailureClassificationOverrides, StageClassificationOverrides};
#[cfg(all(feature = "derive", feature = "schemars"))]
pub use schema::stages_schema;
#[cfg(feature = "toml")]
pub use shipped::{ShippedConfig, ShippedConfigError};
#[cfg(feature = "derive")]
pub use stages::{StageOverrides, StageSet, deserialize_stages, serialize_stages, stage};
