use core::convert::Infallible;
use core::str::FromStr;

use alloc::string::String;
use alloc::sync::Arc;
use failure_kinds_core::text::Quoted;
use failure_kinds_core::{GateDerived, Legacy, accept, gate_derived, legacy, suggest};

use crate::closed::text_error;
use crate::text::text_traits;
use crate::{FailureClass, FailureKind};

/// A kind as it is in a saved row: any text at all, kept byte for byte.
///
/// The lenient counterpart of [`FailureKind`], for rows that this program did not write. Every text
/// has a variant, nothing is rejected or rewritten, and with the feature `serde` it is written back
/// as it was read. A producer of kinds uses [`FailureKind`].
///
/// Equality, order and hash use the text. So does classification: give [`Self::as_str`] to
/// [`Evidence::kind`](crate::Evidence::kind).
///
/// The text may hold whatever a producer wrote, even control characters; escape it before it
/// reaches a terminal. For a metric, use [`Self::metric_label`].
///
/// ```
/// use failure_kinds::{ObservedKind, kinds};
///
/// let advice = |text: &str| match ObservedKind::new(text) {
///     ObservedKind::Registered(kinds::JUDGE_FAILED) => "judge the saved answer again".to_owned(),
///     ObservedKind::Legacy(label) => match label.successor() {
///         Some(name) => format!("today this is {name}"),
///         None => format!("look at: {}", label.hint().unwrap_or_default()),
///     },
///     ObservedKind::Unregistered(name) => match name.suggestion() {
///         Some(name) => format!("did the producer mean {name}?"),
///         None => "a name that nobody registered".to_owned(),
///     },
///     other => format!("a known name: {other}"),
/// };
/// assert_eq!(advice("judge_failed"), "judge the saved answer again");
/// assert_eq!(advice("timeout_exceeded"), "today this is agent_timeout");
/// assert_eq!(advice("judge_faild"), "did the producer mean judge_failed?");
/// assert_eq!(advice("browser_env:tab_crashed"), "a known name: browser_env:tab_crashed");
/// ```
#[derive(Clone, Debug)]
pub enum ObservedKind {
    /// A registered kind.
    Registered(FailureKind),
    /// A well-formed extension of a server.
    Extension(FailureKind),
    /// A label of old producers, not registered.
    Legacy(LegacyLabel),
    /// A class that an acceptance gate derived; no producer emits it.
    GateDerived(GateDerivedKind),
    /// None of these.
    Unregistered(UnregisteredKind),
}

impl ObservedKind {
    /// Looks up an observed text, as it is.
    #[must_use]
    pub fn new(text: &str) -> Self {
        if let Some(accepted) = accept(text) {
            let kind = FailureKind::accepted(accepted, text);
            if kind.is_registered() { Self::Registered(kind) } else { Self::Extension(kind) }
        } else if let Some(label) = legacy(text) {
            Self::Legacy(LegacyLabel(label))
        } else if let Some(class) = gate_derived(text) {
            Self::GateDerived(GateDerivedKind(class))
        } else {
            Self::Unregistered(UnregisteredKind(text.into()))
        }
    }

    /// The text as it was observed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Registered(kind) | Self::Extension(kind) => kind.as_str(),
            Self::Legacy(label) => label.as_str(),
            Self::GateDerived(class) => class.as_str(),
            Self::Unregistered(name) => name.as_str(),
        }
    }

    /// The kind, if the text is a registered name or an extension.
    ///
    /// A legacy label is not followed to its successor.
    #[must_use]
    pub const fn kind(&self) -> Option<&FailureKind> {
        match self {
            Self::Registered(kind) | Self::Extension(kind) => Some(kind),
            Self::Legacy(_) | Self::GateDerived(_) | Self::Unregistered(_) => None,
        }
    }

    /// What the text is to the vocabulary, as in reports: `registered`, `extension`,
    /// `legacy`, `gate_derived` or `unregistered`.
    #[must_use]
    pub const fn registry(&self) -> &'static str {
        match self {
            Self::Registered(_) => "registered",
            Self::Extension(_) => "extension",
            Self::Legacy(_) => "legacy",
            Self::GateDerived(_) => "gate_derived",
            Self::Unregistered(_) => "unregistered",
        }
    }

    /// The text for a metric label or a span dimension: the name when it is registered, else
    /// `extension` or `unregistered`.
    ///
    /// Observed text does not have low cardinality, so it never becomes a label. Legacy labels and
    /// gate-derived classes are not registered and count as `unregistered`.
    ///
    /// ```
    /// use failure_kinds::ObservedKind;
    ///
    /// let label = |text| ObservedKind::new(text).metric_label().to_owned();
    /// assert_eq!(label("judge_failed"), "judge_failed");
    /// assert_eq!(label("browser_env:tab_crashed"), "extension");
    /// assert_eq!(label("offset 262144 is not a multiple of 1041"), "unregistered");
    /// ```
    #[must_use]
    pub const fn metric_label(&self) -> &'static str {
        match self.kind() {
            Some(kind) => match kind.row() {
                Some(row) => row.name,
                None => "extension",
            },
            None => "unregistered",
        }
    }
}

impl From<&str> for ObservedKind {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for ObservedKind {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl From<ObservedKind> for String {
    fn from(kind: ObservedKind) -> Self {
        kind.as_str().into()
    }
}

impl From<FailureKind> for ObservedKind {
    fn from(kind: FailureKind) -> Self {
        if kind.is_registered() { Self::Registered(kind) } else { Self::Extension(kind) }
    }
}

impl FromStr for ObservedKind {
    type Err = Infallible;

    /// As [`ObservedKind::new`].
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::new(text))
    }
}

/// A label of old producers and saved rows.
///
/// ```
/// use failure_kinds::LegacyLabel;
///
/// let label: LegacyLabel = "timeout_exceeded".parse()?;
/// assert_eq!(label.successor(), Some("agent_timeout"));
/// assert_eq!("agent_timeout".parse::<LegacyLabel>().unwrap_err().text(), "agent_timeout");
/// # Ok::<(), failure_kinds::LegacyLabelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LegacyLabel(&'static Legacy);

impl LegacyLabel {
    /// The label as it was written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0.label
    }

    /// The name of the same meaning, if there is one. It can safely replace the label.
    #[must_use]
    pub const fn successor(self) -> Option<&'static str> {
        self.0.successor()
    }

    /// What to look at if the label meant several things. Then nothing may be rewritten.
    #[must_use]
    pub const fn hint(self) -> Option<&'static str> {
        self.0.hint()
    }
}

impl FromStr for LegacyLabel {
    type Err = LegacyLabelError;

    /// # Errors
    ///
    /// The text is not a legacy label.
    fn from_str(text: &str) -> Result<Self, LegacyLabelError> {
        legacy(text).map(Self).ok_or_else(|| LegacyLabelError::new(text))
    }
}

text_error! {
    /// A text is not a legacy label.
    LegacyLabelError, |text, f| write!(f, "`{}` is not a legacy label", Quoted(text))
}

/// A class that an acceptance gate derived from saved rows.
///
/// ```
/// use failure_kinds::{FailureClass, GateDerivedKind};
///
/// let cut_off: GateDerivedKind = "answer_cut_off".parse()?;
/// assert_eq!(cut_off.class(), Some(FailureClass::Model));
/// # Ok::<(), failure_kinds::GateDerivedKindError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GateDerivedKind(&'static GateDerived);

impl GateDerivedKind {
    /// The name as the gate wrote it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0.name
    }

    /// What the gate saw, in one sentence.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        self.0.summary
    }

    /// Its side in reports, if it decides one.
    #[must_use]
    pub const fn class(self) -> Option<FailureClass> {
        match self.0.class {
            Some(class) => Some(FailureClass::of(class)),
            None => None,
        }
    }
}

impl FromStr for GateDerivedKind {
    type Err = GateDerivedKindError;

    /// # Errors
    ///
    /// The text is not a gate-derived class.
    fn from_str(text: &str) -> Result<Self, GateDerivedKindError> {
        gate_derived(text).map(Self).ok_or_else(|| GateDerivedKindError::new(text))
    }
}

text_error! {
    /// A text is not a gate-derived class.
    GateDerivedKindError, |text, f| write!(f, "`{}` is not a gate-derived class", Quoted(text))
}

/// An observed text that the vocabulary does not know.
///
/// ```
/// use failure_kinds::UnregisteredKind;
///
/// let name: UnregisteredKind = "judge_faild".parse()?;
/// assert_eq!(name.suggestion(), Some("judge_failed"));
/// assert!("judge_failed".parse::<UnregisteredKind>().is_err());
/// # Ok::<(), failure_kinds::UnregisteredKindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UnregisteredKind(Arc<str>);

impl UnregisteredKind {
    /// The text as it was observed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The registered name that was most likely meant. It is for a person to read: a suggestion by
    /// spelling is never applied.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'static str> {
        suggest(&self.0).map(|suggestion| suggestion.name)
    }
}

impl FromStr for UnregisteredKind {
    type Err = UnregisteredKindError;

    /// # Errors
    ///
    /// The vocabulary knows the text.
    fn from_str(text: &str) -> Result<Self, UnregisteredKindError> {
        match ObservedKind::new(text) {
            ObservedKind::Unregistered(name) => Ok(name),
            _ => Err(UnregisteredKindError::new(text)),
        }
    }
}

text_error! {
    /// A text is known to the vocabulary: a registered kind, an extension, a legacy label or a
    /// gate-derived class.
    UnregisteredKindError, |text, f| write!(f, "`{}` is known to the vocabulary", Quoted(text))
}

macro_rules! equal_by_text {
    ($($type:ty)+) => {$(
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl Eq for $type {}

        text_traits!($type);
    )+};
}
equal_by_text!(ObservedKind LegacyLabel GateDerivedKind UnregisteredKind);
