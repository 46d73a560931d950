//! Overrides laid over a configuration: here the whole is validated.

use super::error::ConfigError;
use super::faults::Faults;
use super::names::{self, KEYS, STAGE_KEYS};
use super::overrides::{FailureClassificationOverrides, StageClassificationOverrides};
use crate::{FailureClassificationConfig, StageClassificationConfig};

impl FailureClassificationConfig {
    /// This configuration with `overrides` laid over it, key by key.
    ///
    /// # Errors
    ///
    /// Every name in the overrides that is none, with its path and what was most likely meant.
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
    /// assert_eq!(agent.kinds().count(), 2, "what is not named stays");
    /// # Ok::<(), failure_kinds::ConfigError>(())
    /// ```
    pub fn with_overrides(
        mut self,
        overrides: FailureClassificationOverrides,
    ) -> Result<Self, ConfigError> {
        let [by_status, stages, evidence, kinds, unknown] = KEYS;
        let mut faults = Faults::default();
        faults.under(by_status, |faults| {
            for (name, class) in &overrides.class_by_http_status {
                faults.entry(name, class, names::status(name), |key, class| {
                    self.set_http_status(key, class);
                });
            }
        });
        faults.under(stages, |faults| {
            for (name, overrides) in overrides.stages {
                faults.under(&name, |faults| {
                    let stage = faults.take(names::stage(&name), None);
                    // Also for a stage that is none: its other faults are told in the same go.
                    let mut nowhere = StageClassificationConfig::new();
                    let stage = stage.map_or(&mut nowhere, |stage| self.stage_mut(stage));
                    stage.apply(faults, &overrides);
                });
            }
        });
        faults.under(evidence, |faults| {
            for (name, class) in &overrides.http_evidence {
                faults.entry(name, class, names::label(name), |label, class| {
                    self.set_http_evidence(label, class);
                });
            }
        });
        faults.under(kinds, |faults| {
            for (name, class) in &overrides.kinds {
                faults.entry(name, class, names::kind(name), |kind, class| {
                    self.set_kind(kind, class);
                });
            }
        });
        if let Some(class) = overrides.unknown {
            let class = faults.under(unknown, |faults| faults.take(names::class(&class), None));
            class.map(|class| self.set_unknown(class));
        }
        faults.finish(self, None)
    }
}

impl StageClassificationConfig {
    /// This configuration with `overrides` laid over it, key by key.
    ///
    /// # Errors
    ///
    /// Every name in the overrides that is none, with its path and what was most likely meant.
    #[allow(clippy::needless_pass_by_value, reason = "all of this name take what they lay over")]
    pub fn with_overrides(
        mut self,
        overrides: StageClassificationOverrides,
    ) -> Result<Self, ConfigError> {
        let mut faults = Faults::default();
        self.apply(&mut faults, &overrides);
        faults.finish(self, None)
    }

    pub(super) fn apply(&mut self, faults: &mut Faults, overrides: &StageClassificationOverrides) {
        let [default, kinds] = STAGE_KEYS;
        if let Some(class) = &overrides.default {
            let class = faults.under(default, |faults| faults.take(names::setting(class), None));
            class.map(|class| self.set_default(class));
        }
        faults.under(kinds, |faults| {
            for (name, class) in &overrides.kinds {
                faults.entry(name, class, names::kind(name), |kind, class| {
                    self.set_kind(kind, class);
                });
            }
        });
    }
}
