//! Partial configuration, before it is merged and validated.

use std::collections::BTreeMap;
use std::string::{String, ToString};
use std::vec::Vec;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeMap, Serializer};

use super::decode::Decoder;
use super::names::{KEYS, NONE, STAGE_KEYS};
use super::node::Node;
use crate::{FailureClass, FailureKind, FailureStage, HttpEvidence, HttpStatusKey};

/// A partial classification configuration: what it does not name keeps what is there.
///
/// Read one from a file ([`Self::from_path`] and its neighbours, which report every fault with
/// its place), embed it in a larger configuration through serde, or build it here. Later ones
/// are laid over earlier ones with [`Self::merge`], and the result over a configuration with
/// [`FailureClassificationConfig::with_overrides`], which validates the whole.
///
/// Through serde, a wrong type, an unknown key and a key given twice are refused at once; names
/// are texts until the merged whole is validated.
///
/// [`FailureClassificationConfig::with_overrides`]: crate::FailureClassificationConfig::with_overrides
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureClassificationOverrides {
    pub(super) class_by_http_status: BTreeMap<String, String>,
    pub(super) stages: BTreeMap<String, StageClassificationOverrides>,
    pub(super) http_evidence: BTreeMap<String, String>,
    pub(super) kinds: BTreeMap<String, String>,
    pub(super) unknown: Option<String>,
}

/// Partial classes of failures that originate in one stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageClassificationOverrides {
    pub(super) default: Option<String>,
    pub(super) kinds: BTreeMap<String, String>,
}

/// The text of a class, or of a cleared entry.
pub(super) fn setting(class: Option<FailureClass>) -> String {
    class.map_or(NONE, FailureClass::as_str).into()
}

impl FailureClassificationOverrides {
    /// Overrides that change nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            class_by_http_status: BTreeMap::new(),
            stages: BTreeMap::new(),
            http_evidence: BTreeMap::new(),
            kinds: BTreeMap::new(),
            unknown: None,
        }
    }

    /// Lays `later` over this one, key by key.
    #[must_use]
    pub fn merge(mut self, later: Self) -> Self {
        self.class_by_http_status.extend(later.class_by_http_status);
        for (name, stage) in later.stages {
            let earlier = self.stages.remove(&name).unwrap_or_default();
            self.stages.insert(name, earlier.merge(stage));
        }
        self.http_evidence.extend(later.http_evidence);
        self.kinds.extend(later.kinds);
        self.unknown = later.unknown.or(self.unknown);
        self
    }

    /// Whether this changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.class_by_http_status.is_empty()
            && self.stages.values().all(StageClassificationOverrides::is_empty)
            && self.http_evidence.is_empty()
            && self.kinds.is_empty()
            && self.unknown.is_none()
    }

    /// Sets or clears the class of a status, or of all statuses under a pattern.
    pub fn set_http_status(
        &mut self,
        key: HttpStatusKey,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.class_by_http_status.insert(key.to_string(), setting(class.into()));
        self
    }

    /// What is said of a stage, to be changed.
    pub fn stage_mut(&mut self, stage: FailureStage) -> &mut StageClassificationOverrides {
        self.stages.entry(stage.as_str().into()).or_default()
    }

    /// Sets or clears the class of an HTTP label.
    pub fn set_http_evidence(
        &mut self,
        label: HttpEvidence,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.http_evidence.insert(label.as_str().into(), setting(class.into()));
        self
    }

    /// Sets or clears the class of a kind. Cleared, it has no class at all: the vocabulary's
    /// default does not come back.
    pub fn set_kind(
        &mut self,
        kind: &FailureKind,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.kinds.insert(kind.as_str().into(), setting(class.into()));
        self
    }

    /// Sets the class of failures that no rule decides.
    pub fn set_unknown(&mut self, class: FailureClass) -> &mut Self {
        self.unknown = Some(class.as_str().into());
        self
    }
}

impl StageClassificationOverrides {
    /// Overrides that change nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { default: None, kinds: BTreeMap::new() }
    }

    /// Lays `later` over this one, key by key.
    #[must_use]
    pub fn merge(mut self, later: Self) -> Self {
        self.default = later.default.or(self.default);
        self.kinds.extend(later.kinds);
        self
    }

    /// Whether this changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.default.is_none() && self.kinds.is_empty()
    }

    /// Sets or clears the default.
    pub fn set_default(&mut self, class: impl Into<Option<FailureClass>>) -> &mut Self {
        self.default = Some(setting(class.into()));
        self
    }

    /// Sets or clears the entry of a kind.
    pub fn set_kind(
        &mut self,
        kind: &FailureKind,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.kinds.insert(kind.as_str().into(), setting(class.into()));
        self
    }
}

/// Reads a part of a larger configuration: what of its shape is wrong is an error of serde.
pub(super) fn lenient<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    decode: impl FnOnce(&mut Decoder, &Node) -> T,
) -> Result<T, D::Error> {
    let node = Node::deserialize(deserializer)?;
    let mut decoder = Decoder::lenient();
    let value = decode(&mut decoder, &node);
    decoder.faults.finish(value, None).map_err(serde_core::de::Error::custom)
}

impl<'de> Deserialize<'de> for FailureClassificationOverrides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        lenient(deserializer, Decoder::overrides)
    }
}

impl<'de> Deserialize<'de> for StageClassificationOverrides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        lenient(deserializer, Decoder::stage)
    }
}

/// Overrides, written with every key, also where there is nothing under it.
pub(super) struct Full<'a, T>(pub(super) &'a T);

impl Serialize for FailureClassificationOverrides {
    /// Only what is there; `"none"` for what is cleared.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write(serializer, false)
    }
}

impl Serialize for StageClassificationOverrides {
    /// Only what is there; `"none"` for what is cleared.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write(serializer, false)
    }
}

impl Serialize for Full<'_, FailureClassificationOverrides> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer, true)
    }
}

impl Serialize for Full<'_, StageClassificationOverrides> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer, true)
    }
}

impl FailureClassificationOverrides {
    fn write<S: Serializer>(&self, serializer: S, full: bool) -> Result<S::Ok, S::Error> {
        let [by_status, stages, evidence, kinds, unknown] = KEYS;
        let mut map = serializer.serialize_map(None)?;
        write_entries(&mut map, by_status, &self.class_by_http_status, full)?;
        if full || !self.stages.is_empty() {
            map.serialize_entry(stages, &Stages { stages: &self.stages, full })?;
        }
        write_entries(&mut map, evidence, &self.http_evidence, full)?;
        write_entries(&mut map, kinds, &self.kinds, full)?;
        if let Some(class) = &self.unknown {
            map.serialize_entry(unknown, class)?;
        }
        map.end()
    }
}

/// Stages in the order of an episode; what is none comes last.
struct Stages<'a> {
    stages: &'a BTreeMap<String, StageClassificationOverrides>,
    full: bool,
}

impl Serialize for Stages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut stages: Vec<_> = self.stages.iter().collect();
        stages.sort_by_key(|(name, _)| {
            FailureStage::ALL.iter().position(|stage| stage.as_str() == *name).unwrap_or(usize::MAX)
        });
        let mut map = serializer.serialize_map(Some(stages.len()))?;
        for (name, stage) in stages {
            if self.full {
                map.serialize_entry(name, &Full(stage))?;
            } else {
                map.serialize_entry(name, stage)?;
            }
        }
        map.end()
    }
}

impl StageClassificationOverrides {
    fn write<S: Serializer>(&self, serializer: S, full: bool) -> Result<S::Ok, S::Error> {
        let [default, kinds] = STAGE_KEYS;
        let mut map = serializer.serialize_map(None)?;
        if let Some(class) = &self.default {
            map.serialize_entry(default, class)?;
        }
        write_entries(&mut map, kinds, &self.kinds, full)?;
        map.end()
    }
}

fn write_entries<M: SerializeMap>(
    map: &mut M,
    key: &str,
    entries: &BTreeMap<String, impl Serialize>,
    also_none: bool,
) -> Result<(), M::Error> {
    if entries.is_empty() && !also_none { Ok(()) } else { map.serialize_entry(key, entries) }
}
