//! JSON, from the events of `json-event-parser`.

use std::ops::Range;
use std::string::String;
use std::vec::Vec;

use json_event_parser::{JsonEvent, JsonSyntaxError, LowLevelJsonParser};

use super::{Document, Key, Kind};

pub(super) fn parse(text: &str, max_depth: usize) -> Document {
    let mut reader =
        Reader { text, max_depth, document: Document::default(), open: None, key: None };
    // The depth is checked here, where its error has a location.
    let mut parser = LowLevelJsonParser::new().with_max_stack_size(usize::MAX);
    let mut at = 0;
    loop {
        let start = at;
        let result = parser.parse_next(&text.as_bytes()[start..], true);
        at += result.consumed_bytes;
        match result.event {
            Some(Ok(JsonEvent::Eof)) => break,
            Some(Ok(event)) => reader.event(event, start..at),
            Some(Err(error)) => {
                let span = location(&error, text.len());
                reader.document.fail(uncapitalized(error.message()), span);
            }
            None => {}
        }
        if reader.document.error.is_some() {
            break;
        }
    }
    reader.document
}

fn location(error: &JsonSyntaxError, end: usize) -> Range<usize> {
    let offset = |offset: u64| usize::try_from(offset).map_or(end, |offset| offset.min(end));
    let location = error.location();
    offset(location.start.offset)..offset(location.end.offset)
}

/// A sentence as a clause that follows a colon.
fn uncapitalized(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(Default::default, |first| {
        std::format!("{}{}", first.to_ascii_lowercase(), chars.as_str())
    })
}

struct Reader<'a> {
    text: &'a str,
    max_depth: usize,
    document: Document,
    /// The innermost open object or array.
    open: Option<usize>,
    /// The key whose value comes next.
    key: Option<Key>,
}

impl Reader<'_> {
    /// Takes an event that ends where `consumed` ends.
    fn event(&mut self, event: JsonEvent<'_>, consumed: Range<usize>) {
        let before = |byte: &u8| b" \t\r\n,:\xef\xbb\xbf".contains(byte);
        let skipped =
            self.text.as_bytes()[consumed.clone()].iter().take_while(|&byte| before(byte));
        let span = consumed.start + skipped.count()..consumed.end;
        let kind = match event {
            JsonEvent::ObjectKey(key) => {
                self.key = Some(Key::text(key.into_owned(), span));
                return;
            }
            JsonEvent::EndObject | JsonEvent::EndArray => {
                self.close(span.end);
                return;
            }
            JsonEvent::String(text) => Kind::Text(text.into_owned()),
            JsonEvent::Number(_) => Kind::Number,
            JsonEvent::Boolean(_) => Kind::Boolean,
            JsonEvent::StartObject => Kind::Map(Vec::new()),
            JsonEvent::StartArray => Kind::List(Vec::new()),
            JsonEvent::Null | JsonEvent::Eof => Kind::Null,
        };
        let opens = matches!(kind, Kind::Map(_) | Kind::List(_));
        let index = self.document.add(self.open, self.key.take(), kind, Some(span.clone()));
        if opens {
            self.open = Some(index);
            if self.document.nodes[index].depth >= self.max_depth {
                self.document.fail_too_deep(self.max_depth, span);
            }
        }
    }

    fn close(&mut self, end: usize) {
        if let Some(data) = self.open.map(|open| &mut self.document.nodes[open]) {
            if let Some(span) = &mut data.span {
                span.end = end;
            }
            self.open = data.parent;
        }
    }
}
