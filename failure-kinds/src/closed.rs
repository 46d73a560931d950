//! The sets of words that no caller extends: stages and classes.

use core::fmt::{self, Formatter};

use failure_kinds_core::{Quoted, listed};

/// Implements printing and reading for an enum with `ALL` and `as_str`, and the error of reading.
macro_rules! closed_set {
    ($type:ident, $error:ident, $one:literal, $many:literal) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl core::str::FromStr for $type {
            type Err = $error;

            /// # Errors
            ///
            /// The text is none of the words; there are no aliases.
            fn from_str(text: &str) -> Result<Self, $error> {
                let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
                found.ok_or_else(|| $error { text: $crate::error::start_of(text) })
            }
        }

        #[doc = concat!("A text is no ", $one, ". The message lists the ", $many, ".")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $error {
            text: alloc::boxed::Box<str>,
        }

        impl core::fmt::Display for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let words = $type::ALL.iter().map(|value| value.as_str());
                $crate::closed::write_unlisted(f, &self.text, ($one, $many), words)
            }
        }

        impl core::error::Error for $error {}
    };
}
pub(crate) use closed_set;

/// `` `x` is not a stage; the stages are `a`, `b` and `c` ``
pub(crate) fn write_unlisted(
    f: &mut Formatter<'_>,
    text: &str,
    (one, many): (&str, &str),
    words: impl ExactSizeIterator<Item = &'static str> + Clone,
) -> fmt::Result {
    write!(f, "`{}` is not a {one}; the {many} are {}", Quoted(text), listed(words))
}
