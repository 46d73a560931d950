//! `--fail-on`: what turns a comparison into exit code 1.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use failure_kinds::FailureClass;
use failure_kinds_triage::{Comparison, Row, Word};

use super::text::name;
use crate::conditions::{Percent, condition, word};
use crate::page::counted;

/// One condition of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// A row of which there was none in the baseline.
    New,
    /// A row that is up, by the stricter correction of gates.
    Up,
    /// Expected rollouts of the current side without a row.
    Missing,
    /// A class whose share rose.
    Rise { class: FailureClass, points: Percent },
}

const WORDS: [(&str, Condition); 3] =
    [("new", Condition::New), ("up", Condition::Up), ("missing", Condition::Missing)];

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of_class = |text: &str| {
            Percent::of_class(text, '+').map(|(class, points)| Self::Rise { class, points })
        };
        condition(text, &WORDS, of_class, "a rise such as `model+5%`")
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Rise { class, points } = self {
            return write!(f, "{class}+{points}");
        }
        f.write_str(word(&WORDS, self))
    }
}

impl Condition {
    /// Why the comparison meets the condition, if it does.
    pub(super) fn check(self, comparison: &Comparison) -> Option<String> {
        match self {
            Self::New => rows(comparison, |row| row.word == Word::New, comparison.more_rows.new),
            Self::Up => rows(comparison, Row::fails_gate, comparison.more_rows.up),
            Self::Missing => {
                let missing = comparison.current.missing.filter(|missing| *missing > 0)?;
                Some(format!("{} left no row", counted(missing, "expected rollout")))
            }
            Self::Rise { class, points } => {
                let of_class =
                    comparison.rows.iter().filter(|row| row.class == Some(class.as_str()));
                let more = comparison.more_rows.classes.get(class.as_str());
                let [before, now] = more.copied().unwrap_or_default();
                let (before, now) = of_class.fold((before, now), |(before, now), row| {
                    (before + row.baseline.count(), now + row.current.count())
                });
                let [before, now] =
                    [comparison.baseline.share(before), comparison.current.share(now)]
                        .map(|share| (share.count(), share.of()));
                points
                    .is_below_rise(before, now)
                    .then(|| format!("from {} of {} to {} of {}", before.0, before.1, now.0, now.1))
            }
        }
    }
}

/// The names of the first rows that meet a condition, if any do. `unlisted` more of them do.
fn rows(comparison: &Comparison, meets: impl Fn(&Row) -> bool, unlisted: u64) -> Option<String> {
    const NAMED: usize = 5;
    let rows: Vec<&Row> = comparison.rows.iter().filter(|row| meets(row)).collect();
    let named = rows.iter().take(NAMED).map(|row| name(row, comparison.by));
    let named = named.collect::<Vec<_>>().join(", ");
    match rows.len().saturating_sub(NAMED) as u64 + unlisted {
        0 => (!rows.is_empty()).then_some(named),
        more if rows.is_empty() => Some(counted(more, "row")),
        more => Some(format!("{named} and {more} more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_and_shown() {
        for text in ["new", "up", "missing", "model+5%", "evaluation+0.5%", "unknown+0%"] {
            assert_eq!(
                text.parse::<Condition>().map(|condition| condition.to_string()),
                Ok(text.to_owned())
            );
        }
        assert_eq!(" model + 5.50 % ".parse::<Condition>().unwrap().to_string(), "model+5.5%");
    }

    #[test]
    fn what_is_not_a_condition() {
        for text in ["", "New", "gone", "model", "model+5", "model>5%", "judge+5%", "model+-5%"] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
