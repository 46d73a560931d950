//! The runs, with what became of their rollouts.

use std::collections::{BTreeMap, HashMap};
use std::iter;

use failure_kinds::FailureClass;
use serde::{Deserialize, Serialize};

use super::groups::{Group, Places};
use crate::captures::CapturesReport;
use crate::rollouts::RolloutCounts;
use crate::seen::Seen;
use crate::tally::{At, Counts};

/// A run.
#[derive(Debug, Serialize)]
pub struct RunReport {
    /// The path of its stem.
    pub path: String,
    /// Its rollouts.
    #[serde(flatten)]
    pub rollouts: RolloutReport,
    /// Its captures of model calls; `None` if it has none.
    pub captures: Option<CapturesReport>,
    /// The paths of its files of rows.
    #[serde(skip)]
    pub files: Vec<String>,
    /// What these hold.
    #[serde(skip)]
    pub counts: Counts,
    /// Attempts without identity, any of which may be of a missing rollout.
    #[serde(skip)]
    pub unidentified: u64,
    /// Its rollouts, each counted once.
    #[serde(skip)]
    pub outcomes: Outcomes,
}

/// Rollouts by what became of them: each is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// By the class of the failure that decides.
    pub failed: BTreeMap<FailureClass, u64>,
    /// Failed, and measured nevertheless.
    pub degraded: u64,
    /// Passed after another attempt failed.
    pub recovered: u64,
    /// Passed, and no attempt failed.
    pub passed: u64,
    /// With omitted rows only.
    pub omitted: u64,
    /// Expected, without any row.
    pub missing: u64,
}

impl Outcomes {
    /// Of rollouts whose failures are not known by class yet.
    fn new(counts: RolloutCounts) -> Self {
        let RolloutCounts { seen, failed, degraded, passed, omitted, missing, .. } = counts;
        let recovered = seen - failed - degraded - passed;
        Self { failed: BTreeMap::new(), degraded, recovered, passed, omitted, missing }
    }

    /// All of them together.
    #[must_use]
    pub fn all(&self) -> u64 {
        let Self { failed, degraded, recovered, passed, omitted, missing } = self;
        failed.values().sum::<u64>() + degraded + recovered + passed + omitted + missing
    }
}

/// What became of rollouts. Without an inventory nobody knows how many there should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RolloutReport {
    /// Distinct rollouts of the inventories.
    pub expected: Option<u64>,
    /// Rollouts with a failure or a result.
    pub seen: u64,
    /// Expected rollouts without any row.
    pub missing: Option<u64>,
    /// Rollouts with a row that no inventory names.
    pub unexpected: Option<u64>,
    /// Rollouts with omitted rows only.
    pub omitted: u64,
    /// Rollouts that a failure decides.
    pub failed: u64,
    /// Rollouts that a failure decides which was measured nevertheless.
    pub degraded: u64,
    /// Rollouts of which an attempt failed, and the deciding row did not.
    pub recovered: u64,
}

impl RolloutReport {
    fn new(counts: RolloutCounts, has_inventory: bool) -> Self {
        Self {
            expected: has_inventory.then_some(counts.expected),
            seen: counts.seen,
            missing: has_inventory.then_some(counts.missing),
            unexpected: has_inventory.then_some(counts.unexpected),
            omitted: counts.omitted,
            failed: counts.failed,
            degraded: counts.degraded,
            recovered: counts.recovered,
        }
    }

    pub(super) fn of_all(runs: &[RunReport]) -> Self {
        let sum = |count: fn(&Self) -> u64| runs.iter().map(|run| count(&run.rollouts)).sum();
        let sum_if_known =
            |count: fn(&Self) -> Option<u64>| runs.iter().map(|run| count(&run.rollouts)).sum();
        Self {
            expected: sum_if_known(|rollouts| rollouts.expected),
            seen: sum(|rollouts| rollouts.seen),
            missing: sum_if_known(|rollouts| rollouts.missing),
            unexpected: sum_if_known(|rollouts| rollouts.unexpected),
            omitted: sum(|rollouts| rollouts.omitted),
            failed: sum(|rollouts| rollouts.failed),
            degraded: sum(|rollouts| rollouts.degraded),
            recovered: sum(|rollouts| rollouts.recovered),
        }
    }
}

/// What the rows of each cell decide. A row without identity is a rollout of its own.
pub(super) struct Decided {
    /// How many rollouts.
    pub(super) rollouts: Vec<u64>,
    /// Whether the example decides one.
    pub(super) by_example: Vec<bool>,
}

/// The runs, and what the rows of each cell decide.
pub(super) fn runs(seen: &Seen) -> (Vec<RunReport>, Decided) {
    let cells = seen.tally.cells();
    let (rollouts, by_example) =
        cells.iter().map(|cell| (cell.unidentified, cell.unidentified > 0)).collect();
    let mut decided = Decided { rollouts, by_example };
    let mut files: HashMap<&str, Vec<String>> = HashMap::new();
    for file in seen.files.iter().filter(|file| !file.is_inventory) {
        files.entry(&file.run).or_default().push(file.path.clone());
    }
    let runs = seen
        .runs
        .iter()
        .map(|(path, run)| {
            let counts = run.rollouts.count(|cell, file, line| {
                let cell = cell as usize;
                decided.rollouts[cell] += 1;
                decided.by_example[cell] |= cells[cell].example() == At { file, line };
            });
            RunReport {
                path: path.clone(),
                rollouts: RolloutReport::new(counts, run.has_inventory),
                captures: run.captures.clone().filter(CapturesReport::is_any),
                files: files.remove(&**path).unwrap_or_default(),
                counts: run.counts,
                unidentified: run.unidentified,
                outcomes: Outcomes::new(counts),
            }
        })
        .collect();
    (runs, decided)
}

/// Adds the failures that decide rollouts to their runs, by class, and to their groups.
pub(super) fn add_failures(
    seen: &Seen,
    places: &Places,
    runs: &mut [RunReport],
    groups: &mut [Group],
) {
    let mut by_group = vec![0_u64; groups.len()];
    for (place, (run, report)) in iter::zip(seen.runs.values(), runs).enumerate() {
        let mut by_class = [0_u64; FailureClass::ALL.len()];
        run.rollouts.failures().for_each(|(cell, is_degraded)| {
            let group = places.groups[cell as usize] as usize;
            if let Some(count) = by_group.get_mut(group) {
                *count += 1;
                groups[group].degraded += u64::from(is_degraded);
            }
            by_class[places.classes[cell as usize] as usize] += u64::from(!is_degraded);
        });
        let by_class = iter::zip(FailureClass::ALL.iter().copied(), by_class);
        report.outcomes.failed = by_class.filter(|(_, count)| *count > 0).collect();
        for (group, count) in
            iter::zip(&mut *groups, &mut by_group).filter(|(_, count)| **count > 0)
        {
            group.runs.insert(place, std::mem::take(count));
        }
    }
}
