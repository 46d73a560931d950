use alloc::boxed::Box;
use alloc::collections::BTreeMap;

use failure_kinds_core::{KINDS, Stage, gate_derived, legacy, position};
use once_cell::race::OnceBox;

use super::settings::{with_settings, with_stage_settings};
use super::{Classification, Evidence, HttpStatusKey, Rule};
use crate::{FailureClass, FailureKind, FailureStage, HttpEvidence, is_server_subcategory};

/// A class, or a cleared entry. A cleared entry counts as missing, and hides the vocabulary's default
/// too.
pub(crate) type Entry = Option<FailureClass>;

/// Entries by a key. Cleared ones are kept, so that the full form of a configuration can show them,
/// and equal missing ones.
#[derive(Clone, Debug, Eq)]
pub(crate) struct Entries<K>(pub(crate) BTreeMap<K, Entry>);

impl<K> Entries<K> {
    pub(crate) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, Entry)> {
        self.0.iter().map(|(key, &class)| (key, class))
    }

    fn set(&self) -> impl Iterator<Item = (&K, FailureClass)> {
        self.iter().filter_map(|(key, class)| Some((key, class?)))
    }
}

impl<K: PartialEq> PartialEq for Entries<K> {
    fn eq(&self, other: &Self) -> bool {
        self.set().eq(other.set())
    }
}

/// The classes of HTTP labels, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labels(pub(crate) [Entry; HttpEvidence::ALL.len()]);

impl Default for Labels {
    fn default() -> Self {
        Self(core::array::from_fn(|index| HttpEvidence::ALL[index].default_class()))
    }
}

/// The classes of failures by stage, in the order of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stages(pub(crate) [StageClassificationConfig; FailureStage::ALL.len()]);

impl Default for Stages {
    fn default() -> Self {
        let mut stages = Stage::ALL.map(|stage| StageClassificationConfig {
            default: stage.default_class().map(FailureClass::of),
            ..StageClassificationConfig::new()
        });
        for (index, kind) in KINDS.iter().enumerate() {
            for &(stage, class) in kind.stages {
                stages[stage as usize]
                    .set_kind(FailureKind::registered(index), FailureClass::of(class));
            }
        }
        Self(stages)
    }
}

macro_rules! config {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
/// Which side each failure is on, for reports.
///
/// The first rule that gives a class decides:
///
/// 1. class by HTTP status: the exact status, then its pattern;
/// 2. the admitted stage: its entry for the kind, then its default;
/// 3. HTTP-derived evidence: the class of the failure's own HTTP label, then that of the label of
///    the failed last model call;
/// 4. the kind: the entry here, then the vocabulary's default;
/// 5. the fallback, [`FailureClass::Unknown`] unless configured.
///
/// In rules 2 and 4 a renamed legacy label is looked up under its own name and then under its
/// successor. An entry of `unknown` is a class like the others and stops the search.
///
/// [`Self::default`] and clones share nothing with [`Self::shared_default`] or each other.
///
/// ```
/// use failure_kinds::{Evidence, FailureClass, FailureClassificationConfig, kinds};
///
/// let mut config = FailureClassificationConfig::default();
/// config.set_kind(kinds::AGENT_TIMEOUT, FailureClass::Model);
///
/// let classification = config.classify(&Evidence::new().kind("agent_timeout"));
/// assert_eq!(classification.class, FailureClass::Model);
/// assert_eq!(classification.rule.to_string(), "kind agent_timeout");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureClassificationConfig { $(pub(crate) $key: $type,)+ }

impl Default for FailureClassificationConfig {
    fn default() -> Self {
        Self { $($key: $default,)+ }
    }
}
    };
}
with_settings!(config);

macro_rules! stage_config {
    ($($doc:literal $key:ident: $type:ty = $default:expr;)+) => {
        /// The classes of failures that originate in one stage.
        ///
        /// ```
        /// use failure_kinds::{FailureClass, StageClassificationConfig, kinds};
        ///
        /// let mut stage = StageClassificationConfig::new();
        /// stage.set_default(FailureClass::Model).set_kind(kinds::JUDGE_FAILED, None);
        /// assert_eq!(stage.default_class(), Some(FailureClass::Model));
        /// assert_eq!(stage.kinds().collect::<Vec<_>>(), [(&kinds::JUDGE_FAILED, None)]);
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct StageClassificationConfig { $(pub(crate) $key: $type,)+ }

        impl StageClassificationConfig {
            /// No default and no entries.
            #[must_use]
            pub const fn new() -> Self {
                Self { $($key: $default,)+ }
            }
        }
    };
}
with_stage_settings!(stage_config);

impl Default for StageClassificationConfig {
    fn default() -> Self {
        Self::new()
    }
}

impl StageClassificationConfig {
    /// The class of a kind without an entry; `None`: later rules decide.
    #[must_use]
    pub const fn default_class(&self) -> Option<FailureClass> {
        self.default
    }

    /// The entries; `None` is a cleared one.
    pub fn kinds(&self) -> impl Iterator<Item = (&FailureKind, Option<FailureClass>)> {
        self.kinds.iter()
    }

    /// Sets or clears the default.
    pub fn set_default(&mut self, class: impl Into<Option<FailureClass>>) -> &mut Self {
        self.default = class.into();
        self
    }

    /// Sets or clears the entry of a kind.
    pub fn set_kind(
        &mut self,
        kind: impl Into<FailureKind>,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.kinds.0.insert(kind.into(), class.into());
        self
    }
}

impl FailureClassificationConfig {
    /// The default configuration, built once and shared.
    #[must_use]
    pub fn shared_default() -> &'static Self {
        static DEFAULT: OnceBox<FailureClassificationConfig> = OnceBox::new();
        DEFAULT.get_or_init(Box::default)
    }

    /// The classes of failures that originate in a stage.
    #[must_use]
    pub const fn stage(&self, stage: FailureStage) -> &StageClassificationConfig {
        &self.stages.0[stage as usize]
    }

    /// The same, for changes.
    pub const fn stage_mut(&mut self, stage: FailureStage) -> &mut StageClassificationConfig {
        &mut self.stages.0[stage as usize]
    }

    /// The entries by HTTP status; `None` is a cleared one.
    pub fn http_statuses(&self) -> impl Iterator<Item = (HttpStatusKey, Option<FailureClass>)> {
        self.class_by_http_status.iter().map(|(&key, class)| (key, class))
    }

    /// The class of an HTTP label, whether the failure's own or that of the failed last model call.
    /// `None`: later rules decide.
    #[must_use]
    pub const fn http_evidence(&self, label: HttpEvidence) -> Option<FailureClass> {
        self.http_evidence.0[label as usize]
    }

    /// The entries by kind; `None` is a cleared one, which hides the vocabulary's default.
    pub fn kinds(&self) -> impl Iterator<Item = (&FailureKind, Option<FailureClass>)> {
        self.kinds.iter().map(|(kind, &class)| (kind, class))
    }

    /// The class of failures that no rule decides.
    #[must_use]
    pub const fn unknown(&self) -> FailureClass {
        self.unknown
    }

    /// Sets or clears the class of a status, or of all statuses under a pattern.
    pub fn set_http_status(
        &mut self,
        key: HttpStatusKey,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.class_by_http_status.0.insert(key, class.into());
        self
    }

    /// Sets or clears the class of an HTTP label.
    ///
    /// ```
    /// use failure_kinds::{
    ///     Evidence, FailureClass, FailureClassificationConfig, HttpEvidence, HttpStatusKey,
    /// };
    ///
    /// let mut config = FailureClassificationConfig::default();
    /// config.set_http_evidence(HttpEvidence::ClientError, FailureClass::Model);
    /// config.set_http_status("408".parse()?, FailureClass::Model);
    /// let class = |status: u16| config.classify(&Evidence::new().http_status(&status)).class;
    /// assert_eq!((class(404), class(408)), (FailureClass::Model, FailureClass::Model));
    /// # Ok::<(), failure_kinds::HttpStatusKeyError>(())
    /// ```
    pub fn set_http_evidence(
        &mut self,
        label: HttpEvidence,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.http_evidence.0[label as usize] = class.into();
        self
    }

    /// Sets or clears the class of a kind. Cleared, it has no class at all: the vocabulary's
    /// default does not come back.
    pub fn set_kind(
        &mut self,
        kind: impl Into<FailureKind>,
        class: impl Into<Option<FailureClass>>,
    ) -> &mut Self {
        self.kinds.insert(kind.into(), class.into());
        self
    }

    /// Sets the class of failures that no rule decides.
    pub const fn set_unknown(&mut self, class: FailureClass) -> &mut Self {
        self.unknown = class;
        self
    }

    /// Puts a failure on a side, by the given evidence alone.
    #[must_use]
    pub fn classify(&self, evidence: &Evidence<'_>) -> Classification {
        let names = Names::new(evidence.kind);
        let http = HttpEvidence::project(&evidence.http_status);
        let Decision { class, rule, via_legacy } = self
            .by_http_status(evidence.http_status)
            .or_else(|| self.by_stage(evidence, names))
            .or_else(|| self.by_label(http, Rule::HttpEvidence))
            .or_else(|| {
                self.by_label(HttpEvidence::project(&evidence.call_status), Rule::CallEvidence)
            })
            .or_else(|| self.by_kind(names))
            .unwrap_or(Decision::new(self.unknown, Rule::Fallback));
        let server = names.any(|name| is_server_subcategory(class, name));
        Classification { class, rule, http, via_legacy, server }
    }

    fn by_http_status(&self, status: Option<u16>) -> Option<Decision> {
        let status = status?;
        let keys = [HttpStatusKey::exact(status), HttpStatusKey::pattern(status)];
        keys.into_iter().flatten().find_map(|key| {
            let class = self.class_by_http_status.0.get(&key).copied().flatten()?;
            Some(Decision::new(class, Rule::HttpStatusOverride(key)))
        })
    }

    fn by_stage(&self, evidence: &Evidence<'_>, names: Names<'_>) -> Option<Decision> {
        let stage = evidence.stage.filter(|_| evidence.stage_admitted)?;
        let config = self.stage(stage);
        let kind = names.find_map(|name| {
            let (kind, &class) = config.kinds.0.get_key_value(name)?;
            Some(Decision::new(class?, Rule::StageKind { stage, kind: kind.clone() }))
        });
        kind.or_else(|| Some(Decision::new(config.default?, Rule::StageDefault { stage })))
    }

    fn by_label(
        &self,
        label: Option<HttpEvidence>,
        rule: fn(HttpEvidence) -> Rule,
    ) -> Option<Decision> {
        let label = label?;
        Some(Decision::new(self.http_evidence(label)?, rule(label)))
    }

    fn by_kind(&self, names: Names<'_>) -> Option<Decision> {
        names.find_map(|name| match self.kinds.get_key_value(name) {
            Some((kind, &class)) => Some(Decision::new(class?, Rule::Kind(kind.clone()))),
            None => vocabulary_default(name),
        })
    }
}

fn vocabulary_default(name: &str) -> Option<Decision> {
    if let Some(index) = position(name) {
        let class = KINDS[index].default?;
        let rule = Rule::Kind(FailureKind::registered(index));
        return Some(Decision::new(FailureClass::of(class), rule));
    }
    let gate = gate_derived(name)?;
    Some(Decision::new(FailureClass::of(gate.class?), Rule::GateDerivedKind(gate.name)))
}

/// A class and where it came from.
struct Decision {
    class: FailureClass,
    rule: Rule,
    via_legacy: bool,
}

impl Decision {
    const fn new(class: FailureClass, rule: Rule) -> Self {
        Self { class, rule, via_legacy: false }
    }
}

/// The observed name, and the successor of a renamed label.
#[derive(Clone, Copy)]
struct Names<'a> {
    observed: Option<&'a str>,
    successor: Option<&'static str>,
}

impl<'a> Names<'a> {
    fn new(observed: Option<&'a str>) -> Self {
        Self {
            observed,
            successor: observed.and_then(legacy).and_then(failure_kinds_core::Legacy::successor),
        }
    }

    fn any(self, test: impl Fn(&str) -> bool) -> bool {
        self.observed.is_some_and(&test) || self.successor.is_some_and(test)
    }

    /// The decision under the observed name, else the one under its successor.
    fn find_map(self, decide: impl Fn(&str) -> Option<Decision>) -> Option<Decision> {
        self.observed.and_then(&decide).or_else(|| {
            let decision = decide(self.successor?)?;
            Some(Decision { via_legacy: true, ..decision })
        })
    }
}
