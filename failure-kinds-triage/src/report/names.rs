//! The observed names that are not kinds.

use std::cmp::Ordering;
use std::iter;

use failure_kinds_core::{Entry, resolve, suggest};
use serde::Serialize;

use super::LISTED;
use crate::best::Best;
use crate::tally::Tally;

/// A name that is not known.
#[derive(Debug, Serialize)]
pub struct Unregistered {
    /// The name.
    pub name: String,
    /// How many rows have it.
    pub count: u64,
    /// A registered name that may be meant.
    pub suggestion: Option<&'static str>,
}

/// The sum of the unregistered names that are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoreUnregistered {
    /// How many names.
    pub names: u64,
    /// How many rows have them.
    pub count: u64,
}

/// A legacy label.
#[derive(Debug, Serialize)]
pub struct Legacy {
    /// The label.
    pub name: &'static str,
    /// How many rows have it.
    pub count: u64,
    /// What became of it.
    pub state: &'static str,
    /// The kind that it is now.
    pub successor: Option<&'static str>,
    /// What to do, if there is no successor.
    pub hint: Option<&'static str>,
}

/// The observed names that are not kinds, the most frequent first.
pub(super) struct Names {
    pub(super) unregistered: Vec<Unregistered>,
    pub(super) more_unregistered: MoreUnregistered,
    pub(super) legacy: Vec<Legacy>,
    pub(super) gate_derived: Vec<(&'static str, u64)>,
    /// Whether each of all observed names is not known.
    pub(super) is_unregistered: Vec<bool>,
}

impl Names {
    pub(super) fn new(tally: &Tally) -> Self {
        let mut counts = vec![0; tally.names.len()];
        for cell in tally.cells() {
            if let Some(kind) = cell.evidence.kind {
                counts[kind.index()] += cell.rows;
            }
        }
        let mut more = MoreUnregistered::default();
        let mut unregistered = Best::new(LISTED, by_count);
        let (mut legacy, mut gate_derived) = (Vec::new(), Vec::new());
        let mut is_unregistered = vec![false; tally.names.len()];
        for (number, (name, count)) in iter::zip(tally.names.iter(), counts).enumerate() {
            match resolve(name) {
                Entry::Registered(_) | Entry::Extension { .. } => {}
                Entry::Legacy(label) => legacy.push(Legacy {
                    name: label.label,
                    count,
                    state: label.state(),
                    successor: label.successor(),
                    hint: label.hint(),
                }),
                Entry::GateDerived(class) => gate_derived.push((class.name, count)),
                Entry::Unregistered => {
                    more.names += 1;
                    more.count += count;
                    unregistered.add((name, count));
                    is_unregistered[number] = true;
                }
            }
        }
        let unregistered: Vec<_> = unregistered.into_sorted();
        for (_, count) in &unregistered {
            more.names -= 1;
            more.count -= count;
        }
        legacy.sort_by(|one, other| by_count(&(one.name, one.count), &(other.name, other.count)));
        gate_derived.sort_by(by_count);
        Self {
            unregistered: unregistered
                .into_iter()
                .map(|(name, count)| Unregistered {
                    name: name.to_owned(),
                    count,
                    suggestion: suggest(name).map(|suggestion| suggestion.name),
                })
                .collect(),
            more_unregistered: more,
            legacy,
            gate_derived,
            is_unregistered,
        }
    }
}

/// The order of names: by count, the highest first, then by name.
fn by_count((one, one_count): &(&str, u64), (other, other_count): &(&str, u64)) -> Ordering {
    other_count.cmp(one_count).then_with(|| one.cmp(other))
}
