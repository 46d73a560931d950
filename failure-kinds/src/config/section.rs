//! The value of a configuration key: how it is read, applied, merged and written.

use std::collections::BTreeMap;
use std::string::{String, ToString};

use serde_core::ser::{Serialize, SerializeMap, Serializer};

use super::decoder::{Decoder, Problem};
use super::names::{self, NONE};
use super::overrides::{FailureClassificationOverrides, StageClassificationOverrides};
use crate::classify::{Entries, Entry, Labels, Stages, with_settings, with_stage_settings};
use crate::document::{Node, Value};
use crate::{
    FailureClass, FailureClassificationConfig, FailureKind, FailureStage, HttpEvidence,
    HttpStatusKey, StageClassificationConfig,
};

/// What messages call a map of stages.
pub(super) const STAGES: &str = "a map from stages to maps";

/// A part of a configuration.
pub(super) trait Section {
    /// Its partial form, which holds names as texts.
    type Partial: Partial;

    /// Reads the partial form. Duplicates are read too, so that their faults are reported.
    fn read(node: Node<'_>, decoder: &mut Decoder) -> Self::Partial;

    /// Changes what the partial form names.
    fn apply(&mut self, partial: &Self::Partial, decoder: &mut Decoder);

    /// The partial form that changes `default` into this.
    fn full(&self, default: &Self) -> Self::Partial;
}

/// A part of overrides.
pub(super) trait Partial: Default {
    /// Overrides that change nothing.
    const NOTHING: Self;

    /// Applies `later` over this, key by key.
    fn apply_later(&mut self, later: Self);

    fn is_empty(&self) -> bool;

    /// Whether its key is written; in the full form, empty maps are written too.
    fn is_written(&self, full: bool) -> bool {
        full || !self.is_empty()
    }

    fn write<S: Serializer>(&self, serializer: S, full: bool) -> Result<S::Ok, S::Error>;
}

/// Overrides that serde writes.
pub(super) struct Written<'a, P> {
    pub(super) partial: &'a P,
    pub(super) full: bool,
}

impl<P: Partial> Serialize for Written<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.partial.write(serializer, self.full)
    }
}

/// The text of a class or of a cleared entry.
pub(super) type Setting = Option<String>;

#[allow(clippy::unnecessary_wraps, reason = "a setting that is there")]
pub(super) fn setting(class: Entry) -> Setting {
    Some(class.map_or(NONE, FailureClass::as_str).into())
}

impl Partial for Setting {
    const NOTHING: Self = None;

    fn apply_later(&mut self, later: Self) {
        if later.is_some() {
            *self = later;
        }
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }

    fn is_written(&self, _: bool) -> bool {
        self.is_some()
    }

    fn write<S: Serializer>(&self, serializer: S, _: bool) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// Classes by the texts of names.
pub(super) type Classes = BTreeMap<String, Setting>;

impl<K: Ord + AsRef<str>, P: Partial> Partial for BTreeMap<K, P> {
    const NOTHING: Self = Self::new();

    fn apply_later(&mut self, later: Self) {
        for (key, partial) in later {
            self.entry(key).or_default().apply_later(partial);
        }
    }

    fn is_empty(&self) -> bool {
        self.values().all(Partial::is_empty)
    }

    fn write<S: Serializer>(&self, serializer: S, full: bool) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, partial) in self.iter().filter(|(_, partial)| partial.is_written(full)) {
            map.serialize_entry(key.as_ref(), &Written { partial, full })?;
        }
        map.end()
    }
}

/// The text of a stage, ordered as in an episode. What is not a stage comes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StageName(String);

impl From<&str> for StageName {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for StageName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Ord for StageName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let rank = |name: &Self| {
            let stage: Option<FailureStage> = name.0.parse().ok();
            (stage.is_none(), stage)
        };
        rank(self).cmp(&rank(other)).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for StageName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A class that cannot be cleared.
impl Section for FailureClass {
    type Partial = Setting;

    fn read(node: Node<'_>, decoder: &mut Decoder) -> Setting {
        read_class(node, decoder, names::class, false)
    }

    fn apply(&mut self, partial: &Setting, decoder: &mut Decoder) {
        if let Some(class) =
            partial.as_ref().and_then(|text| decoder.take(names::class(text), None))
        {
            *self = class;
        }
    }

    fn full(&self, _: &Self) -> Setting {
        setting(Some(*self))
    }
}

/// A class that can be cleared.
impl Section for Entry {
    type Partial = Setting;

    fn read(node: Node<'_>, decoder: &mut Decoder) -> Setting {
        read_class(node, decoder, names::setting, true)
    }

    fn apply(&mut self, partial: &Setting, decoder: &mut Decoder) {
        if let Some(class) =
            partial.as_ref().and_then(|text| decoder.take(names::setting(text), None))
        {
            *self = class;
        }
    }

    fn full(&self, _: &Self) -> Setting {
        setting(*self)
    }
}

fn read_class<T>(
    node: Node<'_>,
    decoder: &mut Decoder,
    parse: impl FnOnce(&str) -> Result<T, Problem>,
    null_clears: bool,
) -> Setting {
    match node.target().value() {
        Value::Text(text) => {
            decoder.check(parse(text), node.span());
            Some(text.into())
        }
        Value::Null if null_clears => setting(None),
        _ => {
            decoder.wrong_type("a class", node);
            None
        }
    }
}

/// A map from names of one sort to classes.
pub(super) trait ClassMap {
    type Name;

    fn parse(name: &str, decoder: &Decoder) -> Result<Self::Name, Problem>;

    fn set(&mut self, name: Self::Name, class: Entry);

    fn classes(&self) -> impl Iterator<Item = (String, Entry)>;
}

impl ClassMap for Entries<HttpStatusKey> {
    type Name = HttpStatusKey;

    fn parse(name: &str, _: &Decoder) -> Result<HttpStatusKey, Problem> {
        names::status(name)
    }

    fn set(&mut self, key: HttpStatusKey, class: Entry) {
        self.0.insert(key, class);
    }

    fn classes(&self) -> impl Iterator<Item = (String, Entry)> {
        self.iter().map(|(key, class)| (key.to_string(), class))
    }
}

impl ClassMap for Entries<FailureKind> {
    type Name = FailureKind;

    fn parse(name: &str, decoder: &Decoder) -> Result<FailureKind, Problem> {
        decoder.kind(name)
    }

    fn set(&mut self, kind: FailureKind, class: Entry) {
        self.0.insert(kind, class);
    }

    fn classes(&self) -> impl Iterator<Item = (String, Entry)> {
        self.iter().map(|(kind, class)| (kind.to_string(), class))
    }
}

impl ClassMap for BTreeMap<FailureKind, Entry> {
    type Name = FailureKind;

    fn parse(name: &str, decoder: &Decoder) -> Result<FailureKind, Problem> {
        decoder.kind(name)
    }

    fn set(&mut self, kind: FailureKind, class: Entry) {
        self.insert(kind, class);
    }

    fn classes(&self) -> impl Iterator<Item = (String, Entry)> {
        self.iter().map(|(kind, &class)| (kind.to_string(), class))
    }
}

impl ClassMap for Labels {
    type Name = HttpEvidence;

    fn parse(name: &str, _: &Decoder) -> Result<HttpEvidence, Problem> {
        names::label(name)
    }

    fn set(&mut self, label: HttpEvidence, class: Entry) {
        self.0[label as usize] = class;
    }

    fn classes(&self) -> impl Iterator<Item = (String, Entry)> {
        HttpEvidence::ALL.iter().zip(self.0).map(|(label, class)| (label.to_string(), class))
    }
}

impl<M: ClassMap> Section for M {
    type Partial = Classes;

    fn read(node: Node<'_>, decoder: &mut Decoder) -> Classes {
        let mut classes = Classes::new();
        for entry in decoder.entries(node, "a map from names to classes") {
            let class = decoder.under(entry.name, |decoder| {
                decoder.check(M::parse(entry.name, decoder), entry.key.span());
                Entry::read(entry.node, decoder)
            });
            if class.is_some() {
                classes.insert(entry.name.into(), class);
            }
        }
        classes
    }

    fn apply(&mut self, partial: &Classes, decoder: &mut Decoder) {
        for (name, class) in partial {
            decoder.under(name, |decoder| {
                let name = decoder.take(M::parse(name, decoder), None);
                let class =
                    class.as_ref().and_then(|text| decoder.take(names::setting(text), None));
                if let (Some(name), Some(class)) = (name, class) {
                    self.set(name, class);
                }
            });
        }
    }

    fn full(&self, default: &Self) -> Classes {
        let cleared = default.classes().map(|(name, _)| (name, setting(None)));
        cleared.chain(self.classes().map(|(name, class)| (name, setting(class)))).collect()
    }
}

impl Section for Stages {
    type Partial = BTreeMap<StageName, StageClassificationOverrides>;

    fn read(node: Node<'_>, decoder: &mut Decoder) -> Self::Partial {
        let mut stages = Self::Partial::new();
        for entry in decoder.entries(node, STAGES) {
            let stage = decoder.under(entry.name, |decoder| {
                decoder.check(names::stage(entry.name), entry.key.span());
                StageClassificationConfig::read(entry.node, decoder)
            });
            // Without entries it changes nothing, and is not written either.
            if !stage.is_empty() {
                stages.insert(entry.name.into(), stage);
            }
        }
        stages
    }

    fn apply(&mut self, partial: &Self::Partial, decoder: &mut Decoder) {
        for (StageName(name), partial) in partial {
            decoder.under(name, |decoder| {
                // The other faults of an unknown stage are reported too.
                let mut unknown = StageClassificationConfig::new();
                let config = match decoder.take(names::stage(name), None) {
                    Some(stage) => &mut self.0[stage as usize],
                    None => &mut unknown,
                };
                config.apply(partial, decoder);
            });
        }
    }

    fn full(&self, default: &Self) -> Self::Partial {
        let stages = self.0.iter().zip(&default.0);
        let full = |(stage, (config, default)): (&FailureStage, (_, _))| {
            (stage.as_str().into(), StageClassificationConfig::full(config, default))
        };
        FailureStage::ALL.iter().zip(stages).map(full).collect()
    }
}

/// Implements what the keys of a struct share.
macro_rules! record {
    ($config:ident, $overrides:ident, $expected:literal, $($key:ident: $type:ty,)+) => {
        impl Section for $config {
            type Partial = $overrides;

            fn read(node: Node<'_>, decoder: &mut Decoder) -> $overrides {
                let mut overrides = $overrides::default();
                for entry in decoder.entries(node, $expected) {
                    match entry.name {
                        $(stringify!($key) => {
                            overrides.$key = decoder.under(entry.name, |decoder| {
                                <$type as Section>::read(entry.node, decoder)
                            });
                        })+
                        _ => decoder.unknown_key(entry, &[$(stringify!($key)),+]),
                    }
                }
                overrides
            }

            fn apply(&mut self, overrides: &$overrides, decoder: &mut Decoder) {
                $(decoder.under(stringify!($key), |decoder| {
                    Section::apply(&mut self.$key, &overrides.$key, decoder);
                });)+
            }

            fn full(&self, default: &Self) -> $overrides {
                $overrides { $($key: Section::full(&self.$key, &default.$key),)+ }
            }
        }

        impl Partial for $overrides {
            const NOTHING: Self = Self { $($key: Partial::NOTHING,)+ };

            fn apply_later(&mut self, later: Self) {
                $(self.$key.apply_later(later.$key);)+
            }

            fn is_empty(&self) -> bool {
                $(Partial::is_empty(&self.$key))&&+
            }

            fn write<S: Serializer>(&self, serializer: S, full: bool) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                $(if self.$key.is_written(full) {
                    map.serialize_entry(stringify!($key), &Written { partial: &self.$key, full })?;
                })+
                map.end()
            }
        }
    };
}

macro_rules! whole {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
        record!(
            FailureClassificationConfig, FailureClassificationOverrides, "a map of settings",
            $($key: $type,)+
        );
    };
}
with_settings!(whole);

macro_rules! stage {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
        record!(
            StageClassificationConfig, StageClassificationOverrides,
            "a map with `default` and `kinds`",
            $($key: $type,)+
        );
    };
}
with_stage_settings!(stage);
