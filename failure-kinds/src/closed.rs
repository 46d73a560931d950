//! Values that are read from a closed set of words, and the errors of reading them.

/// Defines the error of reading a type from text.
macro_rules! text_error {
    ($(#[$doc:meta])+ $error:ident, $write:expr) => {
        $(#[$doc])+
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub struct $error {
            text: alloc::boxed::Box<str>,
        }

        impl $error {
            pub(crate) fn new(text: &str) -> Self {
                Self { text: $crate::error::start_of(text) }
            }

            /// The text, at most its first 64 characters.
            #[must_use]
            pub fn text(&self) -> &str {
                $crate::error::quoted_part(&self.text)
            }
        }

        impl core::fmt::Display for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let write: fn(&str, &mut core::fmt::Formatter<'_>) -> core::fmt::Result = $write;
                write(&self.text, f)
            }
        }

        impl core::error::Error for $error {}
    };
}
pub(crate) use text_error;

/// Implements printing for an enum with `as_str`.
macro_rules! word {
    ($type:ident) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }
    };
}
pub(crate) use word;

/// Defines the codes of an error: an enum with a name for each.
macro_rules! codes {
    ($(#[$doc:meta])+ $type:ident { $($(#[$variant_doc:meta])+ $variant:ident = $name:literal)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $type { $($(#[$variant_doc])+ $variant,)+ }

        impl $type {
            /// The name, which later versions keep.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }

        $crate::closed::word!($type);

        #[cfg(feature = "serde")]
        impl serde_core::ser::Serialize for $type {
            fn serialize<S: serde_core::ser::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}
pub(crate) use codes;

/// Implements printing and reading for an enum with `ALL` and `as_str`, and the error of reading.
macro_rules! closed_set {
    ($type:ident, $error:ident, $one:literal, $many:literal) => {
        $crate::closed::word!($type);

        impl core::str::FromStr for $type {
            type Err = $error;

            /// # Errors
            ///
            /// The text is not one of the words; there are no aliases.
            fn from_str(text: &str) -> Result<Self, $error> {
                let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
                found.ok_or_else(|| $error::new(text))
            }
        }

        $crate::closed::text_error! {
            #[doc = concat!("A text is not ", $one, ".")]
            ///
            #[doc = concat!("The message has a suggestion, or lists the ", $many, ".")]
            ///
            /// ```
            #[doc = concat!("use failure_kinds::{", stringify!($type), ", ", stringify!($error), "};")]
            ///
            #[doc = concat!("let word = ", stringify!($type), "::ALL[0].as_str();")]
            /// let typo = format!("{word}s");
            #[doc = concat!("let error: ", stringify!($error), " = typo.parse::<", stringify!($type), ">().unwrap_err();")]
            /// assert_eq!((error.text(), error.suggestion()), (typo.as_str(), Some(word)));
            /// ```
            $error, |text, f| $error::unlisted(text, |it| write!(f, "{}; {}", it.problem(), it.help()))
        }

        impl $error {
            /// The word that was most likely meant.
            #[must_use]
            pub fn suggestion(&self) -> Option<&'static str> {
                let suggested = Self::unlisted(&self.text, |it| {
                    it.suggestion().and_then(|word| $type::ALL.iter().find(|one| one.as_str() == word))
                });
                suggested.map(|value| value.as_str())
            }

            fn unlisted<T>(text: &str, work: impl FnOnce(failure_kinds_core::Unlisted<'_>) -> T) -> T {
                let names: alloc::vec::Vec<&str> =
                    $type::ALL.iter().map(|value| value.as_str()).collect();
                let (one, many) = ($one, $many);
                work(failure_kinds_core::Unlisted { text, one, many, names: &names, also: None })
            }
        }
    };
}
pub(crate) use closed_set;
