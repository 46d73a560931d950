//! JSON, by struson: a strict reader that streams and knows the place of every value.

use std::io::Read;
use std::ops::Range;

use struson::reader::{JsonReader, JsonStreamReader, ReaderError, ReaderSettings, ValueType};

use super::is_template;
use crate::position::{Ask, Literal, Position, Scan, Unparsed, Value};

pub(super) fn scan(text: &str, ask: Ask<'_>) -> Scan {
    read(text, ask, false)
}

/// Several values, one after the other: an excerpt of JSON Lines in documentation.
pub(super) fn scan_lines(text: &str, ask: Ask<'_>) -> Scan {
    read(text, ask, true)
}

fn read(text: &str, ask: Ask<'_>, several: bool) -> Scan {
    // Nothing here recurses, so depth has no limit. A second value is refused below, with its
    // place.
    let settings = ReaderSettings {
        allow_multiple_top_level: true,
        track_path: false,
        max_nesting_depth: None,
        restrict_number_values: false,
        ..ReaderSettings::default()
    };
    let json = JsonStreamReader::new_custom(text.as_bytes(), settings);
    let mut finder = Finder { text, ask, json, path: Vec::new(), scan: Scan::default() };
    if let Err(error) = finder.values(several) {
        let at = finder.at();
        finder.scan.unparsed = Some(unparsed(&error, at));
    }
    finder.scan
}

fn unparsed(error: &ReaderError, at: usize) -> Unparsed {
    match error {
        ReaderError::SyntaxError(error) => Unparsed {
            at: error.location.data_pos.map_or(at, |at| usize::try_from(at).unwrap_or(usize::MAX)),
            why: words(&error.kind.to_string()),
        },
        error => Unparsed { at, why: error.to_string() },
    }
}

/// `TrailingData` as `trailing data`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for (index, char) in name.chars().enumerate() {
        if char.is_ascii_uppercase() && index > 0 {
            words.push(' ');
        }
        words.push(char.to_ascii_lowercase());
    }
    words.truncate(words.trim_end_matches(" not enabled").len());
    words
}

/// Where the reader is: in an object behind the name of a member, or in an array.
enum Step {
    Object { name: String },
    Array,
}

struct Finder<'a, R: Read> {
    text: &'a str,
    ask: Ask<'a>,
    json: JsonStreamReader<R>,
    path: Vec<Step>,
    scan: Scan,
}

impl<R: Read> Finder<'_, R> {
    fn at(&self) -> usize {
        let at = self.json.current_position(false).data_pos;
        at.map_or(0, |at| usize::try_from(at).unwrap_or(usize::MAX))
    }

    fn values(&mut self, several: bool) -> Result<(), ReaderError> {
        // The first value is there, or is missed with an error.
        self.value()?;
        loop {
            if !self.json.has_next()? {
                match self.path.pop() {
                    Some(Step::Object { .. }) => self.json.end_object()?,
                    Some(Step::Array) => self.json.end_array()?,
                    None => return Ok(()),
                }
                continue;
            }
            match self.path.last_mut() {
                Some(Step::Object { name }) => *name = self.json.next_name_owned()?,
                Some(Step::Array) => {}
                None if several => {}
                None => {
                    self.json.peek()?;
                    let why = "data behind the value".to_owned();
                    self.scan.unparsed = Some(Unparsed { at: self.at(), why });
                    return Ok(());
                }
            }
            self.value()?;
        }
    }

    fn value(&mut self) -> Result<(), ReaderError> {
        let kind = self.json.peek()?;
        let start = self.at();
        match kind {
            ValueType::Object => {
                self.json.begin_object()?;
                self.path.push(Step::Object { name: String::new() });
            }
            ValueType::Array => {
                self.json.begin_array()?;
                self.path.push(Step::Array);
            }
            ValueType::String if self.is_key() => {
                let text = self.json.next_string()?;
                let span = start..self.at();
                if !is_template(&text) {
                    let inside = self.inside(&span, &text);
                    self.push(span, Value::Text { text, inside });
                }
            }
            ValueType::String if self.ask.literals => {
                let text = self.json.next_string()?;
                let span = start..self.at();
                self.scan.literals.push(Literal { span, text, test: false });
            }
            ValueType::String | ValueType::Null => self.json.skip_value()?,
            ValueType::Number => self.no_text(start, "a number")?,
            ValueType::Boolean => self.no_text(start, "a boolean")?,
        }
        Ok(())
    }

    fn no_text(&mut self, start: usize, what: &'static str) -> Result<(), ReaderError> {
        self.json.skip_value()?;
        if self.is_key() {
            let span = start..self.at();
            self.push(span, Value::NoText(what));
        }
        Ok(())
    }

    /// The names of the members around; the elements of an array are values of its member.
    fn names(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.path.iter().filter_map(|step| match step {
            Step::Object { name } => Some(name.as_str()),
            Step::Array => None,
        })
    }

    fn is_key(&self) -> bool {
        self.ask.keys.is_key_path(&self.names(), false)
    }

    /// The bytes between the quotes, where they spell the text.
    fn inside(&self, span: &Range<usize>, text: &str) -> Option<Range<usize>> {
        let inside = span.start + 1..span.end.checked_sub(1)?;
        (self.text.get(inside.clone()) == Some(text)).then_some(inside)
    }

    fn push(&mut self, span: Range<usize>, value: Value) {
        let position = Position::in_data(self.names().next_back().unwrap_or_default(), span, value);
        self.scan.positions.push(position);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::testing::{positions, scan};

    fn json(text: &str) -> Vec<String> {
        positions(Language::Json, text)
    }

    #[test]
    fn values_of_keys_at_any_depth() {
        assert_eq!(
            json(r#"{"failure_kind": "a", "x": [{"failure_class": "b"}, {"kind": "x"}]}"#),
            ["failure_kind=a", "failure_class=b"]
        );
        assert_eq!(json(r#"{"failure\u005fkind": "a\u0062"}"#), ["failure_kind=ab"]);
        assert_eq!(json(r#"{"failure_kind": ["a", "b"]}"#), ["failure_kind=a", "failure_kind=b"]);
    }

    #[test]
    fn what_is_no_name() {
        assert_eq!(json(r#"{"failure_kind": null}"#), [""; 0]);
        assert_eq!(json(r#"{"failure_kind": {"type": "string"}}"#), [""; 0]);
        assert_eq!(
            json(r#"{"failure_kind": 5, "failure_class": true}"#),
            ["failure_kind=?a number", "failure_class=?a boolean"]
        );
        assert_eq!(json(r#"{"failure_kind": "${kind}"}"#), [""; 0]);
    }

    #[test]
    fn c191_word_lists_are_no_positions() {
        assert_eq!(
            json(r#"["http:get","cuda:0","judge_failed_rate","redis:6379","x:y"]"#),
            [""; 0]
        );
    }

    #[test]
    fn c17_only_the_configured_path_counts() {
        assert_eq!(
            json(
                r#"{"status":"success","samples":[{"messages":[{"role":"tool","error":{"type":"timeout","message":"x"}}]}]}"#
            ),
            [""; 0]
        );
    }

    #[test]
    fn faults_have_a_place() {
        for (text, at) in [("{\"a\": 1,}", 7), ("{} {}", 3), ("", 0), ("{\"a\"", 4), ("[1", 2)] {
            let unparsed = scan(Language::Json, text).unparsed.expect(text);
            assert_eq!(unparsed.at, at, "{text}: {}", unparsed.why);
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(scan(Language::Json, &deep).unparsed.is_none());
    }
}
