//! Classification configuration: files, partial overrides, and the merge into a whole.
//!
//! A file is read into a small tree with places ([`node`]); the tree is decoded into overrides,
//! which hold names as texts ([`decode`]); overrides merge key by key; and the merged whole is
//! validated where it is laid over a configuration ([`apply`]). The decoder of a file checks the
//! names too, so that its faults carry their places.

mod apply;
mod decode;
mod error;
mod faults;
mod full;
mod json;
mod names;
mod node;
mod overrides;
mod read;
#[cfg(feature = "schemars")]
mod schema;
#[cfg(feature = "derive")]
mod stages;
#[cfg(feature = "toml")]
mod toml;
#[cfg(feature = "yaml")]
mod yaml;

pub use error::{ConfigError, ConfigFault, ConfigLocation};
pub use overrides::{FailureClassificationOverrides, StageClassificationOverrides};
pub use read::ConfigFormat;
#[cfg(all(feature = "derive", feature = "schemars"))]
pub use schema::stages_schema;
#[cfg(feature = "derive")]
pub use stages::{StageOverrides, StageSet, deserialize_stages, serialize_stages, stage};
