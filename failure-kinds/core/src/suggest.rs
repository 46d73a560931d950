//! "Did you mean": one search for the macro, run-time errors and the linter.
//!
//! A wrong suggestion files a failure under a wrong name, so the search compares word by word. By
//! the edit distance of whole strings, everything that ends in `_failed` would be similar.

use crate::words::Words;
use crate::{Entry, GATE_DERIVED, KINDS, Kind, LEGACY, Status, doubled, kind, split_extension};

/// A name to write instead, and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// A registered kind, or the successor of a legacy label.
    pub name: &'static str,
    /// How it was found.
    pub how: How,
}

/// How a suggestion was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The same name with other case, hyphens, spaces or CamelCase.
    Shape,
    /// The successor of a legacy label.
    Renamed,
    /// The same words in another order.
    Order,
    /// A similar spelling.
    Spelling,
    /// The two parts of an extension, joined.
    Joined,
    /// The kind part of an extension, without its server.
    WithoutServer,
}

/// The name that `text` was most likely meant to be.
///
/// `None` is the usual answer: for registered names and split legacy labels, for gate-derived
/// classes, for extensions that double no registered name, and for whatever is not close to
/// exactly one registered name.
#[must_use]
pub fn suggest(text: &str) -> Option<Suggestion> {
    match text.split_once(':') {
        Some((server, name)) if !name.contains(':') => of_parts(text, server, name),
        _ => of_name(text),
    }
}

/// The one of a closed list of names, such as the keys of a file, that `text` was most likely
/// meant to be.
#[must_use]
pub fn suggest_among<'a>(
    text: &str,
    names: &(impl Iterator<Item = &'a str> + Clone),
) -> Option<&'a str> {
    let words = Words::new(text)?;
    let same_shape = || names.clone().find(|name| words.spell(name));
    same_shape().or_else(|| similar(&words, names).map(|(name, _)| name))
}

fn of_name(text: &str) -> Option<Suggestion> {
    let words = Words::new(text)?;
    match spelled(&words) {
        Entry::Registered(kind) => (kind.name != text).then(|| How::Shape.of(kind)),
        Entry::Legacy(legacy) => match legacy.status {
            Status::Renamed(name) => Some(Suggestion { name, how: How::Renamed }),
            Status::Split(_) => None,
        },
        Entry::GateDerived(_) => None,
        Entry::Extension { .. } | Entry::Unregistered => similar_kind(&words),
    }
}

/// A well-formed extension belongs to its server unless it exactly duplicates a registered name. The
/// parts of any other text are read like a name. The kind part alone is the server's own word, so it
/// must be a registered name, not only close to one.
fn of_parts(text: &str, server: &str, name: &str) -> Option<Suggestion> {
    if split_extension(text).is_some() {
        let kind = doubled(server, name)?;
        let how = if kind.name == name { How::WithoutServer } else { How::Joined };
        return Some(how.of(kind));
    }
    let joined = Words::joined(server, name)?;
    match spelled(&joined) {
        Entry::Registered(kind) => {
            let one_part = server.is_empty() || name.is_empty();
            return Some(if one_part { How::Shape } else { How::Joined }.of(kind));
        }
        Entry::Legacy(_) | Entry::GateDerived(_) => return None,
        Entry::Extension { .. } | Entry::Unregistered => {}
    }
    if let Some(Entry::Registered(kind)) = Words::new(name).as_ref().map(spelled) {
        return Some(How::WithoutServer.of(kind));
    }
    similar_kind(&joined)
}

/// The name in the vocabulary with exactly these words.
pub(crate) fn spelled(words: &Words) -> Entry<'static> {
    if let Some(kind) = KINDS.iter().find(|kind| words.spell(kind.name)) {
        Entry::Registered(kind)
    } else if let Some(legacy) = LEGACY.iter().find(|legacy| words.spell(legacy.label)) {
        Entry::Legacy(legacy)
    } else if let Some(class) = GATE_DERIVED.iter().find(|class| words.spell(class.name)) {
        Entry::GateDerived(class)
    } else {
        Entry::Unregistered
    }
}

fn similar_kind(words: &Words) -> Option<Suggestion> {
    similar(words, &KINDS.iter().map(|kind| kind.name)).map(|(name, how)| Suggestion { name, how })
}

/// The name of the same words in another order, else the one of similar words.
fn similar<'a>(
    words: &Words,
    names: &(impl Iterator<Item = &'a str> + Clone),
) -> Option<(&'a str, How)> {
    let reordered = || names.clone().find(|name| words.reorder(name));
    reordered()
        .map(|name| (name, How::Order))
        .or_else(|| closest(words, names).map(|name| (name, How::Spelling)))
}

/// The one name of the smallest distance, where there is one. Of registered names at one
/// distance, the only one that shares its domain with the text.
fn closest<'a>(words: &Words, names: &(impl Iterator<Item = &'a str> + Clone)) -> Option<&'a str> {
    let distance = |name: &str| words.distance(name);
    let smallest = names.clone().filter_map(distance).min()?;
    let candidates = || names.clone().filter(|name| distance(name) == Some(smallest));
    let same_domain =
        |name: &&str| kind(name).is_some_and(|kind| words.starts_with(kind.domain.as_str()));
    only(candidates()).or_else(|| only(candidates().filter(same_domain)))
}

/// The item of an iterator that has exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let item = items.next()?;
    items.next().is_none().then_some(item)
}

impl How {
    const fn of(self, kind: &'static Kind) -> Suggestion {
        Suggestion { name: kind.name, how: self }
    }
}
