//! What differs between two sides, and whether it can be chance.
//!
//! A [`Side`] is rows that were read, or a saved report. The unit is the rollout, by its deciding
//! row: attempts of one rollout are not independent.

mod pairs;
mod saved;
mod side;
mod statistics;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::path::Path;

use failure_kinds::{FailureClass, FailureStage};
use failure_kinds_core::text::Escaped;
use failure_kinds_rows::Progress;
use serde::{Serialize, Serializer};

use self::pairs::{Mismatch, Pairs};
pub use self::saved::SavedReport;
pub use self::side::Side;
use self::side::{Counted, Key};
pub use self::statistics::Share;
use crate::report::LISTED;
use crate::{ClassificationReport, Error, Terms};

/// The version of the comparison's JSON: keys are only added.
const SCHEMA_VERSION: u32 = 1;
/// A difference is shown if its q is below this, and fails a gate if its p by Holm is.
const SHOWN: f64 = 0.05;

/// What a row of a comparison is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// A class and a kind.
    #[default]
    Kind,
    /// A class, a kind and a stage.
    KindAndStage,
    /// A class.
    Class,
}

/// What differs between two sides. It serializes as the JSON of `compare`.
#[derive(Debug, Serialize)]
pub struct Comparison {
    schema_version: u32,
    /// What a row is.
    #[serde(skip)]
    pub by: By,
    /// The side that is compared with.
    pub baseline: SideReport,
    /// The side that is compared.
    pub current: SideReport,
    /// Whether each rollout is compared with the one of the same input.
    pub paired: bool,
    /// Why not.
    pub why_unpaired: Option<String>,
    /// The test that each p is from.
    pub test: Test,
    /// The rows with a count on either side: those that are new or up first, then by difference.
    /// At most 10,000: those that are shown, then those with the largest differences.
    pub rows: Vec<Row>,
    /// The other rows, in one sum. They count in the tests like those that are listed.
    #[serde(skip_serializing_if = "MoreRows::is_empty")]
    pub more_rows: MoreRows,
    /// What became of the pairs, if there are any.
    #[serde(skip)]
    pub changes: Option<Changes>,
    /// What to know before the rows, as sentences.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// One side of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct SideReport {
    /// Its path, as it was given.
    pub path: String,
    /// The rollouts of its inventories, if each run has one.
    pub expected: Option<u64>,
    /// Its rollouts with an attempt.
    pub seen: u64,
    /// Its rollouts that a failure decides.
    pub failed: u64,
    /// Its rollouts that failed and were measured all the same. They count in rows like those that
    /// failed.
    #[serde(skip)]
    pub degraded: u64,
    /// Its rollouts with omitted rows only.
    #[serde(skip)]
    pub omitted: u64,
    /// Its expected rollouts without any row.
    #[serde(skip)]
    pub missing: Option<u64>,
}

impl SideReport {
    /// What shares are of: the expected rollouts, else those that were seen.
    #[must_use]
    pub fn of(&self) -> u64 {
        self.expected.unwrap_or(self.seen)
    }

    /// The share that some of its rollouts are.
    ///
    /// A saved report also counts rollouts that no inventory names, so there a count can exceed what
    /// it is of. The share is 1 then.
    #[must_use]
    pub fn share(&self, count: u64) -> Share {
        Share::new(count, self.of())
    }
}

/// The test of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// McNemar's exact test, of pairs.
    Mcnemar,
    /// The sign-flip test, of the counts of each task.
    SignFlip,
    /// Fisher's exact test, of two independent sides.
    Fisher,
}

impl Test {
    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mcnemar => "mcnemar",
            Self::SignFlip => "sign_flip",
            Self::Fisher => "fisher",
        }
    }
}

impl Serialize for Test {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A row of a comparison: rollouts of one class, kind and stage on both sides.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The class; none if the rollouts are missing or omitted.
    pub class: Option<&'static str>,
    /// The kind as observed, `missing` or `omitted`.
    pub kind: Option<String>,
    /// The recorded stage, if rows are told apart by it.
    pub stage: Option<&'static str>,
    /// The share of the baseline.
    pub baseline: Share,
    /// The share of the current side.
    pub current: Share,
    /// How much larger the current share is.
    pub difference: f64,
    /// The 95 % interval of the difference.
    pub interval: [f64; 2],
    /// How probable such a difference is by chance.
    pub p: f64,
    /// p, adjusted for the number of rows by Benjamini and Hochberg.
    pub q: f64,
    /// What the row shows.
    pub word: Word,
    /// p, adjusted for the number of rows by Holm: for gates.
    #[serde(skip)]
    pub holm: f64,
}

impl Row {
    /// Whether the difference is hardly chance.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.q < SHOWN
    }

    /// Whether the row fails the gate `up`.
    #[must_use]
    pub fn fails_gate(&self) -> bool {
        self.word == Word::Up && self.holm < SHOWN
    }
}

/// The rows that are not listed, in one sum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoreRows {
    /// How many rows there are.
    pub rows: u64,
    /// Their rollouts in the baseline.
    pub baseline: u64,
    /// Their rollouts in the current side.
    pub current: u64,
    /// How many of the rows are new.
    #[serde(skip)]
    pub new: u64,
    /// How many of the rows fail the gate `up`.
    #[serde(skip)]
    pub up: u64,
    /// The rollouts of each class in the baseline and in the current side.
    #[serde(skip)]
    pub classes: BTreeMap<&'static str, [u64; 2]>,
}

impl MoreRows {
    /// Whether all rows are listed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    fn add(&mut self, row: &Row) {
        let counts = [row.baseline.count(), row.current.count()];
        self.rows += 1;
        self.baseline += counts[0];
        self.current += counts[1];
        self.new += u64::from(row.word == Word::New);
        self.up += u64::from(row.fails_gate());
        if let Some(class) = row.class {
            let of_class = self.classes.entry(class).or_default();
            *of_class = [of_class[0] + counts[0], of_class[1] + counts[1]];
        }
    }
}

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// None in the baseline.
    New,
    /// More than in the baseline, hardly by chance.
    Up,
    /// None in the current side.
    Gone,
    /// Less than in the baseline, hardly by chance.
    Down,
    /// No difference is shown.
    Same,
}

impl Word {
    /// The word in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Up => "up",
            Self::Gone => "gone",
            Self::Down => "down",
            Self::Same => "~",
        }
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What became of the rollouts of a paired comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Failed in the baseline, measured in the current side.
    pub recovered: u64,
    /// Measured in the baseline, failed in the current side.
    pub newly_failed: u64,
}

/// Compares two sides.
///
/// Rows are classified by `terms`, which a saved report brings along. Where both sides are rows,
/// their inventories are read again to find out whether they are equal.
///
/// # Errors
///
/// When the sides are classified by different configurations, unless `any_config` is set, and when
/// an inventory cannot be read.
pub fn compare(
    baseline: &Side<'_>,
    current: &Side<'_>,
    terms: &Terms<'_>,
    by: By,
    any_config: bool,
    progress: &dyn Progress,
) -> Result<Comparison, Error> {
    let sides = [baseline, current].map(|side| side.count(terms, by));
    let [base, now] = &sides;
    let mut notes = Vec::new();
    if Path::new(&base.report.path) == Path::new(&now.report.path) {
        notes.push(format!("both sides are `{}`", Escaped(&base.report.path)));
    }
    let mismatch = Mismatch::find(baseline, current, progress)?;
    if mismatch == Some(Mismatch::Inputs) {
        notes.push(
            "the sides ran different tasks, so a difference may come from the tasks".to_owned(),
        );
    }
    compare_classifications(&base.classification, &now.classification, any_config, &mut notes)?;
    compare_inputs(base, now, &mut notes);
    let (pairs, why_unpaired) = match Pairs::find(baseline, current, terms, by, mismatch) {
        Ok(pairs) => (Some(pairs), None),
        Err(why) => (None, Some(why)),
    };
    let test = pairs.as_ref().map_or(Test::Fisher, Pairs::test);
    let (rows, more_rows) = rows(base, now, pairs.as_ref());
    Ok(Comparison {
        schema_version: SCHEMA_VERSION,
        by,
        paired: pairs.is_some(),
        why_unpaired,
        test,
        rows,
        more_rows,
        changes: pairs.map(|pairs| pairs.changes),
        notes,
        baseline: sides[0].report.clone(),
        current: sides[1].report.clone(),
    })
}

fn compare_classifications(
    baseline: &ClassificationReport,
    current: &ClassificationReport,
    any_config: bool,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    if baseline.digest != current.digest {
        let what = format!(
            "the sides are classified by different configurations ({} and {})",
            Escaped(&baseline.digest),
            Escaped(&current.digest)
        );
        if !any_config {
            return Err(Error::Input(format!(
                "{what}; give `--config` the files of the saved report, or compare all the same \
                 with `--any-config`"
            )));
        }
        notes.push(format!("{what}: a difference may come from them"));
    }
    for (what, baseline, current) in [
        ("the stage", baseline.admit_stage, current.admit_stage),
        ("the last model call", baseline.admit_calls, current.admit_calls),
    ] {
        if baseline != current {
            let side = if baseline { "baseline" } else { "current side" };
            notes.push(format!("only the {side} admits {what}: a difference may come from that"));
        }
    }
    if baseline.calls != current.calls {
        notes.push(format!(
            "captures of model calls were searched differently: `{}` in the baseline, `{}` in the \
             current side",
            Escaped(&baseline.calls),
            Escaped(&current.calls)
        ));
    }
    Ok(())
}

fn compare_inputs(baseline: &Counted<'_>, current: &Counted<'_>, notes: &mut Vec<String>) {
    for (what, side) in [("baseline", baseline), ("current side", current)] {
        if side.report.of() == 0 {
            notes.push(format!("the {what} has no rollouts, so there is nothing to compare with"));
        }
    }
    match (baseline.report.expected, current.report.expected) {
        (Some(one), Some(other)) if one != other => notes.push(format!(
            "{one} rollouts are expected in the baseline, {other} in the current side: the sides \
             ran different tasks, or not equally often, so a difference may come from the tasks"
        )),
        (Some(_), Some(_)) => {}
        (one, other) => {
            let which = match (one, other) {
                (None, None) => "both sides",
                (None, _) => "the baseline",
                _ => "the current side",
            };
            notes.push(format!(
                "not every run of {which} has an inventory of the expected rollouts: shares there \
                 are of the rollouts seen, and missing ones are not compared"
            ));
        }
    }
    notes.extend(compare_missing(&baseline.report, &current.report));
    notes.extend(baseline.notes.iter().map(|note| format!("baseline: {note}")));
    notes.extend(current.notes.iter().map(|note| format!("current: {note}")));
}

/// What is missing did not fail, so a side that misses more looks better than it is.
fn compare_missing(baseline: &SideReport, current: &SideReport) -> Option<String> {
    let [before, now] =
        [baseline, current].map(|side| side.missing.map(|count| (count, side.of())));
    let (before, now) = before.zip(now)?;
    let share = |one: (u64, u64), other: (u64, u64)| u128::from(one.0) * u128::from(other.1);
    let looks_better = match share(before, now).cmp(&share(now, before)) {
        Ordering::Equal => return None,
        Ordering::Greater => "baseline",
        Ordering::Less => "current side",
    };
    Some(format!(
        "{} of {} expected rollouts are missing in the baseline, {} of {} in the current side: what \
         is missing does not count as failed, so the {looks_better} may look better than it is",
        before.0, before.1, now.0, now.1
    ))
}

/// The rows of both sides, with their tests: those that are listed, and the sum of the others.
fn rows(
    baseline: &Counted<'_>,
    current: &Counted<'_>,
    pairs: Option<&Pairs<'_>>,
) -> (Vec<Row>, MoreRows) {
    let keys: BTreeSet<_> = iter::chain(baseline.counts.keys(), current.counts.keys()).collect();
    // What is missing is compared only if both sides know it.
    let know_missing = [baseline, current].iter().all(|side| side.report.missing.is_some());
    let keys: Vec<_> =
        keys.into_iter().filter(|key| know_missing || **key != Key::MISSING).collect();
    let shares: Vec<_> = keys.iter().map(|key| (baseline.share(key), current.share(key))).collect();
    let p: Vec<f64> = iter::zip(&keys, &shares)
        .map(|(key, &(baseline, current))| match pairs {
            Some(pairs) => pairs.p(key),
            None => statistics::fisher(baseline, current),
        })
        .collect();
    let (q, holm) = (statistics::benjamini_hochberg(&p), statistics::holm(&p));
    let difference = |place: usize| {
        let (baseline, current) = shares[place];
        current.value() - baseline.value()
    };
    let row = |place: usize| {
        let (key, (baseline, current)) = (keys[place], shares[place]);
        let difference = difference(place);
        Row {
            class: key.class.map(FailureClass::as_str),
            kind: key.kind.map(str::to_owned),
            stage: key.stage.map(FailureStage::as_str),
            baseline,
            current,
            difference,
            interval: statistics::newcombe(baseline, current),
            p: p[place],
            q: q[place],
            word: word(baseline, current, difference, q[place]),
            holm: holm[place],
        }
    };

    let mut places: Vec<usize> = (0..keys.len()).collect();
    let mut more = MoreRows::default();
    if places.len() > LISTED {
        places.select_nth_unstable_by(LISTED, |&one, &other| {
            let is_hidden = |place: usize| q[place] >= SHOWN;
            let by_shown = is_hidden(one).cmp(&is_hidden(other));
            let by_size = || difference(other).abs().total_cmp(&difference(one).abs());
            by_shown.then_with(by_size).then(one.cmp(&other))
        });
        places.drain(LISTED..).for_each(|place| more.add(&row(place)));
        places.sort_unstable();
    }
    let mut rows: Vec<Row> = places.into_iter().map(row).collect();
    // The keys are in order, which decides where differences are equal.
    rows.sort_by(|one, other| {
        let is_worse = |row: &Row| matches!(row.word, Word::New | Word::Up);
        let by_word = is_worse(other).cmp(&is_worse(one));
        by_word.then_with(|| other.difference.total_cmp(&one.difference))
    });
    (rows, more)
}

fn word(baseline: Share, current: Share, difference: f64, q: f64) -> Word {
    if baseline.count() == 0 {
        Word::New
    } else if current.count() == 0 {
        Word::Gone
    } else if q >= SHOWN {
        Word::Same
    } else {
        match difference.total_cmp(&0.0) {
            Ordering::Greater => Word::Up,
            Ordering::Less => Word::Down,
            Ordering::Equal => Word::Same,
        }
    }
}
