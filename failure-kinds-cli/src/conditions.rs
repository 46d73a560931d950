//! What the conditions of `--fail-on` share: words, and a class with a percentage (`model>5%`,
//! `model+5%`).

use std::fmt::{self, Display, Formatter};

use failure_kinds::FailureClass;

/// A percentage up to 100, exact to six decimal places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Percent {
    millionths: u32,
}

/// The most decimal places.
const DECIMALS: usize = 6;
/// 100 %, in millionths of a percent.
const ALL: u32 = 100_000_000;

impl Percent {
    /// Reads a class, this separator and a percentage.
    pub(crate) fn of_class(text: &str, separator: char) -> Option<(FailureClass, Self)> {
        let (class, percent) = text.split_once(separator)?;
        let class = *FailureClass::ALL.iter().find(|known| known.as_str() == class.trim())?;
        Some((class, Self::parse(percent.trim())?))
    }

    fn parse(text: &str) -> Option<Self> {
        let percent = text.strip_suffix('%')?.trim_end();
        let (whole, fraction) = percent.split_once('.').unwrap_or((percent, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || fraction.len() > DECIMALS {
            return None;
        }
        let millionths = format!("{whole}{fraction:0<DECIMALS$}").parse().ok()?;
        (millionths <= ALL).then_some(Self { millionths })
    }

    /// Whether a share is larger.
    pub(crate) fn is_below(self, (count, of): (u64, u64)) -> bool {
        self.is_below_rise((0, 1), (count, of))
    }

    /// Whether a share rose by more percentage points.
    pub(crate) fn is_below_rise(self, before: (u64, u64), now: (u64, u64)) -> bool {
        let [(before, of_before), (now, of_now)] =
            [before, now].map(|(count, of)| (i128::from(count), i128::from(of.max(1))));
        let rise = now * of_before - before * of_now;
        rise * i128::from(ALL) > i128::from(self.millionths) * of_before * of_now
    }
}

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let one = ALL / 100;
        let percent = format!("{}.{:0DECIMALS$}", self.millionths / one, self.millionths % one);
        write!(f, "{}%", percent.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Reads a condition: one of `words`, or else what `of_class` reads. `example` shows the latter.
pub(crate) fn condition<C: Copy>(
    text: &str,
    words: &[(&str, C)],
    of_class: impl FnOnce(&str) -> Option<C>,
    example: &str,
) -> Result<C, String> {
    let text = text.trim();
    if let Some((_, condition)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(*condition);
    }
    of_class(text).ok_or_else(|| {
        let words = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        let classes = FailureClass::ALL.iter().map(|class| class.as_str());
        let classes = classes.collect::<Vec<_>>().join(", ");
        format!("expected {words}, or a class ({classes}) and {example}")
    })
}

/// The word of a condition; empty if it has none.
pub(crate) fn word<C: PartialEq>(words: &[(&'static str, C)], condition: &C) -> &'static str {
    words.iter().find(|(_, known)| known == condition).map_or("", |(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(text: &str) -> Percent {
        Percent::parse(text).unwrap()
    }

    #[test]
    fn comparisons_are_exact() {
        assert!(percent("5%").is_below((51, 1000)));
        assert!(!percent("5%").is_below((50, 1000)));
        assert!(!percent("0%").is_below((0, 0)));
        assert!(percent("10%").is_below_rise((1, 10), (21, 100)));
        assert!(!percent("10%").is_below_rise((1, 10), (20, 100)));
        assert!(!percent("0%").is_below_rise((1, 3), (1, 3)));
        assert!(!percent("0%").is_below_rise((1, 2), (1, 3)));
        assert!(percent("99.999999%").is_below_rise((0, 0), (1, 1)));
    }

    #[test]
    fn percentages_are_shown_as_short_as_they_can_be() {
        for text in ["5%", "0.5%", "12.000001%", "100%"] {
            assert_eq!(percent(text).to_string(), text);
        }
        assert_eq!(percent("5.50 %").to_string(), "5.5%");
    }
}
