//! Selects rollouts by their deciding rows, so that only some of them are run again.

mod condition;
mod lines;

use std::collections::HashMap;

use failure_kinds::FailureClass;
use failure_kinds_rows::Progress;
use serde::ser::{Serialize, SerializeStruct, Serializer};

pub use self::condition::{ConditionError, Conditions};
use crate::inputs::Inputs;
use crate::{Error, Rollout, RolloutStatus, Seen, Terms};

/// The rollouts that meet conditions, by run, task and rollout.
#[derive(Debug)]
pub struct Selection<'s> {
    /// The selected rollouts.
    pub rollouts: Vec<Selected<'s>>,
    /// How many rollouts there are: all with a row, and all in an inventory.
    pub of: u64,
}

/// A selected rollout. It serializes as a line of `select --emit ids`.
#[derive(Clone, Debug)]
pub struct Selected<'s> {
    /// The path of its run's stem.
    pub run: &'s str,
    /// The rollout.
    pub rollout: Rollout<'s>,
    /// The class of its failure.
    pub class: Option<FailureClass>,
    /// The name of the rule that decided the class.
    pub rule: Option<&'static str>,
}

/// Selects the rollouts that meet all of the conditions in one of these lists.
#[must_use]
pub fn select<'s>(seen: &'s Seen, terms: &Terms<'_>, any_of: &[Conditions]) -> Selection<'s> {
    let mut selection = Selection { rollouts: Vec::new(), of: 0 };
    for run in seen.runs() {
        for rollout in run.rollouts() {
            selection.of += 1;
            let failure = rollout.row.as_ref().and_then(|row| row.failure.as_ref());
            let class = failure.map(|failure| failure.classify(terms));
            if any_of.iter().any(|all_of| all_of.are_met_by(&rollout, class.as_ref())) {
                selection.rollouts.push(Selected {
                    run: run.path(),
                    rollout,
                    class: class.as_ref().map(|class| class.class),
                    rule: class.as_ref().map(|class| class.rule.as_str()),
                });
            }
        }
    }
    selection
}

impl Selection<'_> {
    /// How many of the rollouts have the task and the rollout index of one in another run.
    #[must_use]
    pub fn of_several_runs(&self) -> u64 {
        let indices = |selected: &Selected<'_>| (selected.rollout.task, selected.rollout.rollout);
        let mut counts: HashMap<_, u64> = HashMap::new();
        for selected in &self.rollouts {
            *counts.entry(indices(selected)).or_default() += 1;
        }
        counts.into_values().filter(|count| *count > 1).sum()
    }

    /// The lines of the selected rollouts in the inventories of their runs, as they are and in
    /// their order, each with a newline. A selected rollout that is not in the inventory has none.
    ///
    /// # Errors
    ///
    /// When a run has no inventory, and when one cannot be read or has changed since the runs were
    /// read.
    pub fn inputs(&self, inputs: &Inputs, progress: &dyn Progress) -> Result<Vec<u8>, Error> {
        let mut text = Vec::new();
        let by_run = self.rollouts.chunk_by(|one, other| one.run == other.run);
        let by_run: HashMap<_, _> = by_run.map(|selected| (selected[0].run, selected)).collect();
        for run in &inputs.runs {
            lines::of_inventories(
                run,
                by_run.get(&*run.path).unwrap_or(&&[][..]),
                &mut text,
                progress,
            )?;
        }
        Ok(text)
    }

    /// The deciding rows of the selected rollouts as they are, by path and line, each with a
    /// newline. A selected rollout without an attempt has none.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or has changed since the runs were read.
    pub fn rows(&self, inputs: &Inputs, progress: &dyn Progress) -> Result<Vec<u8>, Error> {
        let rows = self.rollouts.iter().filter_map(|selected| selected.rollout.row.as_ref());
        let mut places: Vec<(&str, u64)> = rows.map(|row| (row.path, row.line)).collect();
        places.sort_unstable();
        let mut text = Vec::new();
        for of_file in places.chunk_by(|(one, _), (other, _)| one == other) {
            let numbers: Vec<u64> = of_file.iter().map(|(_, line)| *line).collect();
            lines::of_file(inputs, of_file[0].0, &numbers, &mut text, progress)?;
        }
        Ok(text)
    }
}

impl Selected<'_> {
    /// What became of the rollout, as a word.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self.rollout.status {
            RolloutStatus::Failed => "failed",
            RolloutStatus::Degraded => "degraded",
            RolloutStatus::Passed if self.rollout.recovered => "recovered",
            RolloutStatus::Passed => "passed",
            RolloutStatus::Omitted => "omitted",
            RolloutStatus::Missing => "missing",
        }
    }
}

impl Serialize for Selected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = self.rollout.row.as_ref();
        let failure = row.and_then(|row| row.failure.as_ref());
        let mut id = serializer.serialize_struct("Selected", 9)?;
        id.serialize_field("run", self.run)?;
        id.serialize_field("_ng_task_index", &self.rollout.task)?;
        id.serialize_field("_ng_rollout_index", &self.rollout.rollout)?;
        id.serialize_field("_ng_attempt_index", &row.map(|row| row.attempt))?;
        id.serialize_field("status", self.status())?;
        id.serialize_field("class", &self.class.map(FailureClass::as_str))?;
        id.serialize_field("kind", &failure.and_then(|failure| failure.kind))?;
        let stage = failure.and_then(|failure| failure.stage);
        id.serialize_field("stage", &stage.map(failure_kinds::FailureStage::as_str))?;
        id.serialize_field("rule", &self.rule)?;
        id.end()
    }
}
