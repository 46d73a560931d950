//! A saved report of `triage --format json`.

use std::collections::BTreeMap;
use std::io::{BufReader, Read};

use failure_kinds::{FailureClass, FailureStage};
use failure_kinds_core::text::Escaped;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::side::{Counted, Key, reading_notes, rollouts};
use super::{By, SideReport};
use crate::inputs::Inputs;
use crate::report::SCHEMA_VERSION;
use crate::{ClassificationReport, Error, MoreGroups, RolloutReport};

/// A saved report of `triage --format json`, as far as a comparison needs it.
#[derive(Debug, Deserialize)]
pub struct SavedReport {
    classification: ClassificationReport,
    files: Vec<File>,
    totals: Totals,
    rollouts: RolloutReport,
    groups: Vec<Group>,
    more_groups: MoreGroups,
}

#[derive(Debug, Deserialize)]
struct File {
    truncated_last_line: bool,
}

#[derive(Debug, Deserialize)]
struct Totals {
    malformed: u64,
}

#[derive(Debug, Deserialize)]
struct Group {
    class: FailureClass,
    kind: Option<String>,
    stage: Option<FailureStage>,
    rollouts: u64,
}

/// What distinguishes a report from a row.
#[derive(Deserialize)]
struct Version<V> {
    schema_version: V,
}

impl SavedReport {
    /// The report that these inputs are; `None` if they are rows.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is not complete, or is one of another version.
    pub fn find(inputs: &Inputs) -> Result<Option<Self>, Error> {
        let mut files = inputs.files();
        let (Some(file), None) = (files.next(), files.next()) else { return Ok(None) };
        let fault = |error| Error::Read { path: file.text().into_owned(), error };
        if !is_report(file.open(&()).map_err(fault)?) {
            return Ok(None);
        }
        let mut json = String::new();
        file.open(&()).and_then(|mut source| source.read_to_string(&mut json)).map_err(fault)?;
        Self::from_json(&file.text(), &json).map(Some)
    }

    /// Reads a report; `path` is where it comes from.
    ///
    /// # Errors
    ///
    /// When the text is not a report of `triage --format json`, or one of another version.
    fn from_json(path: &str, json: &str) -> Result<Self, Error> {
        let fault = |error| {
            let path = Escaped(path);
            Error::Input(format!("`{path}` is not a report of `triage --format json`: {error}"))
        };
        let Version::<u32> { schema_version } = serde_json::from_str(json).map_err(fault)?;
        if schema_version != SCHEMA_VERSION {
            return Err(Error::Input(format!(
                "`{}` is a report of schema version {schema_version}, and this release reads \
                 version {SCHEMA_VERSION}",
                Escaped(path)
            )));
        }
        serde_json::from_str(json).map_err(fault)
    }

    pub(super) fn count(&self, path: String, by: By) -> Counted<'_> {
        let Self { rollouts: of, groups, more_groups, .. } = self;
        let truncated = self.files.iter().filter(|file| file.truncated_last_line).count();
        let mut notes = reading_notes(self.totals.malformed, truncated);
        let mut counts = BTreeMap::new();
        for group in groups.iter().filter(|group| group.rollouts > 0) {
            let key = Key::new(group.class, group.kind.as_deref(), group.stage, by);
            *counts.entry(key).or_default() += group.rollouts;
        }
        for (key, count) in [(Key::MISSING, of.missing.unwrap_or(0)), (Key::OMITTED, of.omitted)] {
            if count > 0 {
                counts.insert(key, count);
            }
        }
        let listed: u64 = groups.iter().map(|group| group.rollouts).sum();
        let unidentified = (listed + more_groups.rollouts).saturating_sub(of.failed + of.degraded);
        for (count, what) in [
            (unidentified, "without identity"),
            (of.unexpected.unwrap_or(0), "that no inventory names"),
        ] {
            if count > 0 {
                notes.push(format!(
                    "{} {what} cannot be left out of a saved report",
                    rollouts(count)
                ));
            }
        }
        if more_groups.groups > 0 {
            notes.push(format!(
                "{} of {} groups that are not listed in the saved report are left out",
                rollouts(more_groups.rollouts),
                more_groups.groups
            ));
        }
        Counted {
            report: SideReport::new(path, of),
            classification: self.classification.clone(),
            counts,
            notes,
        }
    }
}

/// Whether a text starts with a report, and not with a row.
fn is_report(text: impl Read) -> bool {
    let values = serde_json::Deserializer::from_reader(BufReader::new(text));
    let first = values.into_iter::<Version<IgnoredAny>>().next();
    matches!(first, Some(Ok(_)))
}
