//! Phrases that are not plain English, and what to write instead.

use std::path::Path;

use crate::Result;
use crate::repository::{files, read};

struct Phrase {
    /// Lower-case words. They match whole words of texts and of names: the test
    /// `a_key_that_stands_twice` has the phrase `stands twice`.
    words: &'static str,
    instead: &'static str,
    /// The words before and after it with which it is plain English.
    fine: Fine,
}

type Fine = (&'static [&'static str], &'static [&'static str]);

const fn odd(words: &'static str, instead: &'static str) -> Phrase {
    Phrase { words, instead, fine: (&[], &[]) }
}

/// `there is no file` and `it is no longer there` are plain English; `it is no file` is not.
const NO: Fine = (
    &["there", "where"],
    &[
        "better",
        "different",
        "faster",
        "larger",
        "less",
        "longer",
        "more",
        "slower",
        "smaller",
        "worse",
    ],
);

const PHRASES: &[Phrase] = &[
    odd("tell of", "report"),
    odd("tells of", "reports"),
    odd("told of", "warned about"),
    odd("say of", "say about"),
    odd("says of", "says about"),
    odd("said of", "said about"),
    odd("warned of", "warned about"),
    odd("stand twice", "are duplicates"),
    odd("stands twice", "is a duplicate"),
    odd("stand behind", "follow"),
    odd("stands behind", "follows"),
    odd("held against", "checked against"),
    odd("hold against", "check against"),
    odd("holds against", "checks against"),
    Phrase { words: "is no", instead: "is not a", fine: NO },
    Phrase { words: "are no", instead: "are not", fine: NO },
    odd("that is none", "that is not one"),
    odd("mend", "fix"),
    odd("mends", "fixes"),
    odd("mended", "fixed"),
    odd("mending", "fixing"),
    odd("anew", "again"),
    odd("give out", "return"),
    odd("gives out", "returns"),
    odd("take note that", "mark as"),
    odd("takes note that", "marks as"),
    odd("of so many", "of this size"),
    odd("is to be", "should be"),
    odd("are to be", "should be"),
    odd("what stands", "what is"),
    odd("stands on", "is on"),
    odd("stands in", "is in"),
    odd("stands beside", "is beside"),
    odd("settles nothing", "does not decide"),
    odd("is looked for", "is searched"),
    odd("are looked for", "are searched"),
    odd("giants", "oversized lines"),
    odd("fate", "status"),
];

/// Recorded texts, and the list itself.
const LEFT_OUT: &[&str] = &["examples/data/", "fuzz/seeds/", "tests/data/", "xtask/src/english.rs"];

/// The files that hold documents, messages and comments.
const EXTENSIONS: &[&str] =
    &["json", "md", "py", "rs", "sh", "stderr", "toml", "txt", "yaml", "yml"];

/// The places of the phrases.
pub(crate) fn check() -> Vec<String> {
    find().unwrap_or_else(|error| vec![error.to_string()])
}

fn find() -> Result<Vec<String>> {
    let mut found = Vec::new();
    for path in files()? {
        let extension = Path::new(&path).extension().and_then(|extension| extension.to_str());
        let read_by_people = extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
            && !LEFT_OUT.iter().any(|start| path.starts_with(start));
        if read_by_people {
            let text = read(&path)?;
            let words = words(&text);
            for Phrase { words: phrase, instead, fine } in PHRASES {
                let places = places(&words, phrase, *fine);
                found.extend(
                    places.map(|line| format!("{path}:{line}: `{phrase}`: write `{instead}`")),
                );
            }
        }
    }
    Ok(found)
}

/// The lower-case words of a text with their lines. An empty word ends a sentence or a part of one.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for part in line.split_inclusive(|char: char| !char.is_alphanumeric()) {
            let word = part.trim_end_matches(|char: char| !char.is_alphanumeric());
            if !word.is_empty() {
                words.push((index + 1, word.to_lowercase()));
            }
            let goes_on = part.ends_with(|char: char| {
                char.is_alphanumeric() || char.is_whitespace() || "_-/*#`".contains(char)
            });
            if !goes_on {
                words.push((index + 1, String::new()));
            }
        }
    }
    words
}

/// The lines in which a phrase starts.
fn places<'a>(
    words: &'a [(usize, String)],
    phrase: &'a str,
    (before, after): Fine,
) -> impl Iterator<Item = usize> + 'a {
    let len = phrase.split(' ').count();
    let one_of = move |index: Option<usize>, fine: &'static [&'static str]| {
        index.and_then(|index| words.get(index)).is_some_and(|(_, word)| fine.contains(&&**word))
    };
    words.windows(len).enumerate().filter_map(move |(index, window)| {
        let matches = window.iter().map(|(_, word)| word.as_str()).eq(phrase.split(' '));
        let fine = one_of(index.checked_sub(1), before) || one_of(Some(index + len), after);
        (matches && !fine).then_some(window[0].0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, phrase: &str) -> Vec<usize> {
        places(&words(text), phrase, NO).collect()
    }

    #[test]
    fn a_phrase_matches_whole_words_across_lines_and_in_names() {
        assert_eq!(lines("/// It tells\n/// of a fault", "tells of"), [1]);
        assert_eq!(lines("fn a_key_stands_twice() {}", "stands twice"), [1]);
        assert_eq!(lines("It tells. Of what?", "tells of"), [0; 0]);
        assert_eq!(lines("amended", "mend"), [0; 0]);
    }

    #[test]
    fn a_phrase_is_plain_english_next_to_some_words() {
        assert_eq!(lines("It is no file.\nThere is no file.", "is no"), [1]);
        assert_eq!(lines("It is no longer there.", "is no"), [0; 0]);
    }
}
