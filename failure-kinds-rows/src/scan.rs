//! The top level of one JSON object, without a tree and without recursion.
//!
//! This is the plain scanner, the reference that the fast one is compared with. It defines what a
//! line is in both modes:
//!
//! * [`Check::Read`]: braces, quotes, colons and commas of the top level must be in place. Inside a
//!   value only strings and the depth of brackets are followed, so an error in there may pass.
//! * [`Check::Every`]: every byte is checked against RFC 8259 and UTF-8.

use std::fmt::{self, Display, Formatter};

use super::validate;
use super::value::Text;
use crate::RawRow;

/// How closely a line is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The top level and the values that are read.
    Read,
    /// Every byte.
    Every,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not start with `{`.
    NotAnObject,
    /// Something else was expected here.
    Expected(&'static str),
    /// The value of this key is not JSON.
    Value(&'static str),
}

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("not a JSON object"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::Value(key) => write!(f, "the value of `{key}` is not valid JSON"),
        }
    }
}

/// An error in a line or in a part of one.
///
/// It points into the text, so it can be located in the whole line, however deep the part is that
/// was scanned: see [`in_line`](Self::in_line).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError<'a> {
    /// What is wrong.
    pub reason: Reason,
    /// The text from the error on; empty where the text ends too early.
    pub at: &'a [u8],
}

impl<'a> SyntaxError<'a> {
    /// The raw value of a key is not JSON.
    #[must_use]
    pub const fn value(key: &'static str, raw: &'a [u8]) -> Self {
        Self { reason: Reason::Value(key), at: raw }
    }

    /// Something else was expected after the first `at` bytes of the text.
    pub(crate) fn expected(what: &'static str, text: &'a [u8], at: usize) -> Self {
        Self { reason: Reason::Expected(what), at: &text[at..] }
    }

    /// A string or a container of the text does not end.
    pub(crate) fn cut(text: &'a [u8]) -> Self {
        Self::expected("the rest of the line", text, text.len())
    }

    /// The same error, located in the line that holds the text.
    #[must_use]
    pub fn in_line(&self, line: &[u8]) -> Malformed {
        let offset = self.at.as_ptr().addr().saturating_sub(line.as_ptr().addr());
        Malformed::Syntax { reason: self.reason, byte: offset.min(line.len()) + 1 }
    }
}

impl Display for SyntaxError<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for SyntaxError<'_> {}

/// Why a line is not a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It is not the object that it should be.
    Syntax {
        /// What is wrong.
        reason: Reason,
        /// Where, counted in the line from 1.
        byte: usize,
    },
    /// It is longer than [`LONGEST_LINE`](crate::LONGEST_LINE).
    TooLong,
}

impl Display for Malformed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { reason, byte } => write!(f, "byte {byte}: {reason}"),
            Self::TooLong => f.write_str("longer than 256 MiB"),
        }
    }
}

/// Returns the raw text of the values of `keys` in the object that `text` holds. Of duplicate keys
/// the last one counts.
///
/// # Errors
///
/// When the text is not one object, or holds more than white space around it.
pub fn scan_object<'a, const N: usize>(
    text: &'a [u8],
    keys: &[&'static str; N],
    check: Check,
) -> Result<RawRow<'a, N>, SyntaxError<'a>> {
    let mut row = RawRow::default();
    scan_row(text, keys, check, &mut row)?;
    Ok(row)
}

/// Puts them into a `row` that is still empty.
pub(crate) fn scan_row<'a, const N: usize>(
    text: &'a [u8],
    keys: &[&'static str; N],
    check: Check,
    row: &mut RawRow<'a, N>,
) -> Result<(), SyntaxError<'a>> {
    scan_members(text, check, |key, value| {
        if let Some(index) = keys.iter().position(|name| is_key(key, name)) {
            row.set(index, value);
        }
    })
}

/// Visits the members of the object that `text` holds: the inside of the quoted key, and the raw
/// text of the value.
///
/// # Errors
///
/// When the text is not one object, or holds more than white space around it.
pub fn scan_members<'a>(
    text: &'a [u8],
    check: Check,
    member: impl FnMut(&'a [u8], &'a [u8]),
) -> Result<(), SyntaxError<'a>> {
    if check == Check::Every
        && let Err(error) = str::from_utf8(text)
    {
        return Err(SyntaxError::expected("UTF-8", text, error.valid_up_to()));
    }
    members(text, check, member)
}

/// Whether more text could make this line an object: it is the start of one, and nothing else.
pub(crate) fn is_start_of_object(line: &[u8], check: Check) -> bool {
    // The text may end in the middle of a character.
    let is_utf8 = || str::from_utf8(line).err().is_none_or(|error| error.error_len().is_none());
    let scanned = members(line, Check::Every, |_, _| {});
    matches!(scanned, Err(SyntaxError { reason: Reason::Expected(_), at: [] }))
        && (check == Check::Read || is_utf8())
}

/// Visits the members without a check of UTF-8.
fn members<'a>(
    text: &'a [u8],
    check: Check,
    mut member: impl FnMut(&'a [u8], &'a [u8]),
) -> Result<(), SyntaxError<'a>> {
    let mut scanner = Scanner { text, at: 0, check };
    if !scanner.take(b'{') {
        return Err(SyntaxError { reason: Reason::NotAnObject, at: &text[scanner.at..] });
    }
    let mut closed = scanner.take(b'}');
    while !closed {
        let key = scanner.string("a key")?;
        if !scanner.take(b':') {
            return Err(scanner.expected("`:`"));
        }
        member(key, scanner.value()?);
        closed = scanner.take(b'}');
        if !closed && !scanner.take(b',') {
            return Err(scanner.expected("`,` or `}`"));
        }
    }
    scanner.skip_space();
    if scanner.at == text.len() { Ok(()) } else { Err(scanner.expected("the end of the line")) }
}

/// Visits the elements of the array that `text` holds: the raw text of each.
///
/// # Errors
///
/// When the text is not one array with commas in place, or not a value in it.
pub fn scan_elements<'a>(
    text: &'a [u8],
    check: Check,
    mut element: impl FnMut(&'a [u8]),
) -> Result<(), SyntaxError<'a>> {
    let mut scanner = Scanner { text, at: 0, check };
    if !scanner.take(b'[') {
        return Err(scanner.expected("an array"));
    }
    let mut closed = scanner.take(b']');
    while !closed {
        element(scanner.value()?);
        closed = scanner.take(b']');
        if !closed && !scanner.take(b',') {
            return Err(scanner.expected("`,` or `]`"));
        }
    }
    scanner.skip_space();
    if scanner.at == text.len() { Ok(()) } else { Err(scanner.expected("the end of the array")) }
}

/// Whether the inside of a quoted key spells `name`, perhaps with escapes.
#[must_use]
pub fn is_key(key: &[u8], name: &str) -> bool {
    // Bytes that are not UTF-8 stand for U+FFFD.
    let may_differ = || key.contains(&b'\\') || !name.is_ascii();
    key == name.as_bytes() || (may_differ() && Text::check(key).is_some_and(|key| key.is(name)))
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    check: Check,
}

impl<'a> Scanner<'a> {
    fn expected(&self, what: &'static str) -> SyntaxError<'a> {
        SyntaxError::expected(what, self.text, self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Takes this byte if it comes next, after white space.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The inside of a string.
    fn string(&mut self, what: &'static str) -> Result<&'a [u8], SyntaxError<'a>> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.expected(what));
        }
        let start = self.at + 1;
        self.at = match self.check {
            Check::Read => skip_string(self.text, self.at).ok_or_else(|| self.cut())?,
            Check::Every => validate::string(self.text, self.at)?,
        };
        Ok(&self.text[start..self.at - 1])
    }

    fn cut(&self) -> SyntaxError<'a> {
        SyntaxError::cut(self.text)
    }

    /// The text of a value.
    fn value(&mut self) -> Result<&'a [u8], SyntaxError<'a>> {
        self.skip_space();
        let start = self.at;
        self.at = match (self.check, self.peek()) {
            (Check::Every, _) => validate::value(self.text, self.at)?,
            (_, Some(b'"')) => skip_string(self.text, self.at).ok_or_else(|| self.cut())?,
            (_, Some(b'{' | b'[')) => {
                skip_container(self.text, self.at).ok_or_else(|| self.cut())?
            }
            _ => self.at + scalar_len(&self.text[self.at..]),
        };
        if self.at == start {
            return Err(self.expected("a value"));
        }
        Ok(&self.text[start..self.at])
    }
}

/// The end of the string that starts at the quote `at`.
fn skip_string(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The end of the object or array that starts at the bracket `at`.
fn skip_container(text: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        match text.get(at)? {
            b'"' => {
                at = skip_string(text, at)?;
                continue;
            }
            // An error that passes, outside of a string: the quote after it starts none, as in the
            // fast scanner, which looks for escaped quotes before it looks for strings.
            b'\\' if matches!(text.get(at + 1), Some(b'"' | b'\\')) => at += 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// How long a number or a word is: up to the next byte of structure, without white space before it.
pub(super) fn scalar_len(text: &[u8]) -> usize {
    const STRUCTURE: [bool; 256] = {
        let mut table = [false; 256];
        let bytes = b"\"{}[]:,";
        let mut index = 0;
        while index < bytes.len() {
            table[bytes[index] as usize] = true;
            index += 1;
        }
        table
    };
    let end = text.iter().position(|byte| STRUCTURE[usize::from(*byte)]).unwrap_or(text.len());
    text[..end].trim_ascii_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Result<[Option<&str>; 2], SyntaxError<'_>> {
        let texts = |row: RawRow<'_, 2>| {
            row.values().map(|value| {
                value.map(|value| str::from_utf8(&text.as_bytes()[offset(text, value)]).unwrap())
            })
        };
        scan_object(text.as_bytes(), &["a", "b"], Check::Read).map(texts)
    }

    fn offset(text: &str, part: &[u8]) -> std::ops::Range<usize> {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        start..start + part.len()
    }

    #[test]
    fn values_of_the_top_level() {
        assert_eq!(scan(r#"{"a":1,"b":"x"}"#), Ok([Some("1"), Some(r#""x""#)]));
        assert_eq!(
            scan(r#" { "c" : {"a":9} , "b" : [1,{"a":"]}"}] } "#),
            Ok([None, Some(r#"[1,{"a":"]}"}]"#)])
        );
        assert_eq!(scan(r#"{"x":"\"a\":1,","a":"\\"}"#), Ok([Some(r#""\\""#), None]));
        assert_eq!(scan("{}"), Ok([None, None]));
    }

    #[test]
    fn elements_of_an_array() {
        fn elements(text: &str) -> Result<Vec<&[u8]>, SyntaxError<'_>> {
            let mut elements = Vec::new();
            scan_elements(text.as_bytes(), Check::Read, |element| elements.push(element))?;
            Ok(elements)
        }
        assert_eq!(elements("[ 1 , {\"a\":[]},[2] ]").unwrap(), [&b"1"[..], b"{\"a\":[]}", b"[2]"]);
        assert!(elements("[]").unwrap().is_empty());
        for text in ["", "1", "[", "[1", "[1,]", "[,1]", "[1]]", "[{]"] {
            assert!(elements(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_last_of_duplicate_keys_counts() {
        assert_eq!(scan(r#"{"a":1,"a":2}"#), Ok([Some("2"), None]));
    }

    #[test]
    fn a_key_spelled_with_escapes_is_that_key() {
        assert_eq!(scan(r#"{"\u0061":1,"\u0062\u0000":2}"#), Ok([Some("1"), None]));
    }

    #[test]
    fn what_is_not_an_object() {
        for text in ["", "[1]", "1", "\"a\"", "null", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "x"] {
            assert!(scan(text).is_err(), "{text}");
        }
        for text in ["{,}", "{\"a\":1,}", "{\"a\":}", "{\"a\" 1}", "{a:1}", "{\"a\":1 \"b\":2}"] {
            assert!(scan(text).is_err(), "{text}");
        }
        for text in ["{} {}", "{}x", "{\"a\":1}}", "{\"a\":[1}", "{\"a\":\"x}", "{\"a\":\"x\\\"}"] {
            assert!(scan(text).is_err(), "{text}");
        }
    }

    #[test]
    fn c257_an_error_in_a_part_is_located_in_the_line() {
        let line = br#"{"_ng_failure_record":{"failure" 1}}"#;
        let [record] = scan_object(line, &["_ng_failure_record"], Check::Read).unwrap().values();
        let error = scan_object(record.unwrap(), &["failure"], Check::Read).unwrap_err();
        assert_eq!(error.at, b"1}");
        assert_eq!(error.in_line(line).to_string(), "byte 34: expected `:`");
        let error = SyntaxError::value("failure", &line[2..5]);
        let located = error.in_line(line).to_string();
        assert_eq!(located, "byte 3: the value of `failure` is not valid JSON");
    }

    #[test]
    fn the_start_of_an_object_is_any_proper_prefix_of_one() {
        let is_start = |text: &[u8]| is_start_of_object(text, Check::Every);
        let object = r#" {"a":[1,-0.5e+3,true,false,null,"\u00e9\né"], "b" : {"c":{}}}"#.as_bytes();
        for end in 2..object.len() {
            assert!(is_start(&object[..end]), "{}", object[..end].escape_ascii());
        }
        assert!(is_start(b"{\"a\":1, \t"));
        for text in [
            "",
            " ",
            "{}",
            "A",
            "nul",
            "[",
            "{}{",
            "{} {}",
            "{},{",
            "{\"a\":1}\r{\"a\":1}",
            "{a",
            "{\"a\" 1",
            "{\"a\":trx",
            "{\"a\":[}",
            "{\"a\":1 2",
            "{\"a\":01",
            "{\"a\":\"\\x",
            "{\"a\":\"\\u12g",
            "{\"a\":NaN",
            "{\"a\":\"\u{1}",
            "{,",
        ] {
            assert!(!is_start(text.as_bytes()), "{text}");
        }
        // Invalid UTF-8 before the end is an error only where every byte is checked.
        assert!(is_start(b"{\"a\":\"\xe2\x82"));
        assert!(!is_start(b"{\"a\":\"\xff\""));
        assert!(is_start_of_object(b"{\"a\":\"\xff\"", Check::Read));
    }

    #[test]
    fn depth_has_no_limit() {
        for depth in [200, 100_000] {
            let text = format!("{{\"b\":{}{},\"a\":1}}", "[".repeat(depth), "]".repeat(depth));
            for check in [Check::Read, Check::Every] {
                let row = scan_object(text.as_bytes(), &["a"], check).unwrap();
                assert_eq!(row.values(), [Some(&b"1"[..])], "{depth}, {check:?}");
            }
        }
    }
}
