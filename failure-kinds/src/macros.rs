/// The constant of a failure kind, with its name checked at compile time.
///
/// The argument is one string literal: a registered kind, or a server's own extension
/// `<server>:<kind>`. Nothing happens at run time. The macro is an expression, and for a registered
/// kind also a pattern; it is not an item.
///
/// ```
/// use failure_kinds::{FailureKind, failure_kind, kinds};
///
/// const LATE: FailureKind = failure_kind!("agent_timeout");
/// static OURS: [FailureKind; 2] = [
///     failure_kind!("browser_env:tab_crashed"),
///     failure_kind!("browser_env:captcha_wall"),
/// ];
///
/// assert_eq!(LATE, kinds::AGENT_TIMEOUT);
/// assert_eq!(OURS[0].server(), Some("browser_env"));
/// ```
///
/// Anything else is one error at the literal, with the name that was most likely meant or how to
/// write an extension:
///
/// ```text
/// error: `judge_faild` is not a registered failure kind
///        help: a similar name is registered: `judge_failed`
///        note: a kind of one server only is written `<server>:<kind>`
///  --> src/kinds.rs:3:42
///   |
/// 3 | const JUDGE: FailureKind = failure_kind!("judge_faild");
///   |                                          ^^^^^^^^^^^^^
/// ```
///
/// An extension that duplicates a registered name (`browser_env:judge_failed`, `judge:failed`) is
/// rejected, although parsing accepts it: it would be a second label for one failure.
///
/// A name that is known only at run time goes through
/// [`validate_event_kind`](crate::validate_event_kind) or `FailureKind::try_from`.
///
/// # In events and metrics
///
/// A kind is the value of a field or a label; its text is `as_str`.
///
/// ```
/// # #[cfg(feature = "tracing")] {
/// use failure_kinds::failure_kind;
///
/// tracing::warn!(failure_kind = failure_kind!("judge_failed").as_str(), "the judge is down");
/// # }
/// let label = ("kind", failure_kinds::failure_kind!("judge_failed").metric_label().to_owned());
/// assert_eq!(label.1, "judge_failed");
/// ```
///
/// # Matching
///
/// A registered kind is also a pattern. It matches a place of type
/// [`FailureKind`](crate::FailureKind), so a reference is dereferenced in the scrutinee. An
/// extension is not a pattern, because its text may be stored in several ways; compare it with
/// `==`.
///
/// ```
/// use failure_kinds::{FailureKind, failure_kind};
///
/// fn advice(kind: &FailureKind) -> &'static str {
///     match *kind {
///         failure_kind!("judge_failed") | failure_kind!("judge_unparseable") => "judge again",
///         _ if *kind == failure_kind!("browser_env:tab_crashed") => "look at the browser's log",
///         _ => "look at the reason",
///     }
/// }
///
/// assert_eq!(advice(&failure_kind!("judge_failed")), "judge again");
/// assert_eq!(advice(&failure_kind!("browser_env:tab_crashed")), "look at the browser's log");
/// ```
///
/// Without the dereference the compiler says:
///
/// ```compile_fail,E0308
/// # use failure_kinds::{FailureKind, failure_kind};
/// fn is_judge(kind: &FailureKind) -> bool {
///     // expected `&FailureKind`, found `FailureKind`
///     matches!(kind, failure_kind!("judge_failed"))
/// }
/// ```
///
/// And for an extension as a pattern:
///
/// ```compile_fail,E0164
/// # use failure_kinds::{FailureKind, failure_kind};
/// fn is_ours(kind: &FailureKind) -> bool {
///     // expected tuple struct or tuple variant
///     matches!(*kind, failure_kind!("browser_env:tab_crashed"))
/// }
/// ```
#[macro_export]
macro_rules! failure_kind {
    ($($name:tt)*) => {
        $crate::__private::failure_kind! { $crate $($name)* }
    };
}

/// The part of a derived `StageOverrides` that depends on the feature `schemars`.
#[cfg(all(feature = "derive", feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __stage_overrides_schema {
    ($type:ident [$($(#[$cfg:meta])* ($stage:literal, $doc:literal)),*]) => {
        impl $crate::__private::schemars::JsonSchema for $type {
            fn schema_name() -> $crate::__private::Cow<'static, ::core::primitive::str> {
                $crate::__private::Cow::Borrowed(::core::stringify!($type))
            }

            fn schema_id() -> $crate::__private::Cow<'static, ::core::primitive::str> {
                $crate::__private::Cow::Borrowed(::core::concat!(
                    ::core::module_path!(), "::", ::core::stringify!($type)
                ))
            }

            fn json_schema(
                generator: &mut $crate::__private::schemars::SchemaGenerator,
            ) -> $crate::__private::schemars::Schema {
                $crate::__private::stages_schema(generator, &[$($(#[$cfg])* ($stage, $doc)),*])
            }
        }
    };
}

/// Nothing without that feature.
#[cfg(all(feature = "derive", not(feature = "schemars")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __stage_overrides_schema {
    ($($nothing:tt)*) => {};
}

#[cfg(test)]
mod tests {
    use crate::{FailureKind, kinds};

    #[test]
    fn c212_the_macro_works_in_the_crate_that_it_names() {
        const KIND: FailureKind = crate::failure_kind!("judge_failed");
        assert_eq!(KIND, kinds::JUDGE_FAILED);
        assert_eq!(crate::failure_kind!("my_server:odd_case").server(), Some("my_server"));
    }
}
