use failure_kinds_core::with_http_labels;

use crate::FailureClass;
use crate::closed::closed_set;

/// A recorded value that may be an HTTP status.
///
/// Saved rows hold statuses as integers, strings, floats, booleans and nulls. Only an integer is
/// evidence. Nothing is converted.
///
/// Implemented for integers, `Option`s and references, and with features for
/// `serde_json::Value` and `http::StatusCode`. No other crate can implement it.
///
/// ```compile_fail,E0277
/// struct Status;
///
/// impl failure_kinds::RecordedStatus for Status {
///     fn recorded_status(&self) -> Option<u16> {
///         Some(500)
///     }
/// }
/// ```
///
/// ```
/// use failure_kinds::RecordedStatus;
///
/// assert_eq!(503.recorded_status(), Some(503));
/// assert_eq!(5030.recorded_status(), None);
/// assert_eq!(Some(429_u16).recorded_status(), Some(429));
/// ```
pub trait RecordedStatus: Sealed {
    /// The status, if the value is an integer in 100..=599.
    fn recorded_status(&self) -> Option<u16>;
}

/// Seals the trait, so that it can grow.
pub trait Sealed {}

fn status(value: u16) -> Option<u16> {
    matches!(value, 100..=599).then_some(value)
}

macro_rules! integers {
    ($($integer:ty)+) => {$(
        impl Sealed for $integer {}

        impl RecordedStatus for $integer {
            fn recorded_status(&self) -> Option<u16> {
                u16::try_from(*self).ok().and_then(status)
            }
        }
    )+};
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: RecordedStatus> Sealed for Option<T> {}

impl<T: RecordedStatus> RecordedStatus for Option<T> {
    fn recorded_status(&self) -> Option<u16> {
        self.as_ref()?.recorded_status()
    }
}

impl<T: RecordedStatus + ?Sized> Sealed for &T {}

impl<T: RecordedStatus + ?Sized> RecordedStatus for &T {
    fn recorded_status(&self) -> Option<u16> {
        (**self).recorded_status()
    }
}

#[cfg(feature = "config")]
impl Sealed for serde_json::Value {}

#[cfg(feature = "config")]
#[cfg_attr(docsrs, doc(cfg(feature = "config")))]
impl RecordedStatus for serde_json::Value {
    fn recorded_status(&self) -> Option<u16> {
        self.as_u64()?.recorded_status()
    }
}

#[cfg(feature = "http")]
impl Sealed for http::StatusCode {}

#[cfg(feature = "http")]
#[cfg_attr(docsrs, doc(cfg(feature = "http")))]
impl RecordedStatus for http::StatusCode {
    fn recorded_status(&self) -> Option<u16> {
        status(self.as_u16())
    }
}

/// Whether a recorded HTTP status is an integer in 500..=599.
///
/// ```
/// use failure_kinds::is_server_error_status;
///
/// assert!(is_server_error_status(&529));
/// assert!(!is_server_error_status(&5030));
/// assert!(!is_server_error_status(&None::<u16>));
/// ```
#[must_use]
pub fn is_server_error_status(status: &(impl RecordedStatus + ?Sized)) -> bool {
    matches!(status.recorded_status(), Some(500..=599))
}

macro_rules! labels {
    ($(
        #[doc = $summary:literal] $(#[doc = $detail:literal])*
        $variant:ident = $label:literal { statuses: $statuses:pat, default: $default:expr }
    )+) => {
        /// What an observed HTTP status says, as a label for reports.
        ///
        /// A projection: it is never written back into an event, and it changes no kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum HttpEvidence {
            $(
                #[doc = $summary]
                $(#[doc = $detail])*
                ///
                #[doc = concat!("`", stringify!($statuses), "`, without the statuses of the labels above.")]
                $variant,
            )+
        }

        impl HttpEvidence {
            /// Every label.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The label in files and reports, such as `http_rate_limited`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $label,)+ }
            }

            /// What the status says, in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary.trim_ascii(),)+ }
            }

            /// The label of a recorded status; `None` below 400 and for anything that is not a status.
            #[must_use]
            pub fn project(status: &(impl RecordedStatus + ?Sized)) -> Option<Self> {
                match status.recorded_status()? {
                    $($statuses => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The class in the default configuration.
            pub(crate) const fn default_class(self) -> Option<FailureClass> {
                #[allow(clippy::enum_glob_use, reason = "a row names any class")]
                use FailureClass::*;
                match self { $(Self::$variant => $default,)+ }
            }
        }
    };
}
with_http_labels!(labels);

closed_set!(HttpEvidence, HttpEvidenceError, "an HTTP label", "labels");
