//! The full form of a configuration.

use serde_core::de::{Deserialize, Deserializer, Error};
use serde_core::ser::{Serialize, Serializer};

use super::decode::Decoder;
use super::overrides::{Full, lenient};
use super::{FailureClassificationOverrides, StageClassificationOverrides};
use crate::{FailureClassificationConfig, FailureStage, HttpEvidence, StageClassificationConfig};

impl From<&FailureClassificationConfig> for FailureClassificationOverrides {
    /// The overrides that make the default configuration into this one: every entry, and what
    /// the default has and this has not as cleared.
    fn from(config: &FailureClassificationConfig) -> Self {
        let mut overrides = Self::new();
        for (key, class) in config.http_statuses() {
            overrides.set_http_status(key, class);
        }
        for &stage in FailureStage::ALL {
            let into = overrides.stage_mut(stage);
            for (kind, _) in FailureClassificationConfig::shared_default().stage(stage).kinds() {
                into.set_kind(kind, None);
            }
            into.set_all(config.stage(stage));
        }
        for &label in HttpEvidence::ALL {
            overrides.set_http_evidence(label, config.http_evidence(label));
        }
        for (kind, class) in config.kinds() {
            overrides.set_kind(kind, class);
        }
        overrides.set_unknown(config.unknown());
        overrides
    }
}

impl From<&StageClassificationConfig> for StageClassificationOverrides {
    /// The overrides that make an empty configuration into this one.
    fn from(config: &StageClassificationConfig) -> Self {
        let mut overrides = Self::new();
        overrides.set_all(config);
        overrides
    }
}

impl StageClassificationOverrides {
    fn set_all(&mut self, config: &StageClassificationConfig) {
        self.set_default(config.default_class());
        for (kind, class) in config.kinds() {
            self.set_kind(kind, class);
        }
    }
}

impl Serialize for FailureClassificationConfig {
    /// The full form: every key, and `"none"` for what is cleared. Read again, it gives an equal
    /// configuration.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Full(&FailureClassificationOverrides::from(self)).serialize(serializer)
    }
}

impl Serialize for StageClassificationConfig {
    /// The full form: both keys, and `"none"` for what is cleared.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Full(&StageClassificationOverrides::from(self)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FailureClassificationConfig {
    /// The default with what is there laid over it; everything is validated.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let overrides = lenient(deserializer, Decoder::overrides)?;
        Self::default().with_overrides(overrides).map_err(Error::custom)
    }
}

impl<'de> Deserialize<'de> for StageClassificationConfig {
    /// What is there, and nothing else; everything is validated.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let overrides = lenient(deserializer, Decoder::stage)?;
        Self::new().with_overrides(overrides).map_err(Error::custom)
    }
}
