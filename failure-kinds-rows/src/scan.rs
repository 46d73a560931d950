//! The top level of one JSON object, without a tree and without recursion.
//!
//! This is the plain reading of a line: the reference that a faster one is held against. It says
//! what a line is in both modes:
//!
//! * plain: braces, quotes, colons and commas of the top level must be in place. Inside a value
//!   only strings and the depth of brackets are followed, so a fault in there may pass.
//! * strict: every byte is checked against RFC 8259 and UTF-8.

use std::fmt::{self, Display, Formatter};

use super::validate;
use super::value::Text;

/// How closely a line is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The top level and the values that are read.
    Read,
    /// Every byte.
    Every,
}

/// Why a line is not a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The line does not start with `{`.
    NotAnObject,
    /// Something else was expected at this byte, counted from 1.
    Expected {
        /// What should stand there.
        what: &'static str,
        /// Where.
        byte: usize,
    },
    /// The value of a key that is read is no JSON.
    Value {
        /// The key.
        key: &'static str,
    },
    /// The line passes the limit of its length.
    TooLong,
}

impl Malformed {
    /// Something else stands behind so many bytes.
    pub(super) const fn expected(what: &'static str, at: usize) -> Self {
        Self::Expected { what, byte: at + 1 }
    }

    /// A string or a container of the text does not end.
    pub(super) const fn cut(text: &[u8]) -> Self {
        Self::expected("the rest of the line", text.len())
    }
}

impl Display for Malformed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("not a JSON object"),
            Self::Expected { what, byte } => write!(f, "byte {byte}: expected {what}"),
            Self::Value { key } => write!(f, "the value of `{key}` is not valid JSON"),
            Self::TooLong => f.write_str("longer than 256 MiB"),
        }
    }
}

/// The raw text of the values of `keys` in the object that `text` holds; of a key that is given
/// twice, the last value. White space around the object is allowed, anything else is not.
pub fn scan_object<'a, const N: usize>(
    text: &'a [u8],
    keys: &[&'static str; N],
    check: Check,
) -> Result<[Option<&'a [u8]>; N], Malformed> {
    let mut values = [None; N];
    scan_members(text, check, |key, value| {
        if let Some(index) = keys.iter().position(|name| is_key(key, name)) {
            values[index] = Some(value);
        }
    })?;
    Ok(values)
}

/// Gives out the members of the object that `text` holds: the inside of the quoted key, and the
/// raw text of the value.
pub fn scan_members<'a>(
    text: &'a [u8],
    check: Check,
    mut member: impl FnMut(&'a [u8], &'a [u8]),
) -> Result<(), Malformed> {
    let mut scanner = Scanner { text, at: 0, check };
    if check == Check::Every
        && let Err(error) = std::str::from_utf8(text)
    {
        scanner.at = error.valid_up_to();
        return Err(scanner.expected("UTF-8"));
    }
    if !scanner.take(b'{') {
        return Err(Malformed::NotAnObject);
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
) -> Result<(), Malformed> {
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
pub fn is_key(key: &[u8], name: &str) -> bool {
    key == name.as_bytes()
        || (key.contains(&b'\\') && Text::check(key).is_some_and(|key| key.decode() == name))
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    check: Check,
}

impl<'a> Scanner<'a> {
    fn expected(&self, what: &'static str) -> Malformed {
        Malformed::expected(what, self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Takes this byte if it comes next behind white space.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The inside of a string.
    fn string(&mut self, what: &'static str) -> Result<&'a [u8], Malformed> {
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

    fn cut(&self) -> Malformed {
        Malformed::cut(self.text)
    }

    /// The text of a value.
    fn value(&mut self) -> Result<&'a [u8], Malformed> {
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
            // A fault that passes, outside of a string: the quote behind it starts none, as in the
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

/// How far a number or a word goes: to the next byte of structure, white space before it left out.
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

    fn scan(text: &str) -> Result<[Option<&str>; 2], Malformed> {
        let texts = |values: [Option<&'_ [u8]>; 2]| {
            values.map(|value| {
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
        let elements = |text: &str| {
            let mut elements = Vec::new();
            scan_elements(text.as_bytes(), Check::Read, |element| {
                elements.push(element.escape_ascii().to_string());
            })
            .map(|()| elements)
        };
        assert_eq!(elements("[ 1 , {\"a\":[]},[2] ]").unwrap(), ["1", "{\\\"a\\\":[]}", "[2]"]);
        assert_eq!(elements("[]").unwrap(), [""; 0]);
        for text in ["", "1", "[", "[1", "[1,]", "[,1]", "[1]]", "[{]"] {
            assert!(elements(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_last_of_two_counts() {
        assert_eq!(scan(r#"{"a":1,"a":2}"#), Ok([Some("2"), None]));
    }

    #[test]
    fn a_key_spelled_with_escapes_is_that_key() {
        assert_eq!(scan(r#"{"\u0061":1,"\u0062\u0000":2}"#), Ok([Some("1"), None]));
    }

    #[test]
    fn what_is_no_object() {
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
    fn depth_has_no_limit() {
        for depth in [200, 100_000] {
            let text = format!("{{\"b\":{}{},\"a\":1}}", "[".repeat(depth), "]".repeat(depth));
            for check in [Check::Read, Check::Every] {
                let values = scan_object(text.as_bytes(), &["a"], check);
                assert_eq!(values, Ok([Some(&b"1"[..])]), "{depth}, {check:?}");
            }
        }
    }
}
