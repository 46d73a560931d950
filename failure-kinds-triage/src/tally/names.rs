//! The distinct names of kinds.

use std::borrow::Cow;
use std::num::NonZero;
use std::ops::Range;

use failure_kinds_rows::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::number;
use crate::index::{self, Index};

/// The number of a name, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct NameId(pub(super) NonZero<u32>);

impl NameId {
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    fn new(index: u32) -> Self {
        Self(NonZero::new(index + 1).expect("it is at least 1"))
    }
}

/// The distinct names of kinds. There may be millions, so they share one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    index: Index,
}

impl Names {
    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// All names, by their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.at(index))
    }

    pub(super) fn get(&self, name: NameId) -> &str {
        self.at(name.index())
    }

    fn at(&self, index: usize) -> &str {
        &self.text[range(&self.ends, index)]
    }

    /// The number of a name. It is sought by its bytes, so that those of a row need not be
    /// decoded.
    pub(super) fn number(&mut self, name: Text<'_>) -> NameId {
        match name.as_plain() {
            Some(plain) => self.insert(plain, || name.decode()),
            None => {
                let name = name.decode();
                self.insert(name.as_bytes(), || Cow::Borrowed(&name))
            }
        }
    }

    fn insert<'n>(&mut self, bytes: &[u8], name: impl FnOnce() -> Cow<'n, str>) -> NameId {
        let Self { text, ends, index } = self;
        let known = |name: u32| &text.as_bytes()[range(ends, name as usize)];
        let next = number(ends.len());
        let number = index.find_or_add(index::hash(bytes), next, |name| known(name) == bytes);
        if number == next {
            text.push_str(&name());
            ends.push(text.len());
        }
        NameId::new(number)
    }

    /// Takes over other names; returns their numbers here.
    pub(super) fn merge(&mut self, other: &Self) -> Vec<NameId> {
        other.iter().map(|name| self.insert(name.as_bytes(), || Cow::Borrowed(name))).collect()
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut names = Self::default();
        for name in Vec::<Cow<'_, str>>::deserialize(deserializer)? {
            names.insert(name.as_bytes(), || Cow::Borrowed(&name));
        }
        Ok(names)
    }
}

/// Where a text lies among texts with these ends.
fn range(ends: &[usize], index: usize) -> Range<usize> {
    index.checked_sub(1).map_or(0, |before| ends[before])..ends[index]
}
