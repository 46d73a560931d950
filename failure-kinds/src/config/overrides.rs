//! Partial configuration, before it is merged and validated.

use std::string::ToString;

use serde_core::de::{Deserialize, Deserializer, Error};
use serde_core::ser::{Serialize, Serializer};

use super::decoder::Decoder;
use super::error::ConfigError;
use super::section::{Partial, Section, Written, setting};
use crate::classify::{Entries, Entry, Labels, Stages, with_settings, with_stage_settings};
use crate::document::Document;
use crate::{
    FailureClass, FailureClassificationConfig, FailureKind, FailureStage, HttpEvidence,
    HttpStatusKey, StageClassificationConfig,
};
use std::collections::BTreeMap;

macro_rules! overrides {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
        /// A partial classification configuration: what it does not name keeps its value.
        ///
        /// Read one from a file ([`Self::from_path`] and the functions beside it, which report
        /// every fault with its location), embed it in a larger configuration through serde, or
        /// build it here. Apply later ones over earlier ones with [`Self::merge`], and the result
        /// over a configuration with [`FailureClassificationConfig::with_overrides`], which
        /// validates the whole.
        ///
        /// Through serde, a wrong type, an unknown key and a duplicate key are rejected at once;
        /// names are texts until the merged whole is validated.
        ///
        /// ```
        /// use failure_kinds::{FailureClass, FailureClassificationOverrides, FailureStage, kinds};
        ///
        /// let mut overrides = FailureClassificationOverrides::new();
        /// overrides.set_kind(kinds::JUDGE_FAILED, None).set_unknown(FailureClass::Evaluation);
        /// overrides.stage_mut(FailureStage::Agent).set_default(FailureClass::Model);
        ///
        /// assert_eq!(overrides.kinds().collect::<Vec<_>>(), [("judge_failed", "none")]);
        /// assert_eq!(overrides.unknown(), Some("evaluation"));
        /// let agent = overrides.stage(FailureStage::Agent).unwrap();
        /// assert_eq!(agent.default_class(), Some("model"));
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct FailureClassificationOverrides {
            $(pub(super) $key: <$type as Section>::Partial,)+
        }
    };
}
with_settings!(overrides);

macro_rules! stage_overrides {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
        /// Partial classes of failures that originate in one stage.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct StageClassificationOverrides {
            $(pub(super) $key: <$type as Section>::Partial,)+
        }
    };
}
with_stage_settings!(stage_overrides);

/// What both kinds of overrides have in common.
macro_rules! partial {
    ($overrides:ident, $config:ident) => {
        impl $overrides {
            /// Overrides that change nothing.
            #[must_use]
            pub const fn new() -> Self {
                Self::NOTHING
            }

            /// Applies `later` over this, key by key.
            #[must_use]
            pub fn merge(mut self, later: Self) -> Self {
                self.apply_later(later);
                self
            }

            /// Whether this changes nothing.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                Partial::is_empty(self)
            }
        }

        impl<'de> Deserialize<'de> for $overrides {
            /// Keys and types are checked, names are not.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read::<$config, _>(deserializer)
            }
        }

        impl Serialize for $overrides {
            /// Only the settings that are present; `"none"` for cleared ones.
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.write(serializer, false)
            }
        }

        impl<'de> Deserialize<'de> for $config {
            /// The default with the given settings applied over it; everything is validated.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let overrides = read::<$config, _>(deserializer)?;
                Self::default().with_overrides(overrides).map_err(Error::custom)
            }
        }

        impl Serialize for $config {
            /// The full form: every key, and `"none"` for cleared entries. Read again, it gives an
            /// equal configuration.
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let partial = &$overrides::from(self);
                Written { partial, full: true }.serialize(serializer)
            }
        }

        impl From<&$config> for $overrides {
            /// The overrides that make the default configuration into this one: every entry, and
            /// what only the default has as cleared.
            fn from(config: &$config) -> Self {
                config.full(&$config::default())
            }
        }
    };
}
partial!(FailureClassificationOverrides, FailureClassificationConfig);
partial!(StageClassificationOverrides, StageClassificationConfig);

/// Reads a part of a larger configuration: a wrong key or type is an error of serde.
fn read<'de, C: Section, D: Deserializer<'de>>(deserializer: D) -> Result<C::Partial, D::Error> {
    deserialize(deserializer, |document, decoder| match document.roots().next() {
        Some(root) => C::read(root, decoder),
        None => C::Partial::default(),
    })
}

pub(super) fn deserialize<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    read: impl FnOnce(&Document, &mut Decoder) -> T,
) -> Result<T, D::Error> {
    let document = Document::deserialize(deserializer)?;
    let mut decoder = Decoder::default();
    let value = read(&document, &mut decoder);
    decoder.finish(value, None).map_err(Error::custom)
}

impl FailureClassificationOverrides {
    /// Sets or clears the class of a status, or of all statuses that match a pattern.
    pub fn set_http_status(
        &mut self,
        key: HttpStatusKey,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.class_by_http_status.insert(key.to_string(), setting(class.into()));
        self
    }

    /// The overrides of a stage, for changes.
    pub fn stage_mut(&mut self, stage: FailureStage) -> &mut StageClassificationOverrides {
        self.stages.entry(stage.as_str().into()).or_default()
    }

    /// Sets or clears the class of an HTTP label.
    pub fn set_http_evidence(
        &mut self,
        label: HttpEvidence,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.http_evidence.insert(label.to_string(), setting(class.into()));
        self
    }

    /// Sets or clears the class of a kind. If cleared, it has no class at all: the vocabulary's
    /// default does not come back.
    pub fn set_kind(
        &mut self,
        kind: impl Into<FailureKind>,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.kinds.insert(kind.into().into(), setting(class.into()));
        self
    }

    /// Sets the class of failures that no rule decides.
    pub fn set_unknown(&mut self, class: FailureClass) -> &mut Self {
        self.unknown = setting(Some(class));
        self
    }

    /// The statuses and patterns that this names, with the texts of their classes.
    pub fn http_statuses(&self) -> impl Iterator<Item = (&str, &str)> {
        texts(&self.class_by_http_status)
    }

    /// The overrides of a stage, if it is named.
    #[must_use]
    pub fn stage(&self, stage: FailureStage) -> Option<&StageClassificationOverrides> {
        self.stages.get(&stage.as_str().into())
    }

    /// The HTTP labels that this names, with the texts of their classes.
    pub fn http_evidence(&self) -> impl Iterator<Item = (&str, &str)> {
        texts(&self.http_evidence)
    }

    /// The kinds that this names, with the texts of their classes.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &str)> {
        texts(&self.kinds)
    }

    /// The text of the class of failures that no rule decides, if this sets it.
    #[must_use]
    pub fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }
}

impl StageClassificationOverrides {
    /// Sets or clears the default.
    pub fn set_default(&mut self, class: impl Into<Option<FailureClass>>) -> &mut Self {
        self.default = setting(class.into());
        self
    }

    /// Sets or clears the entry of a kind.
    pub fn set_kind(
        &mut self,
        kind: impl Into<FailureKind>,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.kinds.insert(kind.into().into(), setting(class.into()));
        self
    }

    /// The text of the default, if this sets or clears it.
    #[must_use]
    pub fn default_class(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// The kinds that this names, with the texts of their classes.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &str)> {
        texts(&self.kinds)
    }
}

fn texts(classes: &super::section::Classes) -> impl Iterator<Item = (&str, &str)> {
    classes.iter().filter_map(|(name, class)| Some((name.as_str(), class.as_deref()?)))
}

impl FailureClassificationConfig {
    /// This configuration with `overrides` applied over it, key by key.
    ///
    /// # Errors
    ///
    /// Every invalid name in the overrides, with its path and what was most likely meant.
    ///
    /// ```
    /// use failure_kinds::{FailureClass, FailureClassificationConfig, FailureStage};
    /// use failure_kinds::FailureClassificationOverrides;
    ///
    /// let overrides = FailureClassificationOverrides::from_json_str(
    ///     r#"{ "stages": { "agent": { "default": "model" } } }"#,
    /// )?;
    /// let config = FailureClassificationConfig::default().with_overrides(overrides)?;
    /// let agent = config.stage(FailureStage::Agent);
    /// assert_eq!(agent.default_class(), Some(FailureClass::Model));
    /// assert!(agent.kinds().any(|(kind, _)| *kind == "agent_timeout"), "what is not named stays");
    /// # Ok::<(), failure_kinds::ConfigError>(())
    /// ```
    #[allow(
        clippy::needless_pass_by_value,
        reason = "all functions of this name consume overrides"
    )]
    pub fn with_overrides(
        mut self,
        overrides: FailureClassificationOverrides,
    ) -> Result<Self, ConfigError> {
        let mut decoder = Decoder::default();
        self.apply(&overrides, &mut decoder);
        decoder.finish(self, None)
    }
}

impl StageClassificationConfig {
    /// This configuration with `overrides` applied over it, key by key.
    ///
    /// # Errors
    ///
    /// Every invalid name in the overrides, with its path and what was most likely meant.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "all functions of this name consume overrides"
    )]
    pub fn with_overrides(
        mut self,
        overrides: StageClassificationOverrides,
    ) -> Result<Self, ConfigError> {
        let mut decoder = Decoder::default();
        self.apply(&overrides, &mut decoder);
        decoder.finish(self, None)
    }
}
