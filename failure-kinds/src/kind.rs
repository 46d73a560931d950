use core::fmt::{self, Debug, Formatter};
use core::str::FromStr;

use alloc::string::String;
use alloc::sync::Arc;
use failure_kinds_core::{Accepted, KINDS, Kind, is_namespaced, parse, position, split_extension};

use crate::KindError;
use crate::text::text_traits;

/// What went wrong: a registered name, or a server's own `<server>:<kind>` extension.
///
/// A name says what went wrong and nothing else. Equality, order and hash use the name, whatever
/// the storage, so a `FailureKind` can be looked up in a map by its text.
///
/// Cloning never allocates: it copies, or counts a reference if the name of an extension was
/// given at run time.
///
/// # Matching
///
/// The constants of [`kinds`](crate::kinds) are patterns for a place of this type. An extension
/// is compared with `==`.
///
/// ```
/// use failure_kinds::{FailureKind, kinds};
///
/// const TAB_CRASHED: FailureKind = FailureKind::from_static("browser_env:tab_crashed");
///
/// fn advice(kind: &FailureKind) -> &'static str {
///     match *kind {
///         kinds::JUDGE_FAILED | kinds::JUDGE_UNPARSEABLE => "judge the saved answer again",
///         _ if *kind == TAB_CRASHED => "look at the browser's log",
///         _ => "look at the reason",
///     }
/// }
///
/// assert_eq!(advice(&kinds::JUDGE_FAILED), "judge the saved answer again");
/// assert_eq!(advice(&"browser_env:tab_crashed".parse()?), "look at the browser's log");
/// # Ok::<(), failure_kinds::KindError>(())
/// ```
///
/// # Parts of a name
///
/// ```
/// use failure_kinds::{FailureKind, kinds};
///
/// let kind: FailureKind = "browser_env:tab_crashed".parse()?;
/// assert!(kind.is_extension() && !kind.is_registered());
/// assert_eq!((kind.server(), kind.name()), (Some("browser_env"), "tab_crashed"));
/// assert_eq!((kinds::JUDGE_FAILED.domain(), kind.domain()), (Some("judge"), None));
/// # Ok::<(), failure_kinds::KindError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FailureKind(Repr);

// `PartialEq` must be derived down to the registered variant: only then are constants patterns.
#[derive(Clone, PartialEq, Eq)]
enum Repr {
    Registered(Index),
    Extension(Extension),
}

/// An index into the vocabulary table.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Index(u8);

#[derive(Clone)]
enum Extension {
    Static(&'static str),
    Shared(Arc<str>),
}

impl Extension {
    fn as_str(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl PartialEq for Extension {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Extension {}

impl FailureKind {
    /// The kind of a text that is known at compile time.
    ///
    /// Prefer `failure_kind!`, whose errors say how to fix the text, and which also rejects an
    /// extension that duplicates a registered name.
    ///
    /// # Panics
    ///
    /// If the text is neither a registered kind nor an extension; in a `const`, that is a compile
    /// error.
    #[must_use]
    pub const fn from_static(text: &'static str) -> Self {
        if let Some(index) = position(text) {
            Self::registered(index)
        } else if is_namespaced(text) {
            Self::__extension_unchecked(text)
        } else {
            panic!("FailureKind::from_static: neither a registered failure kind nor an extension")
        }
    }

    /// The constructor of `failure_kind!`, which has checked the text. Without `must_use`, whose
    /// warning would show this name to a user of the macro.
    #[doc(hidden)]
    #[allow(clippy::must_use_candidate)]
    pub const fn __extension_unchecked(text: &'static str) -> Self {
        Self(Repr::Extension(Extension::Static(text)))
    }

    /// The registered kind of this row of the vocabulary table, which has fewer than 64.
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn registered(index: usize) -> Self {
        assert!(index < KINDS.len());
        Self(Repr::Registered(Index(index as u8)))
    }

    /// The kind of a text that was accepted.
    pub(crate) fn accepted(accepted: Accepted<'_>, text: &str) -> Self {
        match accepted {
            Accepted::Registered(index) => Self::registered(index),
            Accepted::Extension { .. } => Self(Repr::Extension(Extension::Shared(text.into()))),
        }
    }
}

impl FailureKind {
    /// The whole name: `judge_failed`, or `browser_env:tab_crashed`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Registered(index) => index.row().name,
            Repr::Extension(extension) => extension.as_str(),
        }
    }

    /// Whether it is part of the shared vocabulary.
    #[must_use]
    pub const fn is_registered(&self) -> bool {
        matches!(self.0, Repr::Registered(_))
    }

    /// Whether it is a server's own extension.
    #[must_use]
    pub const fn is_extension(&self) -> bool {
        matches!(self.0, Repr::Extension(_))
    }

    /// The kind without its server: `tab_crashed` in `browser_env:tab_crashed`.
    #[must_use]
    pub fn name(&self) -> &str {
        split_extension(self.as_str()).map_or(self.as_str(), |(_, name)| name)
    }

    /// The server of an extension: `browser_env` in `browser_env:tab_crashed`.
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        split_extension(self.as_str()).map(|(server, _)| server)
    }

    /// The part of the system that a registered name is about, such as `judge`.
    #[must_use]
    pub const fn domain(&self) -> Option<&'static str> {
        match self.row() {
            Some(row) => Some(row.domain.as_str()),
            None => None,
        }
    }

    /// What a registered name means, in one sentence.
    #[must_use]
    pub const fn summary(&self) -> Option<&'static str> {
        match self.row() {
            Some(row) => Some(row.summary),
            None => None,
        }
    }

    /// The text for a metric label or a span dimension: the name.
    ///
    /// Names have low cardinality on purpose. The text of a reason does not, and a reason never
    /// becomes a label.
    #[must_use]
    pub fn metric_label(&self) -> &str {
        self.as_str()
    }

    pub(crate) const fn row(&self) -> Option<&'static Kind> {
        match &self.0 {
            Repr::Registered(index) => Some(index.row()),
            Repr::Extension(_) => None,
        }
    }
}

impl Index {
    const fn row(self) -> &'static Kind {
        &KINDS[self.0 as usize]
    }
}

/// Validates the kind of a canonical event: a registered name or an extension.
///
/// The strict counterpart of a boundary that warns. Gate-derived classes and legacy labels are
/// rejected like any other unregistered name.
///
/// # Errors
///
/// The rule that the text breaks, with what was most likely meant.
///
/// ```
/// use failure_kinds::{kinds, validate_event_kind};
///
/// assert_eq!(validate_event_kind("judge_failed")?, kinds::JUDGE_FAILED);
/// let error = validate_event_kind("judge_faild").unwrap_err();
/// assert_eq!(error.suggestion(), Some("judge_failed"));
/// # Ok::<(), failure_kinds::KindError>(())
/// ```
pub fn validate_event_kind(text: &str) -> Result<FailureKind, KindError> {
    match parse(text) {
        Ok(accepted) => Ok(FailureKind::accepted(accepted, text)),
        Err(refusal) => Err(KindError::new(text, refusal)),
    }
}

impl FromStr for FailureKind {
    type Err = KindError;

    /// As [`validate_event_kind`].
    fn from_str(text: &str) -> Result<Self, KindError> {
        validate_event_kind(text)
    }
}

impl From<&Self> for FailureKind {
    fn from(kind: &Self) -> Self {
        kind.clone()
    }
}

impl From<FailureKind> for String {
    fn from(kind: FailureKind) -> Self {
        kind.as_str().into()
    }
}

impl TryFrom<&str> for FailureKind {
    type Error = KindError;

    /// As [`validate_event_kind`].
    fn try_from(text: &str) -> Result<Self, KindError> {
        validate_event_kind(text)
    }
}

impl TryFrom<String> for FailureKind {
    type Error = KindError;

    /// As [`validate_event_kind`].
    fn try_from(text: String) -> Result<Self, KindError> {
        validate_event_kind(&text)
    }
}

text_traits!(FailureKind);

impl Debug for FailureKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FailureKind").field(&self.as_str()).finish()
    }
}
