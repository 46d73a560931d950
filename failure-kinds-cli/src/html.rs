//! Reports as one HTML file that needs no network and no other file: what all of them share.

use std::borrow::Cow;
use std::io;
use std::str::Split;

use askama::Template;
use askama::filters::HtmlSafe;
use failure_kinds_core::Class;
use serde::Serialize;

use crate::page::{counted, share};
use crate::{json, words};

/// More groups than this are laid out only when they come into sight.
pub(crate) const MANY: usize = 200;

pub(crate) const STYLE: &str = include_str!("../templates/page.css");
pub(crate) const SCRIPT: &str = include_str!("../templates/page.js");
/// Nothing is loaded, and only [`STYLE`] and [`SCRIPT`] take effect.
pub(crate) const POLICY: &str = include_str!("../templates/policy.txt");

/// What surrounds the content of `page.html`.
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The report, for programs.
    pub(crate) json: String,
}

impl Frame {
    pub(crate) fn new(title: String, report: &impl Serialize) -> io::Result<Self> {
        let mut json = Vec::new();
        json::write_line(report, &mut json)?;
        // A `<` is in a string, where its escape means the same. Without it nothing ends or hides
        // the element.
        let json = String::from_utf8_lossy(&json).trim_end().replace('<', "\\u003c");
        Ok(Self { title, json })
    }
}

/// A bar of rollouts, whose parts together are the whole.
#[derive(Template)]
#[template(path = "bar.html")]
pub(crate) struct Bar {
    pub(crate) parts: Vec<Part>,
    is_thin: bool,
}

impl HtmlSafe for Bar {}

/// A part of a bar.
pub(crate) struct Part {
    /// Its look.
    pub(crate) class: &'static str,
    pub(crate) what: Cow<'static, str>,
    /// What that means; may be empty.
    pub(crate) meaning: Cow<'static, str>,
    pub(crate) count: u64,
    /// In percent of the whole.
    start: String,
    width: String,
}

impl Part {
    pub(crate) fn new(class: &'static str, what: impl Into<Cow<'static, str>>, count: u64) -> Self {
        let (start, width) = (String::new(), String::new());
        Self { class, what: what.into(), meaning: "".into(), count, start, width }
    }

    pub(crate) fn degraded(count: u64) -> Self {
        Self::new("degraded", "degraded", count).meaning(words::DEGRADED)
    }

    pub(crate) fn omitted(count: u64) -> Self {
        Self::new("omitted", "omitted", count).meaning(words::OMITTED)
    }

    pub(crate) fn missing(count: u64) -> Self {
        Self::new("missing", "missing", count).meaning(words::MISSING)
    }

    pub(crate) fn meaning(self, meaning: impl Into<Cow<'static, str>>) -> Self {
        Self { meaning: meaning.into(), ..self }
    }

    /// `58 rollouts`
    pub(crate) fn rollouts(&self) -> String {
        counted(self.count, "rollout")
    }
}

impl Bar {
    /// The parts side by side.
    pub(crate) fn new(parts: impl IntoIterator<Item = Part>) -> Self {
        let mut parts: Vec<Part> = parts.into_iter().collect();
        let of = parts.iter().map(|part| part.count).sum();
        let mut before = 0;
        for part in &mut parts {
            let start = share(before, of, PARTS);
            before += part.count;
            part.start = percent(start);
            part.width = percent(share(before, of, PARTS) - start);
        }
        Self { parts, is_thin: false }
    }

    /// One part of a whole, which a number beside it says too.
    pub(crate) fn of_share(class: &'static str, count: u64, of: u64) -> Self {
        let width = percent(share(count, of, PARTS));
        let part = Part { start: percent(0), width, ..Part::new(class, "", count) };
        Self { parts: vec![part], is_thin: true }
    }

    /// The parts that are not empty.
    fn filled(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.count > 0)
    }

    fn label(&self) -> String {
        let parts = self.filled().map(|part| format!("{} {}", part.rollouts(), part.what));
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// Hundredths of a percent.
const PARTS: usize = 10_000;

fn percent(parts: usize) -> String {
    format!("{}.{:02}", parts / 100, parts % 100)
}

/// A side. The style puts a letter before it, so that color is not all that tells it.
#[derive(Clone, Copy, Template)]
#[template(path = "side.html")]
pub(crate) struct Side {
    /// The name in files.
    pub(crate) class: &'static str,
    pub(crate) word: &'static str,
    pub(crate) summary: &'static str,
}

impl HtmlSafe for Side {}

impl Side {
    pub(crate) fn all() -> [Self; 3] {
        Class::ALL.map(Self::of)
    }

    /// The side of that name.
    pub(crate) fn named(class: &str) -> Self {
        let found = Class::ALL.into_iter().find(|one| one.as_str() == class);
        Self::of(found.unwrap_or(Class::Unknown))
    }

    pub(crate) const fn of(class: Class) -> Self {
        let word = match class {
            Class::Model => "Model",
            Class::Evaluation => "Evaluation",
            Class::Unknown => "Unknown",
        };
        Self { class: class.as_str(), word, summary: class.summary() }
    }
}

/// A sentence with names between backticks.
#[derive(Template)]
#[template(path = "sentence.html")]
pub(crate) struct Sentence<'t>(pub(crate) Cow<'t, str>);

impl HtmlSafe for Sentence<'_> {}

impl Sentence<'_> {
    /// Plain text and names by turns.
    fn parts(&self) -> Split<'_, char> {
        self.0.split('`')
    }
}

/// A name or a path, which may be broken after its parts.
#[derive(Template)]
#[template(path = "name.html")]
pub(crate) struct Name(pub(crate) String);

impl HtmlSafe for Name {}

impl Name {
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split_inclusive(['_', ':', '/'])
    }
}

/// A heading of the text report as the heading of a page: `NO CHANGE: none` as `No change: none`.
pub(crate) fn heading(text: &str) -> String {
    let is_lower = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit();
    let end = text.find(is_lower).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    first.chars().take(1).chain(first.to_lowercase().chars().skip(1)).chain(rest.chars()).collect()
}

/// A filter that a control sets: its keys and values, a pair on each line.
pub(crate) fn filter(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(key, value)| format!("{key}={value}"));
    pairs.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_sentences() {
        assert_eq!(heading("NO FAILURE in 3 rows"), "No failure in 3 rows");
        assert_eq!(heading("WORSE AND BETTER: more of A"), "Worse and better: more of A");
    }

    #[test]
    fn the_script_is_short() {
        assert!(SCRIPT.lines().count() < 200);
    }

    #[test]
    fn no_text_of_a_report_ends_the_embedded_json() {
        let text = "</script><!-- <script>";
        let json = Frame::new(String::new(), &text).unwrap().json;
        assert!(!json.contains('<'), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn the_parts_of_a_bar_fill_it() {
        let bar = Bar::new([
            Part::new("a", "one", 1),
            Part::new("b", "none", 0),
            Part::new("c", "two", 2),
        ]);
        let parts: Vec<_> = bar.filled().map(|part| (&*part.start, &*part.width)).collect();
        assert_eq!(parts, [("0.00", "33.33"), ("33.33", "66.67")]);
        assert_eq!(bar.label(), "1 rollout one, 2 rollouts two");
    }
}
