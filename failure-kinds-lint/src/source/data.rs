//! JSON, JSON with comments, TOML and YAML: one tree, and the values of keys in it.

use std::ops::Range;

use failure_kinds::ConfigFormat;
use failure_kinds::document::{Document, Node, Value as Data};
use memchr::memmem;
use serde_core::de::IgnoredAny;

use super::json_comments;
use crate::keys::is_column_table;
use crate::position::{Comment, Literal, Position, Scan, ScanOptions, Unparsed, Value};

pub(super) fn json(text: &str, options: ScanOptions<'_>) -> Scan {
    // A large file is rarely about failures, and its tree takes memory.
    if !options.literals && !may_have_key(text, options) && is_json(text) {
        return Scan::default();
    }
    read(text, ConfigFormat::Json, options)
}

pub(super) fn json_with_comments(text: &str, options: ScanOptions<'_>) -> Scan {
    let (plain, comments) = json_comments::take_out(text);
    Scan { comments, ..json(&plain, options) }
}

/// One value in each line: an excerpt in documentation.
pub(super) fn json_lines(text: &str, options: ScanOptions<'_>) -> Scan {
    let mut scan = Scan::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            let part = json(line, options);
            scan.add_part(part, |span| (start + span.start..start + span.end, true));
        }
        start += line.len();
    }
    scan
}

pub(super) fn toml(text: &str, options: ScanOptions<'_>) -> Scan {
    read(text, ConfigFormat::Toml, options)
}

pub(super) fn yaml(text: &str, options: ScanOptions<'_>) -> Scan {
    read(text, ConfigFormat::Yaml, options)
}

/// Whether a text holds the name of a key, or an escape that could be a part of one.
fn may_have_key(text: &str, options: ScanOptions<'_>) -> bool {
    let text = text.as_bytes();
    let has = |part: &[u8]| memmem::find(text, part).is_some();
    has(b"\\u00") || options.keys.last_names().any(|name| has(name.as_bytes()))
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn read(text: &str, format: ConfigFormat, options: ScanOptions<'_>) -> Scan {
    let document = Document::parse(text, format, usize::MAX);
    let mut finder = Finder { text, options, scan: Scan::default() };
    for root in document.roots() {
        finder.values(root);
    }
    let comment = |comment: &failure_kinds::document::Comment| {
        Comment::new(comment.span.clone(), comment.text.as_str())
    };
    finder.scan.comments = document.comments().iter().map(comment).collect();
    finder.scan.unparsed = document.error().map(|error| Unparsed {
        at: error.span.start,
        why: error.message.clone(),
        too_deep: error.too_deep,
    });
    finder.scan
}

struct Finder<'a> {
    text: &'a str,
    options: ScanOptions<'a>,
    scan: Scan,
}

impl Finder<'_> {
    fn values(&mut self, root: Node<'_>) {
        let mut path: Vec<&str> = Vec::new();
        let mut open = vec![(root, 0)];
        while let Some((node, depth)) = open.pop() {
            path.truncate(depth);
            // The items of a list are values of the list's key.
            path.extend(node.key().map(|key| key.name().unwrap_or_default()));
            if let Data::Map | Data::List = node.value() {
                let first = open.len();
                open.extend(node.children().map(|child| (child, path.len())));
                open[first..].reverse();
            } else if let Some(span) = node.span() {
                self.scalar(node, span, &path);
            }
        }
    }

    fn scalar(&mut self, node: Node<'_>, span: Range<usize>, path: &[&str]) {
        if !self.options.keys.is_key_path(&path.iter().copied(), false) {
            if let (true, Data::Text(text)) = (self.options.literals, node.value()) {
                self.scan.literals.push(Literal { span, text: text.to_owned(), test: false });
            }
        } else if !path.iter().rev().nth(1).is_some_and(|table| is_column_table(table)) {
            self.value(node, &span, path);
        }
    }

    fn value(&mut self, node: Node<'_>, span: &Range<usize>, path: &[&str]) {
        let value = match node.value() {
            Data::Null => return,
            // A tag such as `!ENV` says that the value is filled in later.
            Data::Text(_) if is_tagged(&self.text[..span.start]) => return,
            Data::Text(text) => {
                Value::Text { text: text.to_owned(), inside: self.inside(span, text) }
            }
            Data::Alias => return self.alias(node.target(), span, path),
            other => Value::NotText(other.noun()),
        };
        self.push(path, span, value);
    }

    /// An alias counts as its target, and may stand for a list.
    fn alias(&mut self, target: Node<'_>, span: &Range<usize>, path: &[&str]) {
        let mut push = |node: Node<'_>| match node.target().value() {
            Data::Text(text) => {
                self.push(path, span, Value::Text { text: text.to_owned(), inside: None });
            }
            Data::Null | Data::List | Data::Map => {}
            other => self.push(path, span, Value::NotText(other.noun())),
        };
        if target.value() == Data::List {
            target.children().for_each(push);
        } else {
            push(target);
        }
    }

    /// The bytes that spell a text: all of them, or those between quotes.
    fn inside(&self, span: &Range<usize>, text: &str) -> Option<Range<usize>> {
        let quoted = span.start + 1..span.end.checked_sub(1)?;
        [span.clone(), quoted]
            .into_iter()
            .find(|range| range.start <= range.end && self.text.get(range.clone()) == Some(text))
    }

    fn push(&mut self, path: &[&str], span: &Range<usize>, value: Value) {
        let key = path.last().copied().unwrap_or_default();
        self.scan.positions.push(Position::in_data(key, span.clone(), value));
    }
}

/// Whether the text before a value of YAML ends in a tag other than that of a string.
fn is_tagged(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.split_ascii_whitespace()
        .rev()
        .take_while(|word| word.starts_with(['!', '&']))
        .any(|word| word.starts_with('!') && word != "!" && word != "!!str")
}

#[cfg(test)]
mod tests;
