use failure_kinds_core::with_stages;

use crate::closed::closed_set;

macro_rules! stages {
    ($(#[doc = $summary:literal] $variant:ident = $name:literal { $($columns:tt)* })+) => {
        /// Where in an episode a failure happened, apart from its kind.
        ///
        /// Ordered as in an episode. A transport failure that a collector sees has no stage.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FailureStage { $(#[doc = $summary] $variant,)+ }

        impl FailureStage {
            /// Every stage, in the order of an episode.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in rows and files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What the stage is, in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary.trim_ascii(),)+ }
            }
        }
    };
}
with_stages!(stages);

closed_set!(FailureStage, StageError, "a stage", "stages");
