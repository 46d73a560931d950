//! YAML, by the events of granit-parser, which have their places, comments among them.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, Span};

use super::is_template;
use crate::position::{Ask, Comment, Literal, Position, Scan, Unparsed, Value};

pub(super) fn scan(text: &str, ask: Ask<'_>) -> Scan {
    let mut finder = Finder { text, ask, open: Vec::new(), scan: Scan::default() };
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => finder.event(event, span),
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or(0);
                finder.scan.unparsed = Some(Unparsed { at, why: error.info() });
                break;
            }
        }
    }
    finder.scan
}

/// A collection that is open.
enum Step {
    /// A mapping whose next node is a name.
    Name,
    /// A mapping whose next node is the value of this name.
    Value(String),
    Sequence,
}

struct Finder<'a> {
    text: &'a str,
    ask: Ask<'a>,
    open: Vec<Step>,
    scan: Scan,
}

impl Finder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        let range = || span.byte_range().unwrap_or(0..0);
        match event {
            Event::Comment(text, _) => {
                self.scan.comments.push(Comment { span: range(), text: text.into_owned() });
            }
            Event::Scalar(text, style, _, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                if self.is_name() {
                    self.node_ends(Some(&text));
                } else {
                    self.scalar(&text, range(), plain);
                    self.node_ends(None);
                }
            }
            Event::MappingStart(..) => self.open.push(Step::Name),
            Event::SequenceStart(..) => self.open.push(Step::Sequence),
            Event::MappingEnd | Event::SequenceEnd => {
                self.open.pop();
                self.node_ends(None);
            }
            Event::Alias(_) => self.node_ends(None),
            Event::DocumentStart(..) => self.open.clear(),
            _ => {}
        }
    }

    fn is_name(&self) -> bool {
        matches!(self.open.last(), Some(Step::Name))
    }

    /// A node has ended: in a mapping, a name is followed by its value and a value by a name.
    fn node_ends(&mut self, name: Option<&str>) {
        match self.open.last_mut() {
            Some(step @ Step::Name) => *step = Step::Value(name.unwrap_or_default().to_owned()),
            Some(step @ Step::Value(_)) => *step = Step::Name,
            Some(Step::Sequence) | None => {}
        }
    }

    fn scalar(&mut self, text: &str, span: Range<usize>, plain: bool) {
        let names = self.open.iter().filter_map(|step| match step {
            Step::Value(name) => Some(name.as_str()),
            Step::Name | Step::Sequence => None,
        });
        if !self.ask.keys.is_key_path(&names, false) {
            if self.ask.literals {
                let text = text.to_owned();
                self.scan.literals.push(Literal { span, text, test: false });
            }
            return;
        }
        let value = match no_text(text) {
            Some(Plain::Null) if plain => return,
            Some(Plain::Other(what)) if plain => Value::NoText(what),
            _ if is_template(text) => return,
            _ => Value::Text { text: text.to_owned(), inside: self.inside(&span, text) },
        };
        let key = { names }.next_back().unwrap_or_default();
        self.scan.positions.push(Position::in_data(key, span, value));
    }

    /// The bytes that spell the text: all of them, or those between quotes.
    fn inside(&self, span: &Range<usize>, text: &str) -> Option<Range<usize>> {
        let quoted = span.start + 1..span.end.checked_sub(1)?;
        [span.clone(), quoted]
            .into_iter()
            .find(|range| range.start <= range.end && self.text.get(range.clone()) == Some(text))
    }
}

/// What a plain scalar is where it is no text.
enum Plain {
    Null,
    Other(&'static str),
}

/// The core schema of YAML 1.2.
fn no_text(text: &str) -> Option<Plain> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Plain::Null),
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Some(Plain::Other("a boolean")),
        _ if text.starts_with(|first: char| {
            first.is_ascii_digit() || matches!(first, '-' | '+' | '.')
        }) && text.parse::<f64>().is_ok() =>
        {
            Some(Plain::Other("a number"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::testing::{self, positions};

    fn yaml(text: &str) -> Vec<String> {
        positions(Language::Yaml, text)
    }

    #[test]
    fn values_of_keys() {
        assert_eq!(
            yaml("a: x\nfailure_kind: a\nb:\n  failure_class: 'b'\n  kind: x\n"),
            ["failure_kind=a", "failure_class=b"]
        );
        assert_eq!(
            yaml("{failure_kind: gdpval:eval_missing, x: y}"),
            ["failure_kind=gdpval:eval_missing"]
        );
        assert_eq!(yaml("failure_kind:\n- a\n- b\n"), ["failure_kind=a", "failure_kind=b"]);
        assert_eq!(
            yaml("failure_kind: &x a\nother: *x\n---\nfailure_kind: b\n"),
            ["failure_kind=a", "failure_kind=b"]
        );
    }

    #[test]
    fn what_is_no_name() {
        assert_eq!(yaml("failure_kind: null\nfailure_class: ~\n_ng_failure_class:\n"), [""; 0]);
        assert_eq!(yaml("failure_kind: {type: string}\n"), [""; 0]);
        assert_eq!(yaml("failure_kind: ${kind}\nfailure_class: '{{ x }}'\n"), [""; 0]);
        assert_eq!(
            yaml("failure_kind: true\nfailure_class: 3\n_ng_failure_kind: '3'\n"),
            ["failure_kind=?a boolean", "failure_class=?a number", "_ng_failure_kind=3"]
        );
        assert_eq!(yaml("? [failure_kind]\n: x\nfailure_kinds: y\n"), [""; 0]);
    }

    #[test]
    fn comments() {
        let found = testing::scan(Language::Yaml, "a: '# no' # yes\nb: |\n  # no\n# also\n");
        let comments: Vec<_> = found.comments.iter().map(|comment| comment.text.as_str()).collect();
        assert_eq!(comments, [" yes", " also"]);
    }

    #[test]
    fn a_fault_has_a_place() {
        let found = testing::scan(Language::Yaml, "failure_kind: a\nb: [\n");
        assert!(found.unparsed.is_some_and(|unparsed| unparsed.at >= 16));
        assert_eq!(found.positions.len(), 1);
    }
}
