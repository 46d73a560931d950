use core::error::Error;
use core::fmt::{self, Display, Formatter};
use core::hash::{Hash, Hasher};

use alloc::boxed::Box;
use failure_kinds_core::text::QUOTED_MAX;
use failure_kinds_core::{Fault, Refusal};

use crate::closed::codes;

/// A text is neither a registered kind nor an extension.
///
/// The message says which rule the text breaks, quotes it escaped and truncated, and names what
/// was most likely meant.
///
/// ```
/// use failure_kinds::{FailureKind, KindErrorReason};
///
/// let error = "Judge-Failed".parse::<FailureKind>().unwrap_err();
/// assert_eq!(error.reason(), KindErrorReason::NotSnakeCase);
/// assert_eq!(error.text(), "Judge-Failed");
/// assert_eq!(error.suggestion(), Some("judge_failed"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KindError {
    text: Box<str>,
    refusal: Refusal,
}

impl KindError {
    pub(crate) fn new(text: &str, refusal: Refusal) -> Self {
        Self { text: start_of(text), refusal }
    }

    /// The rule that the text breaks.
    #[must_use]
    pub const fn reason(&self) -> KindErrorReason {
        match self.refusal.fault {
            Fault::Empty => KindErrorReason::Empty,
            Fault::WhiteSpace(_) => KindErrorReason::WhiteSpace,
            Fault::Character(..) => KindErrorReason::InvalidCharacter,
            Fault::Shape => KindErrorReason::NotSnakeCase,
            Fault::Colons => KindErrorReason::SeveralColons,
            Fault::EmptyPart(_) => KindErrorReason::EmptyPart,
            Fault::First(..) => KindErrorReason::InvalidStart,
            Fault::Legacy(_) => KindErrorReason::Legacy,
            Fault::GateDerived(_) => KindErrorReason::GateDerived,
            // Only the macros reject an extension that duplicates a registered name.
            Fault::Doubled(_) | Fault::Unregistered => KindErrorReason::Unregistered,
        }
    }

    /// The text, at most its first 64 characters.
    #[must_use]
    pub fn text(&self) -> &str {
        quoted_part(&self.text)
    }

    /// What is wrong, in one clause.
    #[cfg(feature = "config")]
    pub(crate) fn problem(&self) -> impl Display + '_ {
        self.refusal.problem(&self.text)
    }

    /// What to write instead, in one clause.
    #[cfg(feature = "config")]
    pub(crate) fn help(&self) -> Option<impl Display + '_> {
        self.refusal.help(&self.text)
    }

    /// The name that was most likely meant: a registered kind, or the successor of a legacy label.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'static str> {
        self.refusal.suggestion.map(|suggestion| suggestion.name)
    }
}

codes! {
    /// The rule of [`KindError`] that a text breaks.
    KindErrorReason {
        /// There is no text.
        Empty = "empty"
        /// It has white space.
        WhiteSpace = "white_space"
        /// It has a character that no kind has.
        InvalidCharacter = "invalid_character"
        /// It has upper-case letters or hyphens.
        NotSnakeCase = "not_snake_case"
        /// It has more than one colon.
        SeveralColons = "several_colons"
        /// There is nothing before or after the colon.
        EmptyPart = "empty_part"
        /// A part starts with a digit or an underscore.
        InvalidStart = "invalid_start"
        /// It is a legacy label.
        Legacy = "legacy"
        /// It is a class that only an acceptance gate derives.
        GateDerived = "gate_derived"
        /// It is well-formed, but not registered.
        Unregistered = "unregistered"
    }
}

impl Display for KindError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.refusal.sentence(&self.text).fmt(f)
    }
}

impl Error for KindError {}

impl PartialEq for KindError {
    fn eq(&self, other: &Self) -> bool {
        let parts = |error: &Self| (error.reason(), error.suggestion());
        self.text == other.text && parts(self) == parts(other)
    }
}

impl Eq for KindError {}

impl Hash for KindError {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The part of a text that a message shows, and one more character, which shows that it was cut.
pub(crate) fn start_of(text: &str) -> Box<str> {
    text.chars().take(QUOTED_MAX + 1).collect()
}

/// The part that a message shows.
pub(crate) fn quoted_part(start: &str) -> &str {
    start.char_indices().nth(QUOTED_MAX).map_or(start, |(end, _)| &start[..end])
}
