//! One side of a comparison, counted.

use std::collections::BTreeMap;

use failure_kinds::{FailureClass, FailureStage};
use failure_kinds_core::text::EscapedPath;

use super::{By, SavedReport, Share, SideReport};
use crate::inputs::Inputs;
use crate::{ClassificationReport, Report, Rollout, RolloutReport, RolloutStatus, Seen, Terms};

/// One side of a comparison.
#[derive(Debug)]
pub struct Side<'s> {
    path: String,
    pub(super) content: Content<'s>,
}

#[derive(Debug)]
pub(super) enum Content<'s> {
    Rows { inputs: &'s Inputs, seen: &'s Seen },
    Report(&'s SavedReport),
}

/// What distinguishes the rows of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key<'s> {
    pub(super) class: Option<FailureClass>,
    pub(super) kind: Option<&'s str>,
    pub(super) stage: Option<FailureStage>,
}

/// A side whose rollouts were counted.
#[derive(Debug)]
pub(super) struct Counted<'s> {
    pub(super) report: SideReport,
    pub(super) classification: ClassificationReport,
    pub(super) counts: BTreeMap<Key<'s>, u64>,
    /// What to know about it, as sentences.
    pub(super) notes: Vec<String>,
}

impl<'s> Side<'s> {
    /// Rows that were read of these inputs.
    #[must_use]
    pub const fn rows(path: String, inputs: &'s Inputs, seen: &'s Seen) -> Self {
        Self { path, content: Content::Rows { inputs, seen } }
    }

    /// A saved report.
    #[must_use]
    pub const fn report(path: String, report: &'s SavedReport) -> Self {
        Self { path, content: Content::Report(report) }
    }

    pub(super) fn count(&self, terms: &Terms<'_>, by: By) -> Counted<'s> {
        match &self.content {
            Content::Rows { seen, .. } => self.count_rows(seen, terms, by),
            Content::Report(report) => report.count(self.path.clone(), by),
        }
    }

    fn count_rows(&self, seen: &'s Seen, terms: &Terms<'_>, by: By) -> Counted<'s> {
        let report = Report::new(seen, terms);
        let truncated = report.files.iter().filter(|file| file.truncated_last_line).count();
        let unread =
            seen.unread().map(|file| format!("`{}` {}", EscapedPath(&file.path), file.why));
        let mut notes: Vec<String> = unread.collect();
        notes.extend(reading_notes(report.totals.malformed, truncated));
        let mut counts = BTreeMap::new();
        let mut compared = RolloutReport {
            expected: report.rollouts.expected,
            missing: report.rollouts.missing,
            ..RolloutReport::default()
        };
        let mut unexpected = 0;
        for rollout in seen.runs().flat_map(|run| run.rollouts()) {
            if rollout.expected == Some(false) {
                unexpected += 1;
                continue;
            }
            compared.seen += u64::from(rollout.row.is_some());
            match rollout.status {
                RolloutStatus::Failed => compared.failed += 1,
                RolloutStatus::Degraded => compared.degraded += 1,
                RolloutStatus::Omitted => compared.omitted += 1,
                RolloutStatus::Passed | RolloutStatus::Missing => {}
            }
            if let Some(key) = Key::of(&rollout, terms, by) {
                *counts.entry(key).or_default() += 1;
            }
        }
        for (count, what) in
            [(report.unidentified, "without identity"), (unexpected, "that no inventory names")]
        {
            if count > 0 {
                notes.push(format!(
                    "{} {what} {} left out",
                    rollouts(count),
                    if count == 1 { "is" } else { "are" }
                ));
            }
        }
        notes.extend(report.notes);
        Counted {
            report: SideReport::new(self.path.clone(), &compared),
            classification: report.classification,
            counts,
            notes,
        }
    }
}

impl SideReport {
    /// Of the rollouts that are compared.
    pub(super) fn new(path: String, rollouts: &RolloutReport) -> Self {
        let RolloutReport { expected, seen, missing, omitted, failed, degraded, .. } = *rollouts;
        Self { path, expected, seen, failed, degraded, omitted, missing }
    }
}

/// What was wrong with the files of a side.
pub(super) fn reading_notes(malformed: u64, truncated: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if malformed > 0 {
        let lines = if malformed == 1 { "line is" } else { "lines are" };
        notes.push(format!("{malformed} {lines} malformed, which may hide rollouts"));
    }
    if truncated > 0 {
        let files = if truncated == 1 { "file ends" } else { "files end" };
        notes.push(format!("{truncated} {files} in the middle of a line"));
    }
    notes
}

/// `1 rollout`, `2 rollouts`
pub(super) fn rollouts(count: u64) -> String {
    format!("{count} rollout{}", if count == 1 { "" } else { "s" })
}

impl<'s> Key<'s> {
    pub(super) const MISSING: Self = Self { class: None, kind: Some("missing"), stage: None };
    pub(super) const OMITTED: Self = Self { class: None, kind: Some("omitted"), stage: None };

    /// Of a failure.
    pub(super) const fn new(
        class: FailureClass,
        kind: Option<&'s str>,
        stage: Option<FailureStage>,
        by: By,
    ) -> Self {
        let class = Some(class);
        match by {
            By::Class => Self { class, kind: None, stage: None },
            By::Kind => Self { class, kind, stage: None },
            By::KindAndStage => Self { class, kind, stage },
        }
    }

    /// The row that a rollout is in; none if it passed.
    pub(super) fn of(rollout: &Rollout<'s>, terms: &Terms<'_>, by: By) -> Option<Self> {
        match rollout.status {
            RolloutStatus::Missing => Some(Self::MISSING),
            RolloutStatus::Omitted => Some(Self::OMITTED),
            RolloutStatus::Failed | RolloutStatus::Degraded | RolloutStatus::Passed => {
                let failure = rollout.row.as_ref()?.failure?;
                let class = failure.classify(terms).class;
                Some(Self::new(class, failure.kind, failure.stage, by))
            }
        }
    }
}

impl Counted<'_> {
    /// The share of the rollouts that are in a row.
    pub(super) fn share(&self, key: &Key<'_>) -> Share {
        self.report.share(self.counts.get(key).copied().unwrap_or(0))
    }
}
