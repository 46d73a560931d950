use core::error::Error;
use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use alloc::boxed::Box;
use failure_kinds_core::{QUOTED_MAX, Quoted, STAGES, with_stages};

macro_rules! stages {
    ($($(#[$doc:meta])* ($variant:ident, $name:literal))+) => {
        /// Where in an episode a failure happened, apart from its kind.
        ///
        /// Ordered as in an episode. A transport failure that a collector sees has no stage.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FailureStage { $($(#[$doc])* $variant,)+ }

        impl FailureStage {
            /// Every stage, in the order of an episode.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word for this stage in rows and files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}
with_stages!(stages);

impl Display for FailureStage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for FailureStage {
    type Err = StageError;

    /// # Errors
    ///
    /// The text is none of the five names; there are no aliases.
    fn from_str(text: &str) -> Result<Self, StageError> {
        Self::ALL
            .iter()
            .copied()
            .find(|stage| stage.as_str() == text)
            .ok_or_else(|| StageError { text: text.chars().take(QUOTED_MAX + 1).collect() })
    }
}

/// A text is no stage. The message lists the stages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageError {
    /// The start of the text; one character more than [`Quoted`] shows, so that a cut shows.
    text: Box<str>,
}

impl Display for StageError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a stage; the stages are ", Quoted(&self.text))?;
        for (index, stage) in STAGES.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == STAGES.len() => " and ",
                _ => ", ",
            };
            write!(f, "{separator}`{stage}`")?;
        }
        Ok(())
    }
}

impl Error for StageError {}
