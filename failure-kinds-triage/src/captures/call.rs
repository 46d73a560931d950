//! One recorded model call, from the raw values of the keys that are read of it.
//!
//! A line of a capture file and a call that a row carries have the same keys. The payloads beside
//! them hold decoys of the same names, so only the top level of a call counts.

use std::collections::HashMap;

use failure_kinds_rows::{Check, Keys, RawRow, SyntaxError, Text, Value, scan_object};
use foldhash::fast::RandomState;

use crate::row;
use serde::{Deserialize, Serialize};

/// How many keys are read of a call.
pub(super) const KEYS_READ: usize = 6;

/// The keys that are read of a call. Every other one is skipped.
pub(super) static KEYS: Keys<KEYS_READ> = Keys::new([
    "model_ref",
    "started_at",
    "completed_at",
    "status_code",
    "upstream_status_code",
    "error_category",
]);

/// The categories that the reference's model servers write, and one for any other text.
macro_rules! categories {
    ($($variant:ident $name:literal)*) => {
        /// Why a model call failed, in the words of the reference's model servers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Category {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
            /// A text that is not in the list.
            Other,
        }

        impl Category {
            /// All categories.
            pub const ALL: &[Self] = &[$(Self::$variant,)* Self::Other];

            /// The name in reports.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Other => "other",
                }
            }
        }
    };
}

categories! {
    Timeout "timeout"
    RateLimit "rate_limit"
    Auth "auth"
    NotFound "not_found"
    ClientError "client_error"
    UpstreamError "upstream_error"
    Cancelled "cancelled"
    Connection "connection"
    Exception "exception"
    Incomplete "incomplete"
    StreamTruncated "stream_truncated"
    CaptureParseError "capture_parse_error"
    ContextLengthExceeded "context_length_exceeded"
}

impl Category {
    /// The category of a call; `None` if it succeeded. A value that is not a text says that the
    /// call failed, and not why.
    fn read(value: &Value<'_>) -> Option<Self> {
        let text = match value {
            Value::Null => return None,
            Value::String(text) => *text,
            _ => return Some(Self::Other),
        };
        let known = Self::ALL.iter().find(|category| text.is(category.as_str()));
        Some(known.copied().unwrap_or(Self::Other))
    }
}

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FailedCall {
    /// The status that the upstream answered with, in 100..=599.
    pub status: Option<u16>,
    /// Why it failed.
    pub category: Category,
    /// The name of the model server, as recorded.
    pub model: Option<Box<str>>,
}

/// How an attempt ended, by its model calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum LastCall {
    /// No last call was read, which says nothing about whether one failed.
    #[default]
    Unobserved,
    /// The last call of each model succeeded.
    Succeeded,
    /// The latest of the last calls that failed.
    Failed(FailedCall),
}

/// The last call of each model of one attempt.
///
/// A later success of one model does not undo a failure of another one, while an earlier failure
/// of a model that succeeded later was recovered.
#[derive(Debug)]
pub(super) struct LastCalls {
    by_model: HashMap<Option<Box<str>>, Last, RandomState>,
    /// The latest time of the calls so far.
    latest: f64,
    /// How many calls were taken.
    count: u64,
}

/// The last call of a model.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// When it ended, in unix seconds. A call without a time ends with the latest before it.
    time: f64,
    /// Its place among all calls.
    number: u64,
    failure: Option<(Option<u16>, Category)>,
}

impl Last {
    /// By time, then by the order in which they were recorded.
    fn is_after(&self, other: &Self) -> bool {
        self.time.total_cmp(&other.time).then(self.number.cmp(&other.number)).is_gt()
    }
}

impl Default for LastCalls {
    fn default() -> Self {
        Self { by_model: HashMap::default(), latest: f64::NEG_INFINITY, count: 0 }
    }
}

impl LastCalls {
    /// Takes the next call.
    ///
    /// # Errors
    ///
    /// When the value of a key that is read is not JSON.
    pub(super) fn take<'a>(&mut self, raw: &RawRow<'a, KEYS_READ>) -> Result<(), SyntaxError<'a>> {
        let mut values = [const { Value::Null }; KEYS_READ];
        row::values(raw, KEYS.names(), &mut values)?;
        let [model_ref, started_at, completed_at, status_code, upstream_status_code, category] =
            &values;
        let model = model_name(model_ref)?.map(|name| name.decode().into());
        let time = |value: &Value<'_>, raw: Option<&[u8]>| match value {
            Value::Integer(_) | Value::Float => str::from_utf8(raw?).ok()?.parse::<f64>().ok(),
            _ => None,
        };
        let time = time(completed_at, raw.get(2)).or_else(|| time(started_at, raw.get(1)));
        self.latest = self.latest.max(time.unwrap_or(f64::NEG_INFINITY));
        let status = row::status(upstream_status_code).or_else(|| row::status(status_code));
        let call = Last {
            time: time.unwrap_or(self.latest),
            number: self.count,
            failure: Category::read(category).map(|category| (status, category)),
        };
        self.count += 1;
        let last = self.by_model.entry(model).or_insert(call);
        if call.is_after(last) {
            *last = call;
        }
        Ok(())
    }

    /// How the attempt ended, by these calls.
    pub(super) fn finish(self) -> LastCall {
        if self.count == 0 {
            return LastCall::Unobserved;
        }
        let failed = self
            .by_model
            .into_iter()
            .filter_map(|(model, last)| Some((model, last, last.failure?)))
            .reduce(|one, other| if other.1.is_after(&one.1) { other } else { one });
        match failed {
            Some((model, _, (status, category))) => {
                LastCall::Failed(FailedCall { status, category, model })
            }
            None => LastCall::Succeeded,
        }
    }
}

/// `name` of a `model_ref`.
fn model_name<'a>(model_ref: &Value<'a>) -> Result<Option<Text<'a>>, SyntaxError<'a>> {
    let Value::Object(text) = *model_ref else { return Ok(None) };
    let [name] = scan_object(text, &["name"], Check::Read)?.values();
    Ok(match name.and_then(Value::parse) {
        Some(Value::String(name)) => Some(name),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn last(calls: &[&str]) -> LastCall {
        let mut last = LastCalls::default();
        for call in calls {
            last.take(&scan_object(call.as_bytes(), KEYS.names(), Check::Read).unwrap()).unwrap();
        }
        last.finish()
    }

    fn failed(status: impl Into<Option<u16>>, category: Category, model: &str) -> LastCall {
        LastCall::Failed(FailedCall { status: status.into(), category, model: Some(model.into()) })
    }

    const OK: &str = r#"{"model_ref":{"name":"policy"},"completed_at":5.0,"status_code":200,"error_category":null}"#;

    #[test]
    fn no_call_says_nothing() {
        assert_eq!(last(&[]), LastCall::Unobserved);
        assert_eq!(last(&[OK]), LastCall::Succeeded);
    }

    #[test]
    fn the_last_call_of_a_model_decides_by_time() {
        let failure = |time: &str| {
            format!(
                r#"{{"model_ref":{{"name":"policy"}},"completed_at":{time},"status_code":503,"error_category":"upstream_error"}}"#
            )
        };
        let is_failed = failed(503, Category::UpstreamError, "policy");
        assert_eq!(last(&[OK, &failure("6")]), is_failed);
        assert_eq!(last(&[&failure("6"), OK]), is_failed);
        // It was recovered.
        assert_eq!(last(&[&failure("4.5"), OK]), LastCall::Succeeded);
        assert_eq!(last(&[OK, &failure("4.5")]), LastCall::Succeeded);
        // Of calls that ended together the later line is the last one, as without any time.
        assert_eq!(last(&[OK, &failure("5.0")]), is_failed);
        assert_eq!(last(&[&failure("5.0"), OK]), LastCall::Succeeded);
        assert_eq!(last(&[OK, &failure("null")]), is_failed);
        assert_eq!(last(&[&failure("null"), OK]), LastCall::Succeeded);
    }

    #[test]
    fn a_call_that_did_not_complete_counts_from_its_start() {
        let call = r#"{"model_ref":{"name":"policy"},"started_at":7,"completed_at":null,"error_category":"cancelled"}"#;
        assert_eq!(last(&[call, OK]), failed(None, Category::Cancelled, "policy"));
    }

    #[test]
    fn a_success_of_one_model_does_not_undo_a_failure_of_another() {
        let policy = r#"{"model_ref":{"name":"policy"},"completed_at":1,"status_code":429,"error_category":"rate_limit"}"#;
        let judge = r#"{"model_ref":{"name":"judge"},"completed_at":2,"status_code":200,"error_category":null}"#;
        assert_eq!(last(&[policy, judge]), failed(429, Category::RateLimit, "policy"));
        let judge = judge.replace("null", "\"auth\"").replace("200", "401");
        assert_eq!(last(&[policy, &judge]), failed(401, Category::Auth, "judge"));
    }

    #[test]
    fn the_upstream_status_goes_first_and_only_integers_of_the_range_count() {
        for (upstream, status, expected) in [
            ("429", "500", Some(429)),
            ("null", "500", Some(500)),
            ("\"429\"", "500", Some(500)),
            ("700", "500", Some(500)),
            ("null", "null", None),
            ("true", "500.0", None),
        ] {
            let call = format!(
                r#"{{"upstream_status_code":{upstream},"status_code":{status},"error_category":"exception"}}"#
            );
            let expected =
                FailedCall { status: expected, category: Category::Exception, model: None };
            assert_eq!(last(&[&call]), LastCall::Failed(expected), "{call}");
        }
    }

    #[test]
    fn categories_outside_the_list_are_other() {
        let category = |value: &str| match last(&[&format!(r#"{{"error_category":{value}}}"#)]) {
            LastCall::Failed(call) => Some(call.category.as_str()),
            _ => None,
        };
        assert_eq!(category("null"), None);
        for known in Category::ALL {
            assert_eq!(category(&format!("\"{}\"", known.as_str())), Some(known.as_str()));
        }
        for other in ["\"Timeout\"", "\"\"", "5", "false", "{}", "[]"] {
            assert_eq!(category(other), Some("other"), "{other}");
        }
    }

    #[test]
    fn a_malformed_call_moves_no_time() {
        let mut last = LastCalls::default();
        for (call, is_call) in [
            (r#"{"model_ref":{"name" 1},"completed_at":99,"error_category":null}"#, false),
            (r#"{"model_ref":{"name":"policy"},"error_category":"timeout"}"#, true),
            (OK, true),
        ] {
            let raw = scan_object(call.as_bytes(), KEYS.names(), Check::Read).unwrap();
            assert_eq!(last.take(&raw).is_ok(), is_call, "{call}");
        }
        // Its time is not that of the call after it, so the success is the last one.
        assert_eq!(last.finish(), LastCall::Succeeded);
    }

    #[test]
    fn payloads_are_not_read() {
        let call = r#"{"request":{"error_category":"auth","status_code":401},"status_code":200,"error_category":null,"response":{"error_category":"timeout"}}"#;
        assert_eq!(last(&[call]), LastCall::Succeeded);
    }

    #[test]
    fn a_value_that_is_not_json_makes_a_line_malformed() {
        let raw = scan_object(br#"{"status_code":NaN}"#, KEYS.names(), Check::Read).unwrap();
        let result = LastCalls::default().take(&raw);
        assert_eq!(result, Err(SyntaxError::value("status_code", b"NaN")));
    }

    proptest! {
        /// With a time of its own for each call, the order of lines does not matter.
        #[test]
        fn only_times_count_where_each_call_has_one(
            calls in prop::collection::vec((0_u8..3, any::<bool>()), 0..8),
            rotation in any::<prop::sample::Index>(),
        ) {
            let calls: Vec<String> = calls.iter().enumerate().map(|(time, (model, failed))| {
                let category = if *failed { "\"timeout\"" } else { "null" };
                format!(r#"{{"model_ref":{{"name":"m{model}"}},"completed_at":{time},"status_code":{},"error_category":{category}}}"#, 400 + time)
            }).collect();
            let mut turned: Vec<&str> = calls.iter().map(String::as_str).collect();
            let expected = last(&turned);
            if !turned.is_empty() {
                turned.rotate_left(rotation.index(calls.len()));
                turned.reverse();
            }
            prop_assert_eq!(last(&turned), expected);
        }
    }
}
