//! The value of a string literal, from its source text.

use std::borrow::Cow;

/// Why a literal is no plain or raw string.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoString<'a> {
    /// A string with something behind the closing quote.
    Suffix(&'a str),
    ByteString,
    CString,
    Byte,
    Char,
    Number,
    /// A string with an escape that is none; the compiler's lexer says so too.
    Malformed,
}

/// The value of a plain or raw string literal, as it stands in the source.
pub(super) fn string(source: &str) -> Result<Cow<'_, str>, NoString<'_>> {
    if let Some(body) = source.strip_prefix('"') {
        let end = closing_quote(body).ok_or(NoString::Malformed)?;
        no_suffix(&body[end + 1..])?;
        return unescape(&body[..end]).ok_or(NoString::Malformed);
    }
    if let Some(rest) = source.strip_prefix('r') {
        let body = rest.trim_start_matches('#');
        let close = format!("\"{}", &rest[..rest.len() - body.len()]);
        let body = body.strip_prefix('"').ok_or(NoString::Malformed)?;
        let (value, suffix) = body.split_once(&close).ok_or(NoString::Malformed)?;
        no_suffix(suffix)?;
        return Ok(Cow::Borrowed(value));
    }
    Err(match source.as_bytes() {
        [b'b', b'\'', ..] => NoString::Byte,
        [b'b', ..] => NoString::ByteString,
        [b'c', ..] => NoString::CString,
        [b'\'', ..] => NoString::Char,
        [b'0'..=b'9', ..] => NoString::Number,
        _ => NoString::Malformed,
    })
}

fn no_suffix(suffix: &str) -> Result<(), NoString<'_>> {
    if suffix.is_empty() { Ok(()) } else { Err(NoString::Suffix(suffix)) }
}

/// The first quote that no backslash stands before.
fn closing_quote(body: &str) -> Option<usize> {
    let mut escaped = false;
    body.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

fn unescape(body: &str) -> Option<Cow<'_, str>> {
    if !body.contains('\\') {
        return Some(Cow::Borrowed(body));
    }
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
                let digits = escape.get(1..3)?;
                value.push(char::from(u8::from_str_radix(digits, 16).ok()?));
                chars = escape[3..].chars();
            }
            'u' => {
                let (digits, behind) = escape.strip_prefix("u{")?.split_once('}')?;
                let code = u32::from_str_radix(&digits.replace('_', ""), 16).ok()?;
                value.push(char::from_u32(code)?);
                chars = behind.chars();
            }
            // A line that is continued: the white space at the start of the next one is no part.
            '\n' => chars = chars.as_str().trim_start_matches([' ', '\t', '\n', '\r']).chars(),
            _ => return None,
        }
        rest = chars.as_str();
    }
    value.push_str(rest);
    Some(Cow::Owned(value))
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
            assert_eq!(string(source).as_deref(), Ok(value), "{source}");
        }
    }

    #[test]
    fn what_is_not_a_string_is_named() {
        for (source, expected) in [
            (r#""a"x"#, NoString::Suffix("x")),
            (r#""a\""i32"#, NoString::Suffix("i32")),
            (r##"r#"a"#x"##, NoString::Suffix("x")),
            (r#"b"a""#, NoString::ByteString),
            (r##"br#"a"#"##, NoString::ByteString),
            (r#"c"a""#, NoString::CString),
            (r#"cr"a""#, NoString::CString),
            ("b'a'", NoString::Byte),
            ("'j'", NoString::Char),
            ("'\"'", NoString::Char),
            ("1", NoString::Number),
            ("0x1fu8", NoString::Number),
        ] {
            assert_eq!(string(source), Err(expected), "{source}");
        }
    }

    #[test]
    fn malformed_literals_are_no_panic() {
        for source in [
            "",
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
            r#""\q""#,
        ] {
            assert_eq!(string(source), Err(NoString::Malformed), "{source}");
        }
    }
}
