//! Pairs of rollouts of the same input, one of each side.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hasher};
use std::iter;

use failure_kinds_rows::{
    Check, LineSink, Malformed, Progress, SyntaxError, Value, read_lines, scan_members, scan_object,
};
use foldhash::quality::{FixedState, FoldHasher};

use super::side::{Content, Key, Side};
use super::{By, Changes, Test, statistics};
use crate::inputs::Run;
use crate::row::{self, Identity};
use crate::{Error, Rollout, RolloutStatus, Seen, Terms};

/// How the rollouts of the same inputs differ.
#[derive(Debug)]
pub(super) struct Pairs<'s> {
    /// How many tasks have each difference of counts, current minus baseline, other than 0.
    differences: HashMap<Key<'s>, BTreeMap<i64, u64>>,
    /// Whether each task has one rollout.
    is_one_each: bool,
    pub(super) changes: Changes,
}

impl<'s> Pairs<'s> {
    /// The pairs of two sides whose inventories differ in this. The error is why they have none.
    pub(super) fn find(
        baseline: &Side<'s>,
        current: &Side<'s>,
        terms: &Terms<'_>,
        by: By,
        mismatch: Option<Mismatch>,
    ) -> Result<Self, String> {
        let rollouts = |name: &str, side: &Side<'s>| {
            let seen = only_run(side).map_err(|why| format!("{name} {why}"))?;
            // The inventories name the same rollouts.
            let rollouts = seen.runs().flat_map(|run| run.rollouts());
            Ok::<_, String>(rollouts.filter(|rollout| rollout.expected == Some(true)))
        };
        let baseline = rollouts("the baseline", baseline)?;
        let current = rollouts("the current side", current)?;
        match mismatch {
            Some(mismatch) => Err(mismatch.why().to_owned()),
            None => Ok(Self::of(iter::zip(baseline, current), terms, by)),
        }
    }

    /// Of the pairs of equal rollouts, by task.
    fn of(
        pairs: impl Iterator<Item = (Rollout<'s>, Rollout<'s>)>,
        terms: &Terms<'_>,
        by: By,
    ) -> Self {
        let mut found =
            Self { differences: HashMap::new(), is_one_each: true, changes: Changes::default() };
        let mut task = None;
        let mut of_task = BTreeMap::new();
        for (baseline, current) in pairs {
            if task == Some(baseline.task) {
                found.is_one_each = false;
            } else {
                found.add_task(&mut of_task);
                task = Some(baseline.task);
            }
            for (rollout, one) in [(&baseline, -1), (&current, 1)] {
                if let Some(key) = Key::of(rollout, terms, by) {
                    *of_task.entry(key).or_default() += one;
                }
            }
            found.changes.add(baseline.status, current.status);
        }
        found.add_task(&mut of_task);
        found
    }

    fn add_task(&mut self, of_task: &mut BTreeMap<Key<'s>, i64>) {
        while let Some((key, difference)) = of_task.pop_first() {
            if difference != 0 {
                *self.differences.entry(key).or_default().entry(difference).or_default() += 1;
            }
        }
    }

    pub(super) const fn test(&self) -> Test {
        if self.is_one_each { Test::Mcnemar } else { Test::SignFlip }
    }

    /// How probable the difference in a row is by chance.
    pub(super) fn p(&self, key: &Key<'_>) -> f64 {
        let Some(differences) = self.differences.get(key) else { return 1.0 };
        if self.is_one_each {
            let tasks = |difference| differences.get(&difference).copied().unwrap_or(0);
            return statistics::mcnemar(tasks(-1), tasks(1));
        }
        let each = differences
            .iter()
            .flat_map(|(&difference, &tasks)| (0..tasks).map(move |_| difference));
        statistics::sign_flip(each)
    }
}

impl Changes {
    fn add(&mut self, baseline: RolloutStatus, current: RolloutStatus) {
        use RolloutStatus::{Degraded, Failed, Passed};
        match (baseline, current) {
            (Failed, Passed | Degraded) => self.recovered += 1,
            (Passed | Degraded, Failed) => self.newly_failed += 1,
            _ => {}
        }
    }
}

/// The rows of a side that is one run with an inventory; or why it is not, as the rest of a sentence.
fn only_run<'s>(side: &Side<'s>) -> Result<&'s Seen, String> {
    let Content::Rows { seen, .. } = &side.content else {
        return Err("is a saved report".to_owned());
    };
    match seen.runs().count() {
        1 if has_inventories(seen) => Ok(seen),
        1 => Err("has no inventory of its expected rollouts".to_owned()),
        runs => Err(format!("has {runs} runs, which `--one-run` joins")),
    }
}

/// Whether each run has an inventory.
fn has_inventories(seen: &Seen) -> bool {
    seen.runs().all(|run| run.has_inventory())
}

/// In what the inventories of two sides differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    Number,
    Inputs,
    Indices,
}

impl Mismatch {
    /// Reads the inventories of both sides, if they have any.
    pub(super) fn find(
        baseline: &Side<'_>,
        current: &Side<'_>,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, Error> {
        let [Some(baseline), Some(current)] = [baseline, current].map(inventoried) else {
            return Ok(None);
        };
        let baseline = Contents::read(baseline, progress)?;
        Ok(baseline.mismatch(&Contents::read(current, progress)?))
    }

    /// Why there are no pairs.
    const fn why(self) -> &'static str {
        match self {
            Self::Number => "the inventories of the sides have different numbers of lines",
            Self::Inputs => "the sides expect rollouts of different inputs",
            Self::Indices => "the sides give the same inputs different indices",
        }
    }
}

/// The runs of a side, if each has an inventory.
fn inventoried<'s>(side: &Side<'s>) -> Option<&'s [Run]> {
    match &side.content {
        Content::Rows { inputs, seen } if has_inventories(seen) => Some(&inputs.runs),
        _ => None,
    }
}

/// What the lines of inventories hold, whatever their order: the sums of 128-bit hashes.
///
/// Top-level keys that start with `_ng_` are left out. Indices alone prove nothing: runs of
/// unrelated tasks share them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Contents {
    lines: u64,
    inputs: u128,
    /// With the identity of each.
    identified: u128,
}

impl Contents {
    fn read(runs: &[Run], progress: &dyn Progress) -> Result<Self, Error> {
        let mut contents = Self::default();
        for inventory in runs.iter().flat_map(|run| &run.inventories) {
            let fault = |error| Error::Read { path: inventory.text().into_owned(), error };
            let mut source = inventory.open(progress).map_err(fault)?;
            read_lines(&mut source, &mut contents).map_err(fault)?;
        }
        Ok(contents)
    }

    fn add(&mut self, input: Hash, identity: Option<Identity>) {
        self.lines += 1;
        self.inputs = self.inputs.wrapping_add(input.finish());
        let mut identified = input;
        if let Some(Identity { task, rollout, .. }) = identity {
            identified.write(&task.to_le_bytes());
            identified.write(&rollout.to_le_bytes());
        }
        self.identified = self.identified.wrapping_add(identified.finish());
    }

    fn mismatch(&self, other: &Self) -> Option<Mismatch> {
        if self.lines != other.lines {
            Some(Mismatch::Number)
        } else if self.inputs != other.inputs {
            Some(Mismatch::Inputs)
        } else if self.identified != other.identified {
            Some(Mismatch::Indices)
        } else {
            None
        }
    }
}

impl LineSink for Contents {
    fn line<'a>(&mut self, _: u64, line: &'a [u8]) -> Result<(), SyntaxError<'a>> {
        let mut input = Hash::new();
        scan_members(line, Check::Read, |key, value| {
            if !is_index(key) {
                input.write(key);
                input.write(value);
            }
        })?;
        let identity = row::identity(&scan_object(line, row::KEYS.names(), Check::Read)?)?;
        self.add(input, identity);
        Ok(())
    }

    fn malformed(&mut self, _: u64, _: Malformed) {}
}

/// Whether the inside of a quoted key starts with `_ng_`, perhaps with escapes.
fn is_index(key: &[u8]) -> bool {
    let is_escaped = || {
        let quoted = [b"\"", key, b"\""].concat();
        matches!(Value::parse(&quoted), Some(Value::String(key)) if key.decode().starts_with("_ng_"))
    };
    key.starts_with(b"_ng_") || (key.contains(&b'\\') && is_escaped())
}

/// 128 bits of what was written.
#[derive(Clone)]
struct Hash([FoldHasher<'static>; 2]);

impl Hash {
    fn new() -> Self {
        Self([0, 1].map(|seed| FixedState::with_seed(seed).build_hasher()))
    }

    /// Writes a part, so that it cannot be confused with the next one.
    fn write(&mut self, part: &[u8]) {
        for hasher in &mut self.0 {
            hasher.write_usize(part.len());
            hasher.write(part);
        }
    }

    fn finish(&self) -> u128 {
        let [high, low] = self.0.each_ref().map(FoldHasher::finish);
        u128::from(high) << 64 | u128::from(low)
    }
}
