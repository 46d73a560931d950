//! Reports as one HTML file that needs no network and no other file: what all of them share.

use std::borrow::Cow;
use std::io::{self, Write};

use failure_kinds_core::Class;
use maud::{Markup, PreEscaped, Render, html};
use serde::Serialize;

use crate::page::{counted, share};
use crate::{json, words};

/// More groups than this are laid out only when they come into sight.
pub(crate) const MANY: usize = 200;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing is loaded, and only [`STYLE`] and [`SCRIPT`] take effect.
const POLICY: &str = include_str!("policy.txt");

/// Writes a page with this content and a footer that starts with some words, and with the report
/// for programs.
pub(crate) fn write(
    title: &str,
    content: &Markup,
    footer: &str,
    report: &impl Serialize,
    stream: &mut dyn Write,
) -> io::Result<()> {
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY.trim_end());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (patterns())
                main { (content) }
                footer { (footer) " Written by failure-kinds " (env!("CARGO_PKG_VERSION")) "." }
                script type="application/json" id="report" { (embedded(report)?) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    writeln!(stream, "{}", page.0)
}

/// The patterns of the sides in bars.
fn patterns() -> Markup {
    html! {
        svg.patterns aria-hidden="true" {
            defs {
                pattern id="stripes" width="7" height="7" patternUnits="userSpaceOnUse"
                    patternTransform="rotate(45)"
                {
                    rect.fill width="7" height="7" {}
                    rect.ink width="2" height="7" {}
                }
                pattern id="dots" width="7" height="7" patternUnits="userSpaceOnUse" {
                    rect.fill width="7" height="7" {}
                    circle.ink cx="3.5" cy="3.5" r="1.2" {}
                }
                pattern id="hatching" width="7" height="7" patternUnits="userSpaceOnUse"
                    patternTransform="rotate(-45)"
                {
                    rect.ink width="3" height="7" {}
                }
            }
        }
    }
}

/// The report, for programs.
fn embedded(report: &impl Serialize) -> io::Result<PreEscaped<String>> {
    let mut json = Vec::new();
    json::write_line(report, &mut json)?;
    // A `<` is in a string, where its escape means the same. Without it nothing ends or hides the
    // element.
    Ok(PreEscaped(String::from_utf8_lossy(&json).trim_end().replace('<', "\\u003c")))
}

/// A bar of rollouts, whose parts together are the whole.
pub(crate) struct Bar {
    parts: Vec<Part>,
    /// What all parts are together.
    of: u64,
    is_thin: bool,
}

/// A part of a bar.
pub(crate) struct Part {
    /// Its look.
    class: &'static str,
    what: Cow<'static, str>,
    /// What that means; may be empty.
    meaning: Cow<'static, str>,
    count: u64,
}

impl Part {
    pub(crate) fn new(class: &'static str, what: impl Into<Cow<'static, str>>, count: u64) -> Self {
        Self { class, what: what.into(), meaning: "".into(), count }
    }

    pub(crate) fn passed(count: u64) -> Self {
        Self::new("passed", "without a failure", count).meaning(words::PASSED)
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
    fn rollouts(&self) -> String {
        counted(self.count, "rollout")
    }
}

impl Bar {
    /// The parts side by side.
    pub(crate) fn new(parts: impl IntoIterator<Item = Part>) -> Self {
        let parts: Vec<Part> = parts.into_iter().collect();
        let of = parts.iter().map(|part| part.count).sum();
        Self { parts, of, is_thin: false }
    }

    /// One part of a whole, which a number beside it says too.
    pub(crate) fn of_share(class: &'static str, count: u64, of: u64) -> Self {
        Self { parts: vec![Part::new(class, "", count)], of, is_thin: true }
    }

    /// The parts that are not empty.
    fn filled(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.count > 0)
    }

    /// The parts that are not empty, each with its start and its width in percent.
    fn places(&self) -> impl Iterator<Item = (&Part, String, String)> {
        let mut before = 0;
        self.filled().map(move |part| {
            let start = share(before, self.of, PARTS);
            before += part.count;
            (part, percent(start), percent(share(before, self.of, PARTS) - start))
        })
    }

    fn label(&self) -> String {
        let parts = self.filled().map(|part| format!("{} {}", part.rollouts(), part.what));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// What each part is.
    pub(crate) fn key(&self) -> Markup {
        html! {
            ul.key {
                @for part in &self.parts {
                    li {
                        svg.swatch aria-hidden="true" { rect class=(part.class) width="100%" height="100%" {} }
                        span {
                            strong { (part.rollouts()) } " " (part.what)
                            @if !part.meaning.is_empty() { " " small { (part.meaning) } }
                        }
                    }
                }
            }
        }
    }
}

impl Render for Bar {
    fn render(&self) -> Markup {
        // A number beside a thin one says the same.
        let is_image = !self.is_thin;
        html! {
            svg.bar.thin[self.is_thin]
                aria-hidden=[self.is_thin.then_some("true")]
                role=[is_image.then_some("img")]
                aria-label=[is_image.then(|| self.label())]
            {
                @for (part, start, width) in self.places() {
                    rect class=(part.class) x=(start) width=(width) height="100%" {}
                }
            }
        }
    }
}

/// Hundredths of a percent.
const PARTS: usize = 10_000;

fn percent(parts: usize) -> String {
    format!("{}.{:02}%", parts / 100, parts % 100)
}

/// A side. The style puts a letter before it, so that color is not all that tells it.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    /// The name in files.
    pub(crate) class: &'static str,
    pub(crate) word: &'static str,
    pub(crate) summary: &'static str,
}

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

impl Render for Side {
    fn render(&self) -> Markup {
        html! { span class={ "tag " (self.class) } { (self.word) } }
    }
}

/// A sentence with names and commands between backticks.
pub(crate) fn sentence(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 0 { (part) }
            @else if part.contains(' ') { (command(part)) }
            @else { code { (part) } }
        }
    }
}

/// A command, which may be broken between its words only.
fn command(text: &str) -> Markup {
    html! {
        code {
            @for (place, word) in text.split(' ').enumerate() {
                @if place > 0 { " " }
                span.word { (word) }
            }
        }
    }
}

/// Sentences as the items of a list.
pub(crate) fn items(sentences: &[impl AsRef<str>]) -> Markup {
    html! { @for text in sentences { li { (sentence(text.as_ref())) } } }
}

/// A name or a path, which may be broken after its parts.
pub(crate) fn name(name: &str) -> Markup {
    html! {
        code {
            @for (place, part) in name.split_inclusive(['_', ':', '/']).enumerate() {
                @if place > 0 { wbr; }
                (part)
            }
        }
    }
}

/// A section with a heading that has this id.
pub(crate) fn section(id: &str, heading: &str, content: &Markup) -> Markup {
    html! { section aria-labelledby=(id) { h2 id=(id) { (heading) } (content) } }
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
        let PreEscaped(json) = embedded(&text).unwrap();
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
        let places: Vec<_> = bar.places().map(|(_, start, width)| [start, width]).collect();
        assert_eq!(places, [["0.00%", "33.33%"], ["33.33%", "66.67%"]]);
        assert_eq!(bar.label(), "1 rollout one, 2 rollouts two");
    }
}
