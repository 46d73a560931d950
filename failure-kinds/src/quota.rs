use crate::kinds;

/// What is before the time.
const PREFIX: &str = "resets at ";
/// The time: `YYYY-MM-DD HH:MM`.
const TIME_LEN: usize = 16;
/// What is after it.
const SUFFIX: &str = " UTC";

/// The UTC time of reset that the reason of a `provider_quota_exhausted` failure names.
///
/// The answer is the `YYYY-MM-DD HH:MM` of the first `resets at YYYY-MM-DD HH:MM UTC` whose time
/// exists, in ASCII digits, year 1 to 9999. A text with seconds, another zone, an offset after
/// `UTC` or another letter case does not match. For any other kind the answer is `None`: a judge
/// that quotes a provider's message says nothing about its own quota.
///
/// The time may have passed; what to do then, and what to do without one, is up to the caller.
///
/// ```
/// use failure_kinds::quota_reset_text;
///
/// let reason = "daily sandbox quota used up (resets at 2026-03-01 09:30 UTC)";
/// assert_eq!(quota_reset_text("provider_quota_exhausted", reason), Some("2026-03-01 09:30"));
/// assert_eq!(quota_reset_text("judge_failed", reason), None);
/// ```
#[must_use]
pub fn quota_reset_text<'r>(kind: &str, reason: &'r str) -> Option<&'r str> {
    find(kind, reason).map(|(text, _)| text)
}

/// The same as seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
#[must_use]
pub fn quota_reset_unix(kind: &str, reason: &str) -> Option<i64> {
    find(kind, reason).map(|(_, unix)| unix)
}

fn find<'r>(kind: &str, reason: &'r str) -> Option<(&'r str, i64)> {
    if kinds::PROVIDER_QUOTA_EXHAUSTED != *kind {
        return None;
    }
    reason.match_indices(PREFIX).find_map(|(at, _)| {
        let rest = &reason[at + PREFIX.len()..];
        // Indexing would panic inside a character of several bytes.
        let time = rest.get(..TIME_LEN)?;
        let after = rest[TIME_LEN..].strip_prefix(SUFFIX)?;
        (!continues(after)).then_some(())?;
        Some((time, unix(time.as_bytes())?))
    })
}

/// Whether `UTC` continues: as another word, or as an offset such as `UTC+8`.
fn continues(after: &str) -> bool {
    after.starts_with(|char: char| {
        char.is_alphanumeric() || matches!(char, '_' | '+' | '-' | '\u{2212}' | '\u{b1}')
    })
}

/// Seconds since the epoch of `YYYY-MM-DD HH:MM`, if that time exists.
fn unix(time: &[u8]) -> Option<i64> {
    let separators = [(4, b'-'), (7, b'-'), (10, b' '), (13, b':')];
    if separators.iter().any(|&(at, separator)| time[at] != separator) {
        return None;
    }
    let number = |start: usize, end: usize| {
        time[start..end].iter().try_fold(0_i64, |number, byte| {
            byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0'))
        })
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute) = (number(11, 13)?, number(14, 16)?);
    let exists = year >= 1
        && (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60;
    exists.then(|| (days_from_epoch(year, month, day) * 24 + hour) * 3600 + minute * 60)
}

const fn is_leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let days_before_year = before * 365 + before / 4 - before / 100 + before / 400;
    let days_before_month: i64 = (1..month).map(|month| days_in_month(year, month)).sum();
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    days_before_year + days_before_month + day - 1 - 719_162
}
