//! Where something was found.

use std::collections::BTreeMap;

use failure_kinds_rows::Position;
use serde::{Deserialize, Serialize};

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct At {
    /// The number of the file.
    pub(crate) file: u32,
    /// The number of the line, from 1; while the file is being read, the ordinal of its position.
    pub(crate) line: u64,
}

impl At {
    /// In the only file of a part.
    pub(super) const fn new(at: Position) -> Self {
        Self { file: 0, line: at.ordinal() }
    }
}

/// The first few of what was found at lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct First<T, const SHOWN: usize>(BTreeMap<At, T>);

impl<T, const SHOWN: usize> Default for First<T, SHOWN> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T, const SHOWN: usize> First<T, SHOWN> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (At, &T)> {
        self.0.iter().map(|(at, what)| (*at, what))
    }

    pub(super) fn add(&mut self, at: At, what: impl FnOnce() -> T) {
        if self.0.len() == SHOWN {
            if self.0.last_key_value().is_some_and(|(last, _)| *last < at) {
                return;
            }
            self.0.pop_last();
        }
        self.0.insert(at, what());
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (at, what) in other.0 {
            self.add(at, || what);
        }
    }

    pub(super) fn place(&mut self, place: impl Fn(At) -> At) {
        self.0 = std::mem::take(&mut self.0).into_iter().map(|(at, it)| (place(at), it)).collect();
    }
}
