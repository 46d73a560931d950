//! The copy of its calls that a row carries: `ng_model_call_capture {rollout_id, calls, gaps}`.

use failure_kinds_rows::{Check, SyntaxError, Value, scan_elements, scan_object};

use super::Joined;
use super::call::{KEYS, LastCalls};

/// What a row itself says about its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inline {
    /// Nothing: the files are asked.
    Nothing,
    /// A copy of the calls, or that they cannot be known.
    Copy(Joined),
}

/// How the reference names captures that were lost.
const INCOMPLETE: &str = "model_call_capture_incomplete";
/// How it names a capture that it could not read.
const UNREADABLE: &str = "model_call_capture_unreadable";
/// How it names lines of a capture that it could not read.
const RECORDS_UNREADABLE: &str = "model_call_capture_records_unreadable";
/// What comes before the number of these lines.
const COUNT: &str = "count=";

impl Inline {
    /// Reads the object at `ng_model_call_capture`. One that cannot be read is unobserved: the row
    /// itself counts as it does without captures.
    pub(crate) fn read(text: &[u8]) -> Self {
        let unreadable = Joined { malformed: 1, ..Joined::default() };
        Self::try_read(text).unwrap_or(Self::Copy(unreadable))
    }

    fn try_read(text: &[u8]) -> Result<Self, SyntaxError<'_>> {
        let [calls, gaps] = scan_object(text, &["calls", "gaps"], Check::Read)?.values();
        let gaps = Gaps::read(gaps.unwrap_or_default())?;
        let mut last = LastCalls::default();
        let (mut count, mut malformed) = (0, gaps.records);
        let mut ends_malformed = false;
        elements(calls.unwrap_or_default(), |call| {
            count += 1;
            let taken =
                scan_object(call, KEYS.names(), Check::Read).and_then(|raw| last.take(&raw));
            ends_malformed = taken.is_err();
            malformed += u64::from(ends_malformed);
        })?;
        let joined = Joined { incomplete: gaps.incomplete, malformed, ..Joined::default() };
        if gaps.incomplete || gaps.unreadable || ends_malformed {
            return Ok(Self::Copy(joined));
        }
        if count == 0 {
            return Ok(Self::Nothing);
        }
        Ok(Self::Copy(Joined { last: last.finish(), ..joined }))
    }
}

/// What the reference could not observe.
#[derive(Default)]
struct Gaps {
    incomplete: bool,
    unreadable: bool,
    /// Lines that were not read.
    records: u64,
}

impl Gaps {
    fn read(text: &[u8]) -> Result<Self, SyntaxError<'_>> {
        let mut gaps = Self::default();
        elements(text, |gap| {
            let gap = scan_object(gap, &["code", "detail"], Check::Read).unwrap_or_default();
            let [code, detail] = gap.values().map(|value| match value.and_then(Value::parse) {
                Some(Value::String(text)) => Some(text.decode()),
                _ => None,
            });
            match code.as_deref() {
                Some(INCOMPLETE) => gaps.incomplete = true,
                Some(UNREADABLE) => gaps.unreadable = true,
                Some(RECORDS_UNREADABLE) => {
                    let count = detail.and_then(|detail| detail.strip_prefix(COUNT)?.parse().ok());
                    gaps.records += count.unwrap_or(1);
                }
                _ => {}
            }
        })?;
        Ok(gaps)
    }
}

/// The elements of an array; none of anything else.
fn elements<'a>(text: &'a [u8], element: impl FnMut(&'a [u8])) -> Result<(), SyntaxError<'a>> {
    if text.starts_with(b"[") { scan_elements(text, Check::Read, element) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captures::{Category, FailedCall, LastCall};

    fn read(text: &str) -> Inline {
        Inline::read(text.as_bytes())
    }

    fn copy(last: LastCall, incomplete: bool, malformed: u64) -> Inline {
        Inline::Copy(Joined { last, incomplete, malformed, ..Joined::default() })
    }

    #[test]
    fn a_row_carries_its_calls_in_order() {
        let failed = LastCall::Failed(FailedCall {
            status: Some(401),
            category: Category::Auth,
            model: Some("judge".into()),
        });
        let text = r#"{"rollout_id":"7-0","calls":[
            {"call_index":0,"model_ref":{"name":"policy"},"status_code":200,"error_category":null},
            {"call_index":1,"model_ref":{"name":"judge"},"status_code":401,"error_category":"auth"}
        ],"metrics":{"calls":[{}]}}"#;
        assert_eq!(read(text), copy(failed, false, 0));
    }

    #[test]
    fn without_calls_the_files_are_asked() {
        for text in [
            "{}",
            r#"{"calls":[]}"#,
            r#"{"calls":null}"#,
            r#"{"calls":"x","gaps":[{"code":"model_call_capture_no_records"}]}"#,
        ] {
            assert_eq!(read(text), Inline::Nothing, "{text}");
        }
    }

    #[test]
    fn gaps_say_what_was_not_observed() {
        let call = r#""calls":[{"status_code":200,"error_category":null}]"#;
        let with = |gaps: &str| read(&format!("{{{call},\"gaps\":[{gaps}]}}"));
        let unobserved = LastCall::Unobserved;
        let gap = with(r#"{"code":"model_call_capture_incomplete"}"#);
        assert_eq!(gap, copy(unobserved.clone(), true, 0));
        let gap = with(r#"{"code":"model_call_capture_unreadable"}"#);
        assert_eq!(gap, copy(unobserved, false, 0));
        let gap = with(r#"{"code":"model_call_capture_records_unreadable","detail":"count=3"}"#);
        assert_eq!(gap, copy(LastCall::Succeeded, false, 3));
        let gap = with(r#"{"code":"agent_observation_join_failed"}, 5, null"#);
        assert_eq!(gap, copy(LastCall::Succeeded, false, 0));
    }

    #[test]
    fn what_cannot_be_read_is_unobserved() {
        for text in [r#"{"calls" []}"#, r#"{"calls":[{}"#, "{\"gaps\":[1 2}"] {
            assert_eq!(read(text), copy(LastCall::Unobserved, false, 1), "{text}");
        }
    }

    #[test]
    fn a_last_call_that_is_not_an_object_is_unobserved() {
        let text = r#"{"calls":[{"error_category":"auth"}, 5]}"#;
        assert_eq!(read(text), copy(LastCall::Unobserved, false, 1));
        let text = r#"{"calls":[5, {"error_category":null}]}"#;
        assert_eq!(read(text), copy(LastCall::Succeeded, false, 1));
    }
}
