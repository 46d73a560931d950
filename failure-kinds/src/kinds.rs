//! The registered vocabulary: one constant for each name.
//!
//! ```
//! use failure_kinds::kinds;
//!
//! assert_eq!(kinds::JUDGE_FAILED.as_str(), "judge_failed");
//! ```

use failure_kinds_core::with_kinds;

use crate::FailureKind;

macro_rules! constants {
    ($(
        $(#[doc = $doc:literal])+
        $constant:ident = $name:literal { $($columns:tt)* }
    )+) => {
        $(
            #[doc = concat!("`", $name, "`: ")]
            $(#[doc = $doc])+
            pub const $constant: FailureKind = FailureKind::from_static($name);
        )+

        pub(crate) static ALL: [FailureKind; failure_kinds_core::KINDS.len()] = [$($constant),+];
    };
}
with_kinds!(constants);
