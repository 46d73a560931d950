//! The value of a string literal, from its source text.

use std::borrow::Cow;

/// Why a literal is not a plain or raw string.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NotString<'a> {
    /// A string with something after the closing quote.
    Suffix(&'a str),
    Quoted(Other),
    Number,
}

/// The other literals in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    ByteString,
    CString,
    Byte,
    Char,
}

/// The value of a plain or raw string literal, from its source. `None` if the compiler rejects the
/// literal, whatever its form.
pub(super) fn string(source: &str) -> Result<Option<Cow<'_, str>>, NotString<'_>> {
    let (other, quoted) = match source.as_bytes() {
        [b'"' | b'r', ..] => (None, source),
        [b'b', b'\'', ..] => (Some(Other::Byte), &source[1..]),
        [b'b', ..] => (Some(Other::ByteString), &source[1..]),
        [b'c', ..] => (Some(Other::CString), &source[1..]),
        [b'\'', ..] => (Some(Other::Char), source),
        _ => return if is_number(source) { Err(NotString::Number) } else { Ok(None) },
    };
    let Some((value, suffix)) = read(other, quoted) else { return Ok(None) };
    match other {
        Some(other) => Err(NotString::Quoted(other)),
        None if suffix.is_empty() => Ok(Some(value)),
        None => Err(NotString::Suffix(suffix)),
    }
}

/// The value and the suffix of a literal after its prefix, if it is valid for its form.
fn read(form: Option<Other>, quoted: &str) -> Option<(Cow<'_, str>, &str)> {
    let (body, value, suffix);
    if let Some(raw) = quoted.strip_prefix('r') {
        let opened = raw.trim_start_matches('#');
        let close = format!("\"{}", &raw[..raw.len() - opened.len()]);
        (body, suffix) = opened.strip_prefix('"')?.split_once(&close)?;
        value = Cow::Borrowed(body);
    } else {
        let (quote, opened) = quoted.split_at_checked(1)?;
        let end = closing_quote(opened, quote.as_bytes()[0])?;
        (body, suffix) = (&opened[..end], &opened[end + 1..]);
        value = unescape(form, body)?;
    }
    let right = match form {
        None => true,
        Some(Other::CString) => !value.contains('\0'),
        Some(Other::ByteString) => body.is_ascii(),
        Some(Other::Byte) => body.is_ascii() && is_one(body, &value),
        Some(Other::Char) => is_one(body, &value),
    };
    // The compiler has normalized the line endings of the others.
    (right && !body.contains('\r')).then_some((value, suffix))
}

/// Whether it is one character, and not one that must be escaped.
fn is_one(body: &str, value: &str) -> bool {
    value.chars().count() == 1 && !matches!(body, "\n" | "\t")
}

/// The first quote of this sort without a backslash before it.
fn closing_quote(body: &str, quote: u8) -> Option<usize> {
    let mut escaped = false;
    body.bytes().position(|byte| {
        let closes = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// The value with its escapes resolved; a byte becomes the character of its number.
fn unescape(form: Option<Other>, body: &str) -> Option<Cow<'_, str>> {
    if !body.contains('\\') {
        return Some(Cow::Borrowed(body));
    }
    let max_hexadecimal = if matches!(form, None | Some(Other::Char)) { 0x7f } else { 0xff };
    let mut value = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((plain, escape)) = rest.split_once('\\') {
        value.push_str(plain);
        let mut chars = escape.chars();
        match chars.next()? {
            'n' => value.push('\n'),
            'r' => value.push('\r'),
            't' => value.push('\t'),
            '0' => value.push('\0'),
            char @ ('\\' | '\'' | '"') => value.push(char),
            'x' => {
                let code =
                    hexadecimal(escape.get(1..3)?).filter(|&code| code <= max_hexadecimal)?;
                value.push(char::from_u32(code)?);
                chars = escape[3..].chars();
            }
            'u' if !matches!(form, Some(Other::Byte | Other::ByteString)) => {
                let (digits, after) = escape.strip_prefix("u{")?.split_once('}')?;
                let code = digits.replace('_', "");
                if digits.starts_with('_') || code.len() > 6 {
                    return None;
                }
                value.push(char::from_u32(hexadecimal(&code)?)?);
                chars = after.chars();
            }
            // A continued line: the white space at the start of the next one is not part of it.
            '\n' if !matches!(form, Some(Other::Byte | Other::Char)) => {
                chars = chars.as_str().trim_start_matches([' ', '\t', '\n', '\r']).chars();
            }
            _ => return None,
        }
        rest = chars.as_str();
    }
    value.push_str(rest);
    Some(Cow::Owned(value))
}

/// The number of these digits and nothing else: a sign is not a digit.
fn hexadecimal(digits: &str) -> Option<u32> {
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| all)
}

/// Whether the compiler accepts a literal that starts with a digit.
fn is_number(source: &str) -> bool {
    let (radix, rest) = match source.get(..2) {
        Some("0x") => (16, &source[2..]),
        Some("0o") => (8, &source[2..]),
        Some("0b") => (2, &source[2..]),
        _ => (10, source),
    };
    let digits = |text: &str| text.bytes().take_while(|&byte| is_digit(byte, radix)).count();
    let (number, after) = rest.split_at(digits(rest));
    let any = |number: &str| number.bytes().any(|byte| byte != b'_');
    if !any(number) {
        return false;
    }
    if radix != 10 {
        return is_suffix(after, &INTEGERS);
    }
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => (true, &after[digits(after)..]),
        None => (false, after),
    };
    match after.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let (exponent, suffix) = exponent.split_at(digits(exponent));
            any(exponent) && is_suffix(suffix, &FLOATS)
        }
        None => is_suffix(after, &FLOATS) || !fraction && is_suffix(after, &INTEGERS),
    }
}

const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
const FLOATS: [&str; 2] = ["f32", "f64"];

fn is_digit(byte: u8, radix: u32) -> bool {
    byte == b'_' || char::from(byte).is_digit(radix)
}

fn is_suffix(text: &str, suffixes: &[&str]) -> bool {
    text.is_empty() || suffixes.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_raw_strings_have_their_value() {
        for (source, value) in [
            (r#""judge_failed""#, "judge_failed"),
            (r#""""#, ""),
            (r#"r"judge_failed""#, "judge_failed"),
            (r###"r##"a"#b"##"###, "a\"#b"),
            (r#"r"a\n""#, "a\\n"),
            (r#""a\"b\\""#, "a\"b\\"),
            (r#""\n\r\t\0\'""#, "\n\r\t\0'"),
            (r#""judge\x5ffailed""#, "judge_failed"),
            (r#""judge\u{5f}f\u{0_0_0430}iled""#, "judge_f\u{430}iled"),
            ("\"judge_\\\n     \t failed\"", "judge_failed"),
            ("\"judge\nfailed\"", "judge\nfailed"),
            ("\"\u{430}\\n\u{430}\"", "\u{430}\n\u{430}"),
        ] {
            assert_eq!(string(source), Ok(Some(value.into())), "{source}");
        }
    }

    #[test]
    fn what_is_not_a_string_is_named() {
        for (source, expected) in [
            (r#""a"x"#, NotString::Suffix("x")),
            (r#""a\""i32"#, NotString::Suffix("i32")),
            (r##"r#"a"#x"##, NotString::Suffix("x")),
            (r#"b"a""#, NotString::Quoted(Other::ByteString)),
            (r##"br#"a"#"##, NotString::Quoted(Other::ByteString)),
            (r#"c"a""#, NotString::Quoted(Other::CString)),
            (r#"cr"a""#, NotString::Quoted(Other::CString)),
            ("b'a'", NotString::Quoted(Other::Byte)),
            ("'j'", NotString::Quoted(Other::Char)),
            (r"b'\xff'", NotString::Quoted(Other::Byte)),
            (r"b'\''", NotString::Quoted(Other::Byte)),
            (r"'\u{1_F600}'", NotString::Quoted(Other::Char)),
            (
                r#"b"\xff\
                ""#,
                NotString::Quoted(Other::ByteString),
            ),
            (r#"c"\xff\u{e9}\u{1F600}\n""#, NotString::Quoted(Other::CString)),
            ("c\"\u{e9}\"", NotString::Quoted(Other::CString)),
            ("'\"'", NotString::Quoted(Other::Char)),
            ("1", NotString::Number),
            ("0x1fu8", NotString::Number),
            ("0b1_0", NotString::Number),
            ("0o17i64", NotString::Number),
            ("1_000", NotString::Number),
            ("1.", NotString::Number),
            ("1.5f32", NotString::Number),
            ("1e3", NotString::Number),
            ("2.5E-1_0f64", NotString::Number),
            ("1f64", NotString::Number),
        ] {
            assert_eq!(string(source), Err(expected), "{source}");
        }
    }

    #[test]
    fn what_the_compiler_rejects_has_no_value() {
        for source in [
            "\"",
            "\"a",
            "\"\\\"",
            "\"\\",
            "r",
            "r#",
            "r#\"",
            "r\"",
            r#""\x""#,
            r#""\x5""#,
            r#""\xg0""#,
            "\"\\x5\u{430}\"",
            r#""\u""#,
            r#""\u{""#,
            r#""\u{}""#,
            r#""\u{d800}""#,
            r#""\u{110000}""#,
            r#""\u{fffffffff}""#,
            r#""\u{0000041}""#,
            r#""\u{_41}""#,
            r#""\u{+41}""#,
            r#""\x+5""#,
            r#""\x80""#,
            "\"a\rb\"",
            "r\"a\rb\"",
            "b'judge'",
            "b''",
            "b'\u{e9}'",
            r"b'\u{41}'",
            r"b'\q'",
            "b'",
            "'judge'",
            "''",
            "'\t'",
            "'",
            r"'\x80'",
            "'\\\n'",
            "b\"\u{e9}\"",
            "br\"\u{e9}\"",
            r#"b"\u{41}""#,
            r#"c"\0""#,
            r#"c"\x00""#,
            "cr\"\0\"",
            "b",
            "c",
            r#""\q""#,
            "0x",
            "0b",
            "0o_",
            "0b2",
            "0o8",
            "0xfg",
            "1e",
            "1e+",
            "1e_",
            "1u7",
            "1.5u8",
            "0x1.5",
            "1abc",
        ] {
            assert_eq!(string(source), Ok(None), "{source}");
        }
    }
}
