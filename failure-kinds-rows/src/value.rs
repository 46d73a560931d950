//! One JSON value that is read: its type, and its content if it is a scalar.

use std::borrow::Cow;

use super::validate;

/// The type of a value, in the words of the report and in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JsonType {
    /// `[…]`.
    Array,
    /// `true` or `false`.
    Boolean,
    /// A number with a fraction or an exponent.
    Float,
    /// Any other number.
    Integer,
    /// `{…}`.
    Object,
    /// `"…"`.
    String,
}

impl JsonType {
    /// All types, in their order.
    pub const ALL: [Self; 6] =
        [Self::Array, Self::Boolean, Self::Float, Self::Integer, Self::Object, Self::String];

    /// The name of the type in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Float => "float",
            Self::Integer => "integer",
            Self::Object => "object",
            Self::String => "string",
        }
    }
}

/// The inside of a quoted JSON string, known to be one. Most are compared or not used at all, so
/// it is decoded only on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    inside: &'a [u8],
    /// Whether it is ASCII that stands for itself.
    plain: bool,
}

impl<'a> Text<'a> {
    /// The inside of a quoted string; `None` if it has a control character or an unknown escape.
    pub(crate) fn check(inside: &'a [u8]) -> Option<Self> {
        let plain = is_plain(inside);
        (plain || has_form(inside)).then_some(Self { inside, plain })
    }

    /// A text that stands for itself.
    ///
    /// # Panics
    ///
    /// When it is not ASCII without control characters and backslashes.
    #[must_use]
    pub fn plain(text: &'a str) -> Self {
        Self::check(text.as_bytes()).filter(|text| text.plain).expect("it is plain ASCII")
    }

    /// What it stands for, if it is ASCII written without escapes.
    #[must_use]
    pub fn as_plain(self) -> Option<&'a [u8]> {
        self.plain.then_some(self.inside)
    }

    /// Whether it stands for this text.
    #[must_use]
    pub fn is(self, text: &str) -> bool {
        if self.plain { self.inside == text.as_bytes() } else { self.decode() == text }
    }

    /// What it stands for. Invalid UTF-8 and lone surrogates become U+FFFD.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the text was checked")]
    pub fn decode(self) -> Cow<'a, str> {
        if self.plain || !self.inside.contains(&b'\\') {
            return lossy(self.inside);
        }
        let mut text = String::with_capacity(self.inside.len());
        let mut rest = self.inside;
        while let Some(at) = memchr::memchr(b'\\', rest) {
            text.push_str(&lossy(&rest[..at]));
            let (char, length) = escape(&rest[at..]).expect("it was checked");
            text.push(char);
            rest = &rest[at + length..];
        }
        text.push_str(&lossy(rest));
        Cow::Owned(text)
    }
}

/// A value. The inside of an object or an array is not looked at.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Value<'a> {
    /// `null`, or an absent key.
    #[default]
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number without fraction and exponent; `None` outside the range of an `i64`.
    Integer(Option<i64>),
    /// A number with a fraction or an exponent, even if it is whole.
    Float,
    /// A string.
    String(Text<'a>),
    /// An object, with its text.
    Object(&'a [u8]),
    /// An array.
    Array,
}

impl<'a> Value<'a> {
    /// Reads the text of one value without white space around it; `None` if it is a scalar that is
    /// not JSON.
    #[must_use]
    #[inline]
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        match text {
            [b'"', inside @ .., b'"'] => Text::check(inside).map(Self::String),
            [b'{', ..] => Some(Self::Object(text)),
            [b'[', ..] => Some(Self::Array),
            [b'n', rest @ ..] => (rest == b"ull").then_some(Self::Null),
            [b't', rest @ ..] => (rest == b"rue").then_some(Self::Boolean(true)),
            [b'f', rest @ ..] => (rest == b"alse").then_some(Self::Boolean(false)),
            _ => number(text),
        }
    }

    /// Whether it is null or absent.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The type; `None` for null.
    #[must_use]
    pub const fn json_type(&self) -> Option<JsonType> {
        Some(match self {
            Self::Null => return None,
            Self::Boolean(_) => JsonType::Boolean,
            Self::Integer(_) => JsonType::Integer,
            Self::Float => JsonType::Float,
            Self::String(_) => JsonType::String,
            Self::Object(_) => JsonType::Object,
            Self::Array => JsonType::Array,
        })
    }
}

fn number<'a>(text: &[u8]) -> Option<Value<'a>> {
    if let Some(value) = short_integer(text) {
        return Some(Value::Integer(Some(value)));
    }
    if validate::number(text, 0) != Ok(text.len()) {
        return None;
    }
    if text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return Some(Value::Float);
    }
    // The grammar leaves ASCII digits and a sign.
    Some(Value::Integer(str::from_utf8(text).ok()?.parse().ok()))
}

/// The numbers of nearly all rows: only digits, and few enough to fit.
fn short_integer(text: &[u8]) -> Option<i64> {
    match text {
        [b'0'] => return Some(0),
        [b'1'..=b'9', ..] if text.len() <= 18 => {}
        _ => return None,
    }
    text.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
    })
}

/// Whether it can be decoded.
fn has_form(inside: &[u8]) -> bool {
    let mut rest = inside;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let Some((_, length)) = escape(&rest[at..]) else { return false };
        rest = &rest[at + length..];
    }
    !any(inside, |byte| byte < 0x20)
}

/// Whether all bytes are ASCII that stands for itself. Blocks of a fixed length become vector
/// instructions on every processor; the last block of a text overlaps the one before it.
fn is_plain(inside: &[u8]) -> bool {
    let has_special =
        |bytes: &[u8]| any(bytes, |byte| byte < 0x20 || byte == b'\\' || !byte.is_ascii());
    if let Some(last) = inside.last_chunk::<16>() {
        let mut blocks = inside.as_chunks::<16>().0.iter();
        return !blocks.any(|block| has_special(block)) && !has_special(last);
    }
    if let (Some(first), Some(last)) = (inside.first_chunk::<8>(), inside.last_chunk::<8>()) {
        return !has_special(first) && !has_special(last);
    }
    !has_special(inside)
}

/// Whether there is such a byte. It does not stop at the first one, so that the bytes can be looked
/// at together.
#[inline]
fn any(bytes: &[u8], is_it: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(false, |any, byte| any | is_it(*byte))
}

/// Text that holds no escape.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    // Nearly all text is valid, and this is faster for it.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The character of an escape, and how many bytes it takes.
fn escape(text: &[u8]) -> Option<(char, usize)> {
    let char = match text.get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = code_unit(text.get(2..6)?)?;
            let low = text
                .get(6..8)
                .filter(|next| next == b"\\u")
                .and_then(|_| code_unit(text.get(8..12)?));
            let mut pair = char::decode_utf16([unit].into_iter().chain(low));
            return match pair.next()? {
                Ok(char) => Some((char, 6 * char.len_utf16())),
                Err(_) => Some((char::REPLACEMENT_CHARACTER, 6)),
            };
        }
        _ => return None,
    };
    Some((char, 2))
}

fn code_unit(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0, |unit, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Option<Value<'_>> {
        Value::parse(text.as_bytes())
    }

    #[test]
    fn scalars() {
        assert_eq!(parse("null"), Some(Value::Null));
        assert_eq!(parse("503"), Some(Value::Integer(Some(503))));
        assert_eq!(parse("-0"), Some(Value::Integer(Some(0))));
        assert_eq!(parse("0"), Some(Value::Integer(Some(0))));
        assert_eq!(
            parse("999999999999999999"),
            Some(Value::Integer(Some(999_999_999_999_999_999)))
        );
        assert_eq!(parse("9223372036854775807"), Some(Value::Integer(Some(i64::MAX))));
        assert_eq!(parse("9223372036854775808"), Some(Value::Integer(None)));
        for float in ["503.0", "5.03e2", "5e2", "0.0", "-1E+9"] {
            assert_eq!(parse(float), Some(Value::Float), "{float}");
        }
        for bad in ["", "0503", "1.", "1e", "--1", "-", "NaN", "nul", "tru e", "1 2", "+1", "\"a"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn broken_text_is_replaced() {
        let text = |inside: &[u8]| Text::check(inside).unwrap().decode().into_owned();
        assert_eq!(text(b"a\xffb\xe2\x82"), "a\u{fffd}b\u{fffd}");
        assert_eq!(text(br"\ud83d"), "\u{fffd}");
        assert_eq!(text(br"\udc00\ud83dx"), "\u{fffd}\u{fffd}x");
        assert_eq!(text(br"\ud83d\ud83d\ude00"), "\u{fffd}\u{1f600}");
        assert_eq!(text(br"\ud83d\ude00!"), "\u{1f600}!");
        assert_eq!(text(b"\\n\xff\\n"), "\n\u{fffd}\n");
    }

    #[test]
    fn what_is_not_a_string() {
        for inside in [&br"\x"[..], br"\u12", br"\u12g4", br"\", b"a\nb", b"\0", b"\\n\n"] {
            assert_eq!(Text::check(inside), None);
        }
    }

    proptest! {
        #[test]
        fn strings_agree_with_serde_json(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            let Some(Value::String(decoded)) = parse(&json) else { panic!("{json}") };
            prop_assert_eq!(decoded.decode(), text);
        }

        #[test]
        fn the_check_accepts_what_serde_json_skips(
            inside in prop::collection::vec(prop::sample::select(b"\\\\ud83n/x0\n\xff\xc3\xa9".to_vec()), 0..16),
        ) {
            let quoted = [b"\"", &inside[..], b"\""].concat();
            let passed_over = serde_json::from_slice::<serde::de::IgnoredAny>(&quoted).is_ok();
            let checked = Text::check(&inside);
            prop_assert_eq!(checked.is_some(), passed_over);
            // And whatever passes can be decoded.
            checked.map(Text::decode);
        }

        #[test]
        fn numbers_agree_with_serde_json(text in "-?[0-9]{0,20}(\\.[0-9]{0,3})?([eE][-+]?[0-9]{0,2})?") {
            let serde = serde_json::from_str::<serde_json::Value>(&text);
            match parse(&text) {
                Some(Value::Integer(Some(value))) if value != 0 => prop_assert_eq!(serde.unwrap().as_i64(), Some(value)),
                // serde_json reads `-0` as a float, and refuses floats beyond its range.
                Some(Value::Integer(_) | Value::Float) => {}
                _ => prop_assert!(serde.is_err()),
            }
        }
    }
}
