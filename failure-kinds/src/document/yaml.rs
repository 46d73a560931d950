//! YAML, from the events of `granit-parser`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::vec::Vec;

use granit_parser::{Event, Parser, ScalarStyle, Span};

use super::{Comment, Document, Key, Kind, Value};

pub(super) fn parse(text: &str, max_depth: usize) -> Document {
    let mut reader = Reader { max_depth, ..Reader::default() };
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => {
                reader.event(event, bytes(&span));
                if reader.document.error.is_some() {
                    break;
                }
            }
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or(text.len()).min(text.len());
                reader.document.fail(error.info(), at..at);
                break;
            }
        }
    }
    reader.document
}

fn bytes(span: &Span) -> Range<usize> {
    span.byte_range().unwrap_or_default()
}

#[derive(Default)]
struct Reader {
    max_depth: usize,
    document: Document,
    /// The innermost open mapping or sequence.
    open: Option<usize>,
    /// The key whose value comes next.
    key: Option<Key>,
    /// The number of open collections inside a key that is a collection.
    in_key: usize,
    /// Where that key starts, and what it is.
    outer_key: Option<(usize, &'static str)>,
    anchors: BTreeMap<usize, usize>,
}

impl Reader {
    fn event(&mut self, event: Event<'_>, span: Range<usize>) {
        match event {
            Event::Comment(text, _) => {
                self.document.comments.push(Comment { text: text.into_owned(), span });
            }
            Event::DocumentStart(..) => self.anchors.clear(),
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                self.scalar(&text, plain, anchor, span);
            }
            Event::Alias(anchor) => self.alias(anchor, span),
            Event::SequenceStart(_, anchor, _) => {
                self.open(Kind::List(Vec::new()), Value::List, anchor, span);
            }
            Event::MappingStart(_, anchor, _) => {
                self.open(Kind::Map(Vec::new()), Value::Map, anchor, span);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span.end),
            _ => {}
        }
    }

    /// Whether the next node is a key.
    fn is_key(&self) -> bool {
        let in_map =
            self.open.is_some_and(|open| matches!(self.document.nodes[open].kind, Kind::Map(_)));
        in_map && self.key.is_none()
    }

    fn scalar(&mut self, text: &str, plain: bool, anchor: usize, span: Range<usize>) {
        if self.in_key > 0 {
            return;
        }
        let kind = if plain { plain_scalar(text) } else { Kind::Text(text.into()) };
        if self.is_key() {
            let name = match kind {
                Kind::Null => Err(Value::Null.noun()),
                Kind::Boolean => Err(Value::Boolean.noun()),
                Kind::Number if !is_integer(text) => Err(Value::Number.noun()),
                _ => Ok(text.into()),
            };
            self.key = Some(Key { name, span: Some(span) });
        } else {
            self.add(kind, anchor, span);
        }
    }

    fn alias(&mut self, anchor: usize, span: Range<usize>) {
        if self.in_key > 0 {
            return;
        }
        if self.is_key() {
            self.key = Some(Key { name: Err(Value::Alias.noun()), span: Some(span) });
            return;
        }
        let target = self.anchors.get(&anchor).copied();
        let around = |target| {
            let parent = |&index: &usize| self.document.nodes[index].parent;
            std::iter::successors(self.open, parent).any(|index| index == target)
        };
        match target {
            Some(target) if !around(target) => drop(self.add(Kind::Alias(target), 0, span)),
            Some(_) => self.document.fail("this alias is inside the value that it refers to", span),
            // An anchor inside a key, which is not part of the tree.
            None => drop(self.add(Kind::Null, 0, span)),
        }
    }

    fn open(&mut self, kind: Kind, value: Value<'_>, anchor: usize, span: Range<usize>) {
        if self.in_key > 0 || self.is_key() {
            if self.in_key == 0 {
                self.outer_key = Some((span.start, value.noun()));
            }
            self.in_key += 1;
            return;
        }
        let index = self.add(kind, anchor, span.clone());
        self.open = Some(index);
        if self.document.nodes[index].depth >= self.max_depth {
            self.document.fail_too_deep(self.max_depth, span);
        }
    }

    fn close(&mut self, end: usize) {
        if self.in_key > 0 {
            self.in_key -= 1;
            if let (0, Some((start, noun))) = (self.in_key, self.outer_key) {
                self.key = Some(Key { name: Err(noun), span: Some(start..end) });
            }
        } else if let Some(data) = self.open.map(|open| &mut self.document.nodes[open]) {
            if let Some(span) = &mut data.span {
                span.end = end.max(span.start);
            }
            self.open = data.parent;
        }
    }

    fn add(&mut self, kind: Kind, anchor: usize, span: Range<usize>) -> usize {
        let index = self.document.add(self.open, self.key.take(), kind, Some(span));
        if anchor > 0 {
            self.anchors.insert(anchor, index);
        }
        index
    }
}

/// What a plain scalar is in the core schema of YAML 1.2, with integers in decimal only.
fn plain_scalar(text: &str) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Kind::Boolean,
        _ if is_number(text) => Kind::Number,
        _ => Kind::Text(text.into()),
    }
}

/// `[-+]?[0-9]+`
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// An integer, a float, an infinity or not a number.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" => true,
        ".nan" | ".NaN" | ".NAN" => text == unsigned,
        // Rust parses the floats of YAML, but also words such as `inf`.
        _ => {
            unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
                && unsigned.parse::<f64>().is_ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for text in ["429", "-1", "+0", "007", "4.5", "1e3", ".5", "1.", "-.inf", ".NaN"] {
            assert!(matches!(plain_scalar(text), Kind::Number), "{text}");
        }
        for text in ["4_29", "0o651", "0x1ad", "1:30", "inf", "nan", "-.nan", "y", "no", "+", "."] {
            assert!(matches!(plain_scalar(text), Kind::Text(_)), "{text}");
        }
        for text in ["", "~", "null", "NULL"] {
            assert!(matches!(plain_scalar(text), Kind::Null), "{text}");
        }
    }
}
