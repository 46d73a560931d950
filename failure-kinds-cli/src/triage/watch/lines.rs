//! One line for each change, for the log of a job.

use std::collections::BTreeMap;
use std::fmt::Write;

use chrono::{DateTime, SecondsFormat, Utc};
use failure_kinds_triage::{Report, RolloutReport};

use crate::page::quoted;

/// What the last line was about.
#[derive(Default)]
pub(super) struct Lines {
    last: Option<(RolloutReport, BTreeMap<Option<String>, u64>)>,
    /// Why nothing could be read last time.
    reason: String,
}

impl Lines {
    /// The line of a report; `None` if nothing has changed since the last one.
    pub(super) fn next(&mut self, report: &Report, now: DateTime<Utc>) -> Option<String> {
        self.reason.clear();
        let mut kinds = BTreeMap::new();
        for group in &report.groups {
            *kinds.entry(group.kind.clone()).or_default() += group.count;
        }
        let state = (report.rollouts, kinds);
        if self.last.as_ref() == Some(&state) {
            return None;
        }
        let line = line(&state, self.last.as_ref().map(|(_, kinds)| kinds), now);
        self.last = Some(state);
        Some(line)
    }

    /// Whether the reason to wait is another one than before.
    pub(super) fn is_new_reason(&mut self, reason: &str) -> bool {
        let is_new = self.reason != reason;
        reason.clone_into(&mut self.reason);
        is_new
    }
}

fn line(
    (rollouts, kinds): &(RolloutReport, BTreeMap<Option<String>, u64>),
    before: Option<&BTreeMap<Option<String>, u64>>,
    now: DateTime<Utc>,
) -> String {
    let RolloutReport { expected, seen, failed, .. } = rollouts;
    let now = now.to_rfc3339_opts(SecondsFormat::Secs, true);
    let mut line = match expected {
        Some(expected) => format!("{now} {seen} of {expected} rollouts seen, {failed} failed"),
        None => format!("{now} {seen} rollouts seen, {failed} failed"),
    };
    for (kind, count) in kinds {
        let before = before.and_then(|before| before.get(kind)).copied().unwrap_or(0);
        if let Some(more @ 1..) = count.checked_sub(before) {
            let kind = kind.as_deref().map_or_else(|| "(no kind)".to_owned(), quoted);
            // Writing to a string does not fail.
            let _ = write!(line, ", {kind} +{more}");
        }
    }
    line
}
