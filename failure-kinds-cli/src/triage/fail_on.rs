//! `--fail-on`: what turns a report into exit code 1.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use failure_kinds::FailureClass;

use crate::conditions::{Percent, condition, word};
use crate::page::counted;
use failure_kinds_triage::Report;

/// One condition of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// Names that are neither registered nor anything else that is known.
    Unregistered,
    /// Legacy labels.
    Legacy,
    /// Gate-derived classes.
    GateDerived,
    /// Malformed lines.
    Malformed,
    /// Expected rollouts without a row.
    Missing,
    /// Rows that are not attempts.
    Omitted,
    /// Rollouts that no inventory names.
    Unexpected,
    /// The class `unknown`, explicit or not.
    Unknown,
    /// A class above a share of the failure rows.
    Share { class: FailureClass, share: Percent },
}

const WORDS: [(&str, Condition); 8] = [
    ("unregistered", Condition::Unregistered),
    ("legacy", Condition::Legacy),
    ("gate-derived", Condition::GateDerived),
    ("malformed", Condition::Malformed),
    ("missing", Condition::Missing),
    ("omitted", Condition::Omitted),
    ("unexpected", Condition::Unexpected),
    ("unknown", Condition::Unknown),
];

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of_class = |text: &str| {
            Percent::of_class(text, '>').map(|(class, share)| Self::Share { class, share })
        };
        condition(text, &WORDS, of_class, "a share such as `model>5%`")
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Share { class, share } = self {
            return write!(f, "{class}>{share}");
        }
        f.write_str(word(&WORDS, self))
    }
}

impl Condition {
    /// Why the report meets the condition, if it does.
    pub(super) fn check(self, report: &Report) -> Option<String> {
        let some = |count: u64, one: &str, rest: &str| {
            (count > 0).then(|| format!("{}{rest}", counted(count, one)))
        };
        match self {
            Self::Unregistered => {
                some(report.unregistered_rows(), "row", " with unregistered names")
            }
            Self::Legacy => {
                let count = report.legacy.iter().map(|name| name.count).sum();
                some(count, "row", " with legacy labels")
            }
            Self::GateDerived => {
                let count = report.gate_derived.iter().map(|(_, count)| count).sum();
                some(count, "row", " with gate-derived classes")
            }
            Self::Malformed => some(report.totals.malformed, "malformed line", ""),
            Self::Missing => {
                let count = report.runs.iter().filter_map(|run| run.rollouts.missing).sum();
                some(count, "expected rollout", " left no row")
            }
            Self::Omitted => some(report.totals.omitted, "row", " of omitted rollouts"),
            Self::Unexpected => {
                let count = report.runs.iter().filter_map(|run| run.rollouts.unexpected).sum();
                some(count, "rollout", " that no inventory names")
            }
            Self::Unknown => {
                let count = of_class(report, FailureClass::Unknown);
                some(count, "failure row", " of the class unknown")
            }
            Self::Share { class, share } => {
                let count = of_class(report, class);
                let of: u64 = report.classes.iter().map(|class| class.count).sum();
                share.is_below((count, of)).then(|| format!("{count} of {of} failure rows"))
            }
        }
    }
}

/// The rows of a class.
fn of_class(report: &Report, class: FailureClass) -> u64 {
    report.classes.iter().filter(|report| report.class == class).map(|report| report.count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_and_shown() {
        for text in [
            "unregistered",
            "legacy",
            "gate-derived",
            "malformed",
            "missing",
            "omitted",
            "unexpected",
            "unknown",
            "model>5%",
            "evaluation>0.5%",
            "unknown>0%",
            "model>12.000001%",
            "model>100%",
        ] {
            assert_eq!(
                text.parse::<Condition>().map(|condition| condition.to_string()),
                Ok(text.to_owned())
            );
        }
        assert_eq!("model > 5.50 %".parse::<Condition>().unwrap().to_string(), "model>5.5%");
        assert_eq!(" missing ".parse::<Condition>().unwrap().to_string(), "missing");
    }

    #[test]
    fn anything_else_is_an_error() {
        for text in [
            "",
            "Unknown",
            "mis sing",
            "model",
            "model>5",
            "model>%",
            "model>-1%",
            "model>1e1%",
            "model>101%",
            "model>.5%",
            "model>5.%",
            "model>nan%",
            "judge>5%",
            "model<5%",
            "model>0.1234567%",
            "model>99999999999%",
        ] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
