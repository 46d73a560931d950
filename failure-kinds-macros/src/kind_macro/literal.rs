//! The value of a string literal, from its source text.

use std::borrow::Cow;

/// Why a literal is no plain or raw string.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoString<'a> {
    /// A string with something behind the closing quote.
    Suffix(&'a str),
    Quoted(Other),
    Number,
}

/// The forms of literals in quotes beside strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    ByteString,
    CString,
    Byte,
    Char,
}

/// The value of a plain or raw string literal, as it stands in the source. `None` where the
/// compiler refuses it, of whatever form it is.
pub(super) fn string(source: &str) -> Result<Option<Cow<'_, str>>, NoString<'_>> {
    let (other, quoted) = match source.as_bytes() {
        [b'"' | b'r', ..] => (None, source),
        [b'b', b'\'', ..] => (Some(Other::Byte), &source[1..]),
        [b'b', ..] => (Some(Other::ByteString), &source[1..]),
        [b'c', ..] => (Some(Other::CString), &source[1..]),
        [b'\'', ..] => (Some(Other::Char), source),
        _ => return Err(NoString::Number),
    };
    let Some((value, suffix)) = read(other, quoted) else { return Ok(None) };
    match other {
        Some(other) => Err(NoString::Quoted(other)),
        None if suffix.is_empty() => Ok(Some(value)),
        None => Err(NoString::Suffix(suffix)),
    }
}

/// The value and the suffix of a literal behind its prefix, if it is right for its form.
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
    // The compiler has made ends of lines of the others.
    (right && !body.contains('\r')).then_some((value, suffix))
}

/// Whether it is one character, and not one that must be escaped.
fn is_one(body: &str, value: &str) -> bool {
    value.chars().count() == 1 && !matches!(body, "\n" | "\t")
}

/// The first quote of this sort that no backslash stands before.
fn closing_quote(body: &str, quote: u8) -> Option<usize> {
    let mut escaped = false;
    body.bytes().position(|byte| {
        let closes = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// The value with what the escapes stand for; of a byte the character of its number.
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
                let (digits, behind) = escape.strip_prefix("u{")?.split_once('}')?;
                let code = digits.replace('_', "");
                if digits.starts_with('_') || code.len() > 6 {
                    return None;
                }
                value.push(char::from_u32(hexadecimal(&code)?)?);
                chars = behind.chars();
            }
            // A line that is continued: the white space at the start of the next one is no part.
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

/// The number of these digits and nothing else: a sign is no digit.
fn hexadecimal(digits: &str) -> Option<u32> {
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| all)
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
            (r#""a"x"#, NoString::Suffix("x")),
            (r#""a\""i32"#, NoString::Suffix("i32")),
            (r##"r#"a"#x"##, NoString::Suffix("x")),
            (r#"b"a""#, NoString::Quoted(Other::ByteString)),
            (r##"br#"a"#"##, NoString::Quoted(Other::ByteString)),
            (r#"c"a""#, NoString::Quoted(Other::CString)),
            (r#"cr"a""#, NoString::Quoted(Other::CString)),
            ("b'a'", NoString::Quoted(Other::Byte)),
            ("'j'", NoString::Quoted(Other::Char)),
            (r"b'\xff'", NoString::Quoted(Other::Byte)),
            (r"b'\''", NoString::Quoted(Other::Byte)),
            (r"'\u{1_F600}'", NoString::Quoted(Other::Char)),
            (
                r#"b"\xff\
                ""#,
                NoString::Quoted(Other::ByteString),
            ),
            (r#"c"\xff\u{e9}\u{1F600}\n""#, NoString::Quoted(Other::CString)),
            ("c\"\u{e9}\"", NoString::Quoted(Other::CString)),
            ("'\"'", NoString::Quoted(Other::Char)),
            ("1", NoString::Number),
            ("0x1fu8", NoString::Number),
        ] {
            assert_eq!(string(source), Err(expected), "{source}");
        }
    }

    #[test]
    fn what_the_compiler_refuses_has_no_value() {
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
        ] {
            assert_eq!(string(source), Ok(None), "{source}");
        }
    }
}
