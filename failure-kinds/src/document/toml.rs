//! TOML, from the events of `toml_parser`.
//!
//! A key that TOML does not allow to be defined again becomes a second entry of its map: whoever
//! reads the tree reports all duplicates alike.

use std::collections::BTreeMap;
use std::ops::Range;
use std::string::String;
use std::vec::Vec;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, ValidateWhitespace, parse_document};
use toml_parser::{ErrorSink, Expected, ParseError, Raw, Source, Span};

use super::{Comment, Document, Key, Kind};

/// The most levels of inline tables and arrays, because the parser recurses into them.
const MAX_INLINE: usize = 80;

pub(super) fn parse(text: &str, max_depth: usize) -> Document {
    let source = Source::new(text);
    let tokens: Vec<_> = source.lex().collect();
    let mut reader = Reader::new(text, max_depth);
    let mut errors: Vec<ParseError> = Vec::new();
    parse_document(&tokens, &mut ValidateWhitespace::new(&mut reader, source), &mut errors);
    let mut document = reader.document;
    // Nothing after a place that is nested too deeply is read, so that error comes first.
    for error in errors {
        let span = error.unexpected().or(error.context()).map_or(0..0, bytes);
        document.fail(message(&error), span);
    }
    document
}

fn bytes(span: Span) -> Range<usize> {
    span.start()..span.end()
}

fn message(error: &ParseError) -> String {
    let mut message = String::from(error.description());
    for (index, expected) in error.expected().unwrap_or_default().iter().enumerate() {
        message.push_str(if index == 0 { ", expected " } else { " or " });
        match expected {
            Expected::Literal("\n") => message.push_str("a new line"),
            Expected::Literal(text) => message.extend(["`", text, "`"]),
            Expected::Description(text) => message.push_str(text),
            _ => message.push_str("something else"),
        }
    }
    message
}

/// How a node was defined, and so how it may be extended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// A scalar, an array or an inline table: complete.
    Value,
    /// A table that only the header of a table inside it implies.
    Implied,
    /// A table from a dotted key.
    Dotted,
    /// A table with a header.
    Header,
    /// An array of tables with headers.
    Tables,
}

struct Reader<'a> {
    source: Source<'a>,
    max_depth: usize,
    document: Document,
    /// The origin of each node.
    origins: Vec<Origin>,
    /// The last entry of each key in its table.
    entries: BTreeMap<(usize, String), usize>,
    /// The table of the last header, or the root.
    table: usize,
    /// The open arrays and inline tables. One without a key is not part of the tree.
    open: Vec<Option<usize>>,
    /// The parts of a dotted key.
    path: Vec<(String, Range<usize>)>,
    header: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, max_depth: usize) -> Self {
        let mut this = Self {
            source: Source::new(text),
            max_depth,
            document: Document::default(),
            origins: Vec::new(),
            entries: BTreeMap::new(),
            table: 0,
            open: Vec::new(),
            path: Vec::new(),
            header: 0,
        };
        this.origins.push(Origin::Header);
        // The root has no location: there may be nothing in the text.
        this.document.add(None, None, Kind::Map(Vec::new()), None);
        this
    }

    fn raw(&self, span: Span, encoding: Option<Encoding>) -> Raw<'a> {
        let text = self.source.input().get(bytes(span)).unwrap_or_default();
        Raw::new_unchecked(text, encoding, span)
    }

    const fn failed(&self) -> bool {
        self.document.error().is_some()
    }

    fn add(
        &mut self,
        parent: usize,
        key: Option<(String, Range<usize>)>,
        (kind, origin): (Kind, Origin),
        span: Range<usize>,
    ) -> usize {
        let opens = matches!(kind, Kind::Map(_) | Kind::List(_));
        let key = key.map(|(name, span)| {
            self.entries.insert((parent, name.clone()), self.document.nodes.len());
            Key::text(name, span)
        });
        self.origins.push(origin);
        let index = self.document.add(Some(parent), key, kind, Some(span.clone()));
        if opens && self.document.nodes[index].depth >= self.max_depth {
            self.document.fail_too_deep(self.max_depth, span);
        }
        index
    }

    fn entry(&self, table: usize, name: &str) -> Option<(usize, Origin)> {
        let index = *self.entries.get(&(table, name.into()))?;
        Some((index, self.origins[index]))
    }

    /// The table that all but the last part of the path lead to, from `table`; `dotted` is true for a dotted key and false for a header.
    fn descend(
        &mut self,
        mut table: usize,
        dotted: bool,
    ) -> Option<(usize, (String, Range<usize>))> {
        let mut path = std::mem::take(&mut self.path);
        let last = path.pop()?;
        for (name, span) in path {
            table = match (self.entry(table, &name), dotted) {
                (Some((index, Origin::Implied | Origin::Dotted)), true) => {
                    self.origins[index] = Origin::Dotted;
                    index
                }
                (Some((index, Origin::Implied | Origin::Dotted | Origin::Header)), false) => index,
                (Some((index, Origin::Tables)), false) => {
                    self.document.node(index).children().last().map_or(index, |node| node.index)
                }
                _ => {
                    let origin = if dotted { Origin::Dotted } else { Origin::Implied };
                    let table_of = (Kind::Map(Vec::new()), origin);
                    self.add(table, Some((name, span.clone())), table_of, span)
                }
            };
        }
        Some((table, last))
    }

    /// Adds a value where the next one belongs.
    fn value(&mut self, kind: Kind, span: Range<usize>) -> Option<usize> {
        let around = self.open.last().copied().unwrap_or(Some(self.table))?;
        let (parent, key) = match self.document.nodes[around].kind {
            Kind::List(_) => (around, None),
            _ => self.descend(around, true).map(|(table, key)| (table, Some(key)))?,
        };
        Some(self.add(parent, key, (kind, Origin::Value), span))
    }

    /// Opens an array or an inline table. Returns whether the parser may read its content.
    fn open(&mut self, kind: Kind, span: Span) -> bool {
        if self.failed() {
            return false;
        }
        let index = self.value(kind, bytes(span));
        self.open.push(index);
        if self.open.len() > MAX_INLINE {
            self.document.fail_too_deep(MAX_INLINE, bytes(span));
        }
        index.is_some() && !self.failed()
    }

    fn close(&mut self, span: Span) {
        if let Some(index) = self.open.pop().flatten() {
            if let Some(of_value) = &mut self.document.nodes[index].span {
                of_value.end = span.end();
            }
        }
        self.path.clear();
    }

    fn begin_header(&mut self, span: Span) {
        self.open.clear();
        self.path.clear();
        self.header = span.start();
    }

    fn end_header(&mut self, span: Span, array: bool) {
        if self.failed() {
            return;
        }
        let Some((table, key)) = self.descend(0, false) else { return };
        let span = self.header..span.end();
        let existing = self.entry(table, &key.0);
        let header = (Kind::Map(Vec::new()), Origin::Header);
        self.table = match (existing, array) {
            (Some((index, Origin::Implied)), false) => {
                self.origins[index] = Origin::Header;
                index
            }
            (_, false) => self.add(table, Some(key), header, span),
            (Some((index, Origin::Tables)), true) => self.add(index, None, header, span),
            (_, true) => {
                let tables = (Kind::List(Vec::new()), Origin::Tables);
                let index = self.add(table, Some(key), tables, span.clone());
                self.add(index, None, header, span)
            }
        };
    }
}

impl EventReceiver for Reader<'_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.begin_header(span);
    }

    fn std_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.end_header(span, false);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.begin_header(span);
    }

    fn array_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.end_header(span, true);
    }

    fn inline_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.open(Kind::Map(Vec::new()), span)
    }

    fn inline_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close(span);
    }

    fn array_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.open(Kind::List(Vec::new()), span)
    }

    fn array_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close(span);
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let mut name = String::new();
        self.raw(span, encoding).decode_key(&mut name, error);
        self.path.push((name, bytes(span)));
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let mut text = String::new();
        let kind = match self.raw(span, encoding).decode_scalar(&mut text, error) {
            ScalarKind::String => Kind::Text(text),
            ScalarKind::Boolean(_) => Kind::Boolean,
            ScalarKind::DateTime => Kind::Time,
            ScalarKind::Float | ScalarKind::Integer(_) => Kind::Number,
        };
        if !self.failed() {
            self.value(kind, bytes(span));
        }
    }

    fn value_sep(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.path.clear();
    }

    fn comment(&mut self, span: Span, _: &mut dyn ErrorSink) {
        let text = self.raw(span, None).as_str().trim_start_matches('#').into();
        self.document.comments.push(Comment { text, span: bytes(span) });
    }

    fn newline(&mut self, _: Span, _: &mut dyn ErrorSink) {
        if self.open.is_empty() {
            self.path.clear();
        }
    }
}
