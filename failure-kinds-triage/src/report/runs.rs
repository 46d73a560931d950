//! The runs, with what became of their rollouts.

use std::collections::{BTreeMap, HashMap};
use std::iter;

use failure_kinds::FailureClass;
use serde::{Deserialize, Serialize};

use super::groups::{Group, Places};
use crate::captures::CapturesReport;
use crate::rollouts::{RolloutCounts, RolloutStatus};
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
        .map(|(path, run)| RunReport {
            path: path.clone(),
            rollouts: RolloutReport::new(
                run.rollouts.count(|cell, file, line| {
                    let cell = cell as usize;
                    decided.rollouts[cell] += 1;
                    decided.by_example[cell] |= cells[cell].example() == At { file, line };
                }),
                run.has_inventory,
            ),
            captures: run.captures.clone().filter(CapturesReport::is_any),
            files: files.remove(&**path).unwrap_or_default(),
            counts: run.counts,
            unidentified: run.unidentified,
            outcomes: Outcomes::default(),
        })
        .collect();
    (runs, decided)
}

/// Adds what became of each rollout to its run and to the group of its deciding row.
pub(super) fn add_outcomes(
    seen: &Seen,
    places: &Places,
    runs: &mut [RunReport],
    groups: &mut [Group],
) {
    let mut by_group = vec![0_u64; groups.len()];
    for (place, (run, report)) in iter::zip(seen.runs.values(), runs).enumerate() {
        let outcomes = &mut report.outcomes;
        let mut by_class = [0_u64; FailureClass::ALL.len()];
        run.rollouts.outcomes().for_each(|(status, is_recovered, cell)| {
            let group = cell.map(|cell| places.groups[cell as usize] as usize);
            if let Some(group) = group.filter(|group| *group < groups.len()) {
                by_group[group] += 1;
                if status == RolloutStatus::Degraded {
                    groups[group].degraded += 1;
                }
            }
            *match status {
                RolloutStatus::Failed => {
                    let class = cell.map(|cell| places.classes[cell as usize]);
                    &mut by_class[class.unwrap_or(FailureClass::Unknown) as usize]
                }
                RolloutStatus::Degraded => &mut outcomes.degraded,
                RolloutStatus::Passed if is_recovered => &mut outcomes.recovered,
                RolloutStatus::Passed => &mut outcomes.passed,
                RolloutStatus::Omitted => &mut outcomes.omitted,
                RolloutStatus::Missing => &mut outcomes.missing,
            } += 1;
        });
        let by_class = iter::zip(FailureClass::ALL.iter().copied(), by_class);
        outcomes.failed = by_class.filter(|(_, count)| *count > 0).collect();
        for (group, count) in
            iter::zip(&mut *groups, &mut by_group).filter(|(_, count)| **count > 0)
        {
            group.runs.insert(place, std::mem::take(count));
        }
    }
}
