//! A text as words, and how far it is from a name.

use core::fmt::{self, Display, Formatter, Write};

/// Longer texts are not close to any name; the longest name has 32 characters.
const MAX_CHARS: usize = 64;
const MAX_WORDS: usize = 12;

/// A text as lower-case words, whatever separated them.
pub(crate) struct Words {
    /// The words, joined by `_`.
    chars: [char; MAX_CHARS],
    len: usize,
    /// Where each word ends in `chars`.
    ends: [usize; MAX_WORDS],
    count: usize,
}

impl Words {
    /// `None` when there is no word, or more than fits.
    pub(crate) fn new(text: &str) -> Option<Self> {
        Self::from_chars(text.chars())
    }

    /// The words of both texts, one after the other.
    pub(crate) fn joined(first: &str, second: &str) -> Option<Self> {
        Self::from_chars(first.chars().chain(['_']).chain(second.chars()))
    }

    fn from_chars(text: impl Iterator<Item = char> + Clone) -> Option<Self> {
        // The bound is on the text as well, so that a prefix of 65 characters reads like all of it.
        if text.clone().nth(MAX_CHARS).is_some() {
            return None;
        }
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

    fn chars(&self) -> &[char] {
        &self.chars[..self.len]
    }

    fn iter(&self) -> impl Iterator<Item = &[char]> + Clone {
        (0..self.count).map(|index| {
            let start = if index == 0 { 0 } else { self.ends[index - 1] + 1 };
            &self.chars[start..self.ends[index]]
        })
    }

    /// Whether the first word is this one.
    pub(crate) fn starts_with(&self, word: &str) -> bool {
        self.iter().next().is_some_and(|first| first.iter().copied().eq(word.chars()))
    }

    /// Whether `name` has the same words in the same order.
    pub(crate) fn spell(&self, name: &str) -> bool {
        self.chars().iter().copied().eq(name.chars())
    }

    /// Whether the words, joined by `_`, are a kind name.
    pub(crate) fn is_kind_name(&self) -> bool {
        self.chars[0].is_ascii_lowercase()
            && self.chars().iter().all(|char| matches!(char, 'a'..='z' | '0'..='9' | '_'))
    }

    /// Whether `name` has the same words in any order.
    pub(crate) fn reorder(&self, name: &str) -> bool {
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
    pub(crate) fn distance(&self, name: &str) -> Option<usize> {
        if name.split('_').count() != self.count {
            return distance_within(2, self.chars(), name);
        }
        self.iter().zip(name.split('_')).try_fold(0, |sum, (word, other)| {
            let limit = (word.len().max(other.len()) / 3).max(1);
            Some(sum + distance_within(limit, word, other)?)
        })
    }
}

/// `b` is ASCII.
fn distance_within(limit: usize, a: &[char], b: &str) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    restricted_damerau_levenshtein(limit, a, b)
}

impl Display for Words {
    /// The words, joined by `_`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.chars().iter().try_for_each(|&char| f.write_char(char))
    }
}

/// Insertions, deletions, substitutions and transpositions of neighbours, no part edited twice.
/// `None` beyond the limit.
fn restricted_damerau_levenshtein(limit: usize, a: &[char], b: &str) -> Option<usize> {
    let is_within = |row: &[usize]| row[..=a.len()].iter().any(|cell| *cell <= limit);
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
        // Each cell is at least the smallest one of the two rows before it.
        if !is_within(&row) && !is_within(&last) {
            return None;
        }
    }
    (row[a.len()] <= limit).then_some(row[a.len()])
}
