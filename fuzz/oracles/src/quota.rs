//! Quota resets, compared with the calendar of chrono.

use chrono::{Datelike, NaiveDateTime};
use failure_kinds::{quota_reset_text, quota_reset_unix};

const KIND: &str = "provider_quota_exhausted";

/// A reset is found in a text exactly where chrono parses a time between the expected words.
pub fn quota(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    for reason in [text, &format!("resets at {text} UTC"), &format!("(resets at {text} UTC)")] {
        let (time, unix) = plain(reason).unzip();
        assert_eq!(quota_reset_text(KIND, reason), time, "{reason:?}");
        assert_eq!(quota_reset_unix(KIND, reason), unix, "{reason:?}");
        assert_eq!(quota_reset_text("judge_failed", reason), None);
    }
    assert_eq!(quota_reset_text(text, "resets at 2026-03-01 09:30 UTC").is_some(), text == KIND);
}

/// The time, and its seconds since the epoch.
fn plain(reason: &str) -> Option<(&str, i64)> {
    const FORMAT: &str = "%Y-%m-%d %H:%M";
    reason.match_indices("resets at ").find_map(|(at, words)| {
        let (text, rest) = reason[at + words.len()..].split_once(" UTC")?;
        let goes_on = |char: char| char.is_alphanumeric() || "_+-\u{2212}\u{b1}".contains(char);
        let time = NaiveDateTime::parse_from_str(text, FORMAT).ok()?;
        // chrono is lenient where the format is not, and knows years before 1 and after 9999.
        let exact = time.format(FORMAT).to_string() == text && (1..=9999).contains(&time.year());
        let unix = time.and_utc().timestamp();
        (exact && !rest.starts_with(goes_on)).then_some((text, unix))
    })
}
