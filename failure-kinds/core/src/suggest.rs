//! Did you mean: one search for the macro, the run-time errors and the linter.
//!
//! A wrong suggestion files a failure under a wrong name, so the search compares word by word.
//! Measures over the whole string call everything that ends in `_failed` similar.

use crate::{Fate, GATE_DERIVED, KINDS, LEGACY, kind};

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
/// classes, and for whatever is not close to exactly one registered name.
#[must_use]
pub fn suggest(text: &str) -> Option<Suggestion> {
    if let Some((server, name)) = text.split_once(':') {
        if name.contains(':') {
            return None;
        }
        let joined = || Words::new(server.chars().chain(['_']).chain(name.chars()));
        let found = |words: Words, how| {
            let (name, _) = search(&words, &registered())?;
            Some(Suggestion { name, how })
        };
        return joined()
            .and_then(|words| found(words, How::Joined))
            .or_else(|| found(Words::new(name.chars())?, How::WithoutServer));
    }
    let words = Words::new(text.chars())?;
    if let Some(kind) = KINDS.iter().find(|kind| words.spell(kind.name)) {
        return (kind.name != text).then_some(Suggestion { name: kind.name, how: How::Shape });
    }
    if let Some(legacy) = LEGACY.iter().find(|legacy| words.spell(legacy.label)) {
        return match legacy.fate {
            Fate::Renamed(name) => Some(Suggestion { name, how: How::Renamed }),
            Fate::Split(_) => None,
        };
    }
    if GATE_DERIVED.iter().any(|class| words.spell(class.name)) {
        return None;
    }
    search(&words, &registered()).map(|(name, how)| Suggestion { name, how })
}

/// The one of a closed list of names, such as the keys of a file, that `text` was most likely
/// meant to be.
#[must_use]
pub fn suggest_among<'a>(
    text: &str,
    names: &(impl Iterator<Item = &'a str> + Clone),
) -> Option<&'a str> {
    search(&Words::new(text.chars())?, names).map(|(name, _)| name)
}

fn registered() -> impl Iterator<Item = &'static str> + Clone {
    KINDS.iter().map(|kind| kind.name)
}

/// The search among names: same shape, then same words, then similar words.
fn search<'a>(
    words: &Words,
    names: &(impl Iterator<Item = &'a str> + Clone),
) -> Option<(&'a str, How)> {
    let first = |how, test: &dyn Fn(&str) -> bool| {
        names.clone().find(|name| test(name)).map(|name| (name, how))
    };
    first(How::Shape, &|name| words.spell(name))
        .or_else(|| first(How::Order, &|name| words.reorder(name)))
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

/// Longer texts are close to no name; the longest has 32 characters.
const MAX_CHARS: usize = 64;
const MAX_WORDS: usize = 12;

/// A text as lower-case words, whatever separated them.
struct Words {
    /// The words, joined by `_`.
    chars: [char; MAX_CHARS],
    len: usize,
    /// Where each word ends in `chars`.
    ends: [usize; MAX_WORDS],
    count: usize,
}

impl Words {
    /// `None` when there is no word, or more than fits.
    fn new(text: impl Iterator<Item = char> + Clone) -> Option<Self> {
        let mut words = Self { chars: ['_'; MAX_CHARS], len: 0, ends: [0; MAX_WORDS], count: 0 };
        let mut open = false;
        let mut previous = ' ';
        let mut rest = text;
        while let Some(char) = rest.next() {
            if matches!(char, '_' | '-') || char.is_whitespace() {
                open = false;
            } else {
                let next = rest.clone().next().unwrap_or(' ');
                // `judgeFailed` has a word at the F, `OOMKilled` at the K, `JUDGE` only one.
                let hump = char.is_ascii_uppercase()
                    && (previous.is_ascii_lowercase()
                        || previous.is_ascii_digit()
                        || (previous.is_ascii_uppercase() && next.is_ascii_lowercase()));
                if hump {
                    open = false;
                }
                words.push(char.to_ascii_lowercase(), !open)?;
                open = true;
            }
            previous = char;
        }
        (words.count > 0).then_some(words)
    }

    fn push(&mut self, char: char, new_word: bool) -> Option<()> {
        if new_word {
            if self.count > 0 {
                // The slot holds the `_` that it was made with.
                self.len += 1;
            }
            self.count += 1;
        }
        *self.chars.get_mut(self.len)? = char;
        self.len += 1;
        *self.ends.get_mut(self.count - 1)? = self.len;
        Some(())
    }

    fn joined(&self) -> &[char] {
        &self.chars[..self.len]
    }

    fn iter(&self) -> impl Iterator<Item = &[char]> + Clone {
        (0..self.count).map(|index| {
            let start = if index == 0 { 0 } else { self.ends[index - 1] + 1 };
            &self.chars[start..self.ends[index]]
        })
    }

    fn starts_with(&self, word: &str) -> bool {
        self.iter().next().is_some_and(|first| first.iter().copied().eq(word.chars()))
    }

    fn spell(&self, name: &str) -> bool {
        self.joined().iter().copied().eq(name.chars())
    }

    /// Whether `name` has the same words in any order.
    fn reorder(&self, name: &str) -> bool {
        let same = |word: &[char], other: &str| word.iter().copied().eq(other.chars());
        name.split('_').count() == self.count
            && self.iter().all(|word| {
                let here = self.iter().filter(|other| *other == word).count();
                let there = name.split('_').filter(|other| same(word, other)).count();
                here == there
            })
    }

    /// The sum of the words' distances, each within a third of its longer side; over the whole
    /// string and within two where the numbers of words differ.
    fn distance(&self, name: &str) -> Option<usize> {
        if name.split('_').count() != self.count {
            // As many edits as the lengths differ by are certain.
            if self.len.abs_diff(name.len()) > 2 {
                return None;
            }
            let distance = restricted_damerau_levenshtein(self.joined(), name);
            return (distance <= 2).then_some(distance);
        }
        self.iter().zip(name.split('_')).try_fold(0, |sum, (word, other)| {
            let distance = restricted_damerau_levenshtein(word, other);
            let limit = (word.len().max(other.len()) / 3).max(1);
            (distance <= limit).then_some(sum + distance)
        })
    }
}

/// Insertions, deletions, substitutions and transpositions of neighbours, no part edited twice.
fn restricted_damerau_levenshtein(a: &[char], b: &str) -> usize {
    let mut last = [0; MAX_CHARS + 1];
    let mut row = [0; MAX_CHARS + 1];
    for (column, cell) in row[..=a.len()].iter_mut().enumerate() {
        *cell = column;
    }
    let mut previous = None;
    for (line, b_char) in b.chars().enumerate() {
        let before_last = last;
        last = row;
        row[0] = line + 1;
        for (column, &a_char) in a.iter().enumerate() {
            let substitution = last[column] + usize::from(a_char != b_char);
            let mut cell = substitution.min(last[column + 1] + 1).min(row[column] + 1);
            if column > 0 && previous == Some(a_char) && a[column - 1] == b_char {
                cell = cell.min(before_last[column - 1] + 1);
            }
            row[column + 1] = cell;
        }
        previous = Some(b_char);
    }
    row[a.len()]
}
