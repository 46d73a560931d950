use core::error::Error;
use core::fmt::{self, Display, Formatter};

use alloc::boxed::Box;
use failure_kinds_core::Refusal;
use failure_kinds_core::text::QUOTED_MAX;

/// A text is neither a registered kind nor an extension.
///
/// The message says which rule the text breaks, quotes it escaped and bounded, and names what
/// was most likely meant.
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

impl Display for KindError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.refusal.sentence(&self.text).fmt(f)
    }
}

impl Error for KindError {}

/// As much of a text as a message shows, and one character more, so that a cut shows.
pub(crate) fn start_of(text: &str) -> Box<str> {
    text.chars().take(QUOTED_MAX + 1).collect()
}
