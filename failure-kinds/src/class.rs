use failure_kinds_core::{Class, with_classes};

use crate::closed::closed_set;

macro_rules! classes {
    ($(#[doc = $summary:literal] $variant:ident = $name:literal)+) => {
        /// The side that a report puts a failure on.
        ///
        /// A configurable label and nothing more: no class implies an action, and none is a verdict
        /// on anyone's health.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FailureClass { $(#[doc = $summary] $variant,)+ }

        impl FailureClass {
            /// Every class.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in files and reports, such as `model`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What the class means, in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary.trim_ascii(),)+ }
            }

            pub(crate) const fn of(class: Class) -> Self {
                match class { $(Class::$variant => Self::$variant,)+ }
            }
        }
    };
}
with_classes!(classes);

closed_set!(FailureClass, ClassError, "a class", "classes");
