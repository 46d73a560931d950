//! The trait that `#[derive(StageOverrides)]` implements, and what its code calls.

use std::format;
use std::vec::Vec;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{SerializeMap, Serializer};

use super::StageClassificationOverrides;
use super::decoder::{Declared, Decoder, Problem};
use super::error::{ConfigCode, ConfigError};
use super::names;
use super::overrides::deserialize;
use super::section::{STAGES, Section};
use crate::document::Document;
use crate::{
    FailureClass, FailureClassificationConfig, FailureKind, FailureStage, StageClassificationConfig,
};

/// How the stages of one environment attribute failures, and which kinds it adds.
///
/// An environment states once, in the attributes of a struct with one field for each stage, which
/// kinds it adds and on whose side each failure is. The trait is derived:
///
/// ```
/// use failure_kinds::{FailureClass, FailureClassificationConfig, FailureStage};
/// use failure_kinds::{StageClassificationConfig, StageOverrides};
///
/// /// Who answers for what in the browser environment.
/// #[derive(Debug, Clone, PartialEq, StageOverrides)]
/// #[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"))]
/// pub struct BrowserEnv {
///     /// The episode proper.
///     #[stage(default = "model", "browser_env:tab_crashed" = "evaluation")]
///     agent: StageClassificationConfig,
///     #[stage(default = "evaluation")]
///     verification: StageClassificationConfig,
/// }
///
/// // What an operator overrides, from a part of some larger configuration.
/// let overrides: BrowserEnvOverrides =
///     serde_json::from_str(r#"{ "agent": { "kinds": { "browser_env:captcha_wall": "evaluation" } } }"#)?;
/// let env = BrowserEnv::default().with_overrides(overrides)?;
///
/// let config = env.classification(FailureClassificationConfig::shared_default());
/// let agent: Vec<_> = config.stage(FailureStage::Agent).kinds().collect();
/// assert!(agent.contains(&(&BrowserEnv::TAB_CRASHED, Some(FailureClass::Evaluation))));
/// assert!(agent.contains(&(&BrowserEnv::CAPTCHA_WALL, Some(FailureClass::Evaluation))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What the derive emits
///
/// * `Default`, from the attributes alone, not from the shared defaults of the stages.
/// * `BrowserEnvOverrides`, the partial form. Every field is an `Option` of
///   [`StageClassificationOverrides`]; its keys in files are the names of the stages, and it
///   reads and writes itself through serde, with unknown keys rejected. The crate that derives
///   does not need serde.
/// * This trait.
/// * One constant for each declared kind: `BrowserEnv::TAB_CRASHED`. A typo in a producer is a
///   compile error.
///
/// # Attributes
///
/// On the struct, `#[stage_overrides(…)]`:
///
/// | key | meaning |
/// |---|---|
/// | `server = "browser_env"` | the server whose extensions are declared |
/// | `kinds("tab_crashed", …)` | the kinds that it adds, without the server |
/// | `crate = "my_crate::failure_kinds"` | where this crate is, if not at `::failure_kinds` |
///
/// On a field, `#[stage(…)]`:
///
/// | key | meaning |
/// |---|---|
/// | `agent` | the stage, if the field has another name |
/// | `default = "model"` | the class of a kind without an entry; without it there is none |
/// | `"cancelled" = "model"` | the class of a kind: a registered one, or one declared in `kinds` |
///
/// A class is `model`, `evaluation` or `unknown`; `none` clears the entry. Every name is checked
/// at compile time, with suggestions, and all errors of a struct are reported together. The type of
/// a field is recognized by its name: `StageClassificationConfig`, or a path that ends in it.
pub trait StageOverrides: Sized + Default {
    /// The partial form: every stage is optional, and the keys are the names of the stages.
    type Overrides: StageSet;

    /// The server whose extensions are declared.
    const SERVER: Option<&'static str>;

    /// The stages that are configured here.
    const STAGES: &'static [FailureStage];

    /// The declared extensions.
    const KINDS: &'static [FailureKind];

    #[doc(hidden)]
    fn __stage(&self, stage: FailureStage) -> Option<&StageClassificationConfig>;

    #[doc(hidden)]
    fn __stage_mut(&mut self, stage: FailureStage) -> Option<&mut StageClassificationConfig>;

    /// This configuration with `overrides` applied over it, key by key; then the whole is validated.
    ///
    /// # Errors
    ///
    /// Every invalid name, with its path from the stage on (`agent.kinds.judge_faild`) and what was
    /// most likely meant. An extension of [`Self::SERVER`] must be one of [`Self::KINDS`]; those of
    /// other servers pass. [`ConfigError::with_path_prefix`] completes the paths of a part of a
    /// larger configuration.
    fn with_overrides(mut self, overrides: Self::Overrides) -> Result<Self, ConfigError> {
        let mut decoder = Decoder::default().declared(declared::<Self>());
        for &stage in Self::STAGES {
            if let (Some(config), Some(overrides)) =
                (self.__stage_mut(stage), overrides.__stage(stage))
            {
                decoder.under(stage.as_str(), |decoder| config.apply(overrides, decoder));
            }
        }
        decoder.finish(self, None)
    }

    /// `base` with the stages of this configuration: their kinds are applied over those of the base,
    /// key by key, and their defaults replace those of the base, even if they have none. Stages that
    /// are not declared here stay as in the base.
    #[must_use]
    fn classification(&self, base: &FailureClassificationConfig) -> FailureClassificationConfig {
        let mut config = base.clone();
        for &stage in Self::STAGES {
            if let Some(declared) = self.__stage(stage) {
                let into = config.stage_mut(stage);
                into.set_default(declared.default_class());
                for (kind, class) in declared.kinds() {
                    into.set_kind(kind.clone(), class);
                }
            }
        }
        config
    }

    /// The default with the partial configuration in `value` applied over it.
    ///
    /// # Errors
    ///
    /// Every fault of the value, with its path: as [`Self::with_overrides`], and unknown keys and
    /// wrong types too.
    fn from_value(value: serde_json::Value) -> Result<Self, ConfigError> {
        let mut decoder = Decoder::for_file().declared(declared::<Self>());
        let stages = match Document::deserialize(value) {
            Ok(document) => read_stages(&document, Self::STAGES, &mut decoder),
            Err(error) => {
                decoder.push(Problem::new(ConfigCode::Syntax, format!("{error}")), None);
                Vec::new()
            }
        };
        let overrides = decoder.finish(collect(stages), None)?;
        Self::default().with_overrides(overrides)
    }
}

/// A type that the derive emits: overrides for some stages.
#[doc(hidden)]
pub trait StageSet: Default {
    const STAGES: &'static [FailureStage];

    fn __stage(&self, stage: FailureStage) -> Option<&StageClassificationOverrides>;

    fn __stage_mut(
        &mut self,
        stage: FailureStage,
    ) -> Option<&mut Option<StageClassificationOverrides>>;
}

fn collect<T: StageSet>(stages: Vec<(FailureStage, StageClassificationOverrides)>) -> T {
    let mut set = T::default();
    for (stage, overrides) in stages {
        if let Some(into) = set.__stage_mut(stage) {
            *into = Some(overrides);
        }
    }
    set
}

/// The extensions that an environment declares.
fn declared<T: StageOverrides>() -> Option<Declared> {
    T::SERVER.map(|server| Declared { server, kinds: T::KINDS })
}

/// The stages of a configuration that has these and no others.
fn read_stages(
    document: &Document,
    declared: &[FailureStage],
    decoder: &mut Decoder,
) -> Vec<(FailureStage, StageClassificationOverrides)> {
    let mut stages = Vec::new();
    for root in document.roots() {
        for entry in decoder.entries(root, STAGES) {
            decoder.under(entry.name, |decoder| {
                let stage = names::declared_stage(entry.name, declared);
                let stage = decoder.take(stage, entry.key.span());
                let overrides = StageClassificationConfig::read(entry.node, decoder);
                stages.extend(stage.map(|stage| (stage, overrides)));
            });
        }
    }
    stages
}

/// The configuration of one stage, from its attributes.
#[must_use]
pub fn stage<const N: usize>(
    default: Option<FailureClass>,
    entries: [(FailureKind, Option<FailureClass>); N],
) -> StageClassificationConfig {
    let mut config = StageClassificationConfig::new();
    config.set_default(default);
    for (kind, class) in entries {
        config.set_kind(kind, class);
    }
    config
}

/// The body of an emitted `Deserialize`.
///
/// # Errors
///
/// Every wrong type, unknown stage or key, and duplicate key.
pub fn deserialize_stages<'de, T: StageSet, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserialize(deserializer, |document, decoder| read_stages(document, T::STAGES, decoder))
        .map(collect)
}

/// The body of an emitted `Serialize`.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize_stages<T: StageSet, S: Serializer>(
    set: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let stages = || T::STAGES.iter().filter_map(|&stage| Some((stage, set.__stage(stage)?)));
    let mut map = serializer.serialize_map(Some(stages().count()))?;
    for (stage, overrides) in stages() {
        map.serialize_entry(&stage, overrides)?;
    }
    map.end()
}
