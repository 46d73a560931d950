//! Reports as one HTML file that needs no network and no other file: what all of them share.

mod bar;

use std::io::{self, Write};

use failure_kinds_core::Class;
use maud::{Markup, PreEscaped, Render, html};
use serde::Serialize;

pub(crate) use self::bar::{Bar, Part};
use crate::json;

/// More groups than this are laid out only when they come into sight.
pub(crate) const MANY: usize = 200;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing is loaded, and only [`STYLE`] and [`SCRIPT`] take effect.
const POLICY: &str = include_str!("policy.txt");

/// Writes a page with this content and a footer that starts with some words, and with the report
/// for programs. It may be large, so it is written in parts.
pub(crate) fn write(
    title: &str,
    content: Markup,
    footer: &str,
    report: &impl Serialize,
    stream: &mut dyn Write,
) -> io::Result<()> {
    let head = html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY.trim_end());
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    };
    let footer = html! {
        footer { (footer) " Written by failure-kinds " (env!("CARGO_PKG_VERSION")) "." }
    };
    write!(stream, "<!doctype html>\n<html lang=\"en\">{}<body>{}", head.0, patterns().0)?;
    write!(stream, "<main>{}</main>{}", content.0, footer.0)?;
    drop(content);
    let scripts = html! {
        script type="application/json" id="report" { (embedded(report)?) }
        script { (PreEscaped(SCRIPT)) }
    };
    writeln!(stream, "{}</body></html>", scripts.0)
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
}
