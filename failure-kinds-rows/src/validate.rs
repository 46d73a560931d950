//! Checks every byte of a value against RFC 8259, without recursion. The caller checks UTF-8.
//!
//! An error lies at the end of the text exactly when more text could have made it valid.

use super::scan::SyntaxError;

type Checked<'a> = Result<usize, SyntaxError<'a>>;

fn expected<'a>(what: &'static str, text: &'a [u8], at: usize) -> SyntaxError<'a> {
    SyntaxError::expected(what, text, at)
}

/// The end of the value that starts at `at`.
pub(super) fn value(text: &[u8], mut at: usize) -> Checked<'_> {
    // One closing bracket for each open container.
    let mut open = Vec::new();
    loop {
        at = space(text, at);
        // A value starts here, or an empty container ends.
        let mut ended = true;
        match text.get(at) {
            Some(b'"') => at = string(text, at)?,
            Some(b'{') => {
                at = space(text, at + 1);
                if text.get(at) == Some(&b'}') {
                    at += 1;
                } else {
                    open.push(b'}');
                    at = key(text, at)?;
                    ended = false;
                }
            }
            Some(b'[') => {
                at = space(text, at + 1);
                if text.get(at) == Some(&b']') {
                    at += 1;
                } else {
                    open.push(b']');
                    ended = false;
                }
            }
            Some(b'-' | b'0'..=b'9') => at = number(text, at)?,
            _ => at = word(text, at)?,
        }
        // A value has ended: close what ends with it, up to the next value.
        while ended {
            let Some(&close) = open.last() else { return Ok(at) };
            at = space(text, at);
            match text.get(at) {
                Some(b',') => {
                    at = space(text, at + 1);
                    if close == b'}' {
                        at = key(text, at)?;
                    }
                    ended = false;
                }
                Some(byte) if *byte == close => {
                    open.pop();
                    at += 1;
                }
                _ if close == b'}' => return Err(expected("`,` or `}`", text, at)),
                _ => return Err(expected("`,` or `]`", text, at)),
            }
        }
    }
}

/// The end of a key and its colon.
fn key(text: &[u8], at: usize) -> Checked<'_> {
    if text.get(at) != Some(&b'"') {
        return Err(expected("a key", text, at));
    }
    let at = space(text, string(text, at)?);
    if text.get(at) == Some(&b':') { Ok(at + 1) } else { Err(expected("`:`", text, at)) }
}

fn space(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The end of the string that starts at the quote `at`.
pub(super) fn string(text: &[u8], at: usize) -> Checked<'_> {
    let mut at = at + 1;
    loop {
        at = match (text.get(at), text.get(at + 1)) {
            (Some(b'"'), _) => return Ok(at + 1),
            (Some(b'\\'), Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => at + 2,
            (Some(b'\\'), Some(b'u')) => {
                let digits = text[at + 2..].iter().take(4);
                let count = digits.take_while(|digit| digit.is_ascii_hexdigit()).count();
                if count < 4 {
                    return Err(expected("four hexadecimal digits", text, at + 2 + count));
                }
                at + 6
            }
            (Some(b'\\'), Some(_)) => return Err(expected("an escape of JSON", text, at)),
            (Some(0x20..), _) if text[at] != b'\\' => at + 1,
            (Some(0x00..0x20), _) => {
                return Err(expected("an escaped control character", text, at));
            }
            _ => return Err(expected("the end of the string", text, text.len())),
        };
    }
}

/// The end of the number that starts at `at`.
pub(super) fn number(text: &[u8], at: usize) -> Checked<'_> {
    let digits = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 { Err(expected("a digit", text, at)) } else { Ok(at + count) }
    };
    let mut at = at + usize::from(text.get(at) == Some(&b'-'));
    at = if text.get(at) == Some(&b'0') { at + 1 } else { digits(at)? };
    if text.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        at = digits(at)?;
    }
    Ok(at)
}

fn word(text: &[u8], at: usize) -> Checked<'_> {
    let rest = &text[at..];
    let words = ["true", "false", "null"].map(str::as_bytes);
    if let Some(word) = words.iter().find(|word| rest.starts_with(word)) {
        return Ok(at + word.len());
    }
    let is_cut = words.iter().any(|word| word.starts_with(rest));
    Err(expected("a value", text, if is_cut { text.len() } else { at }))
}

#[cfg(test)]
mod tests {
    use crate::scan::{Check, scan_object};
    use proptest::prelude::*;

    fn is_object(text: &[u8]) -> bool {
        scan_object::<0>(text, &[], Check::Every).is_ok()
    }

    /// What `serde_json` makes of a whole line, as an independent parser.
    fn serde_says(text: &[u8]) -> bool {
        str::from_utf8(text).is_ok_and(|text| {
            text.trim_start_matches([' ', '\t', '\n', '\r']).starts_with('{')
                && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        })
    }

    #[test]
    fn values() {
        for good in [
            r#"{"a":[1,-0,0.5,1e5,1E-5,-1.25e+3,true,false,null,"",{}, [ ] ,{"b":[{}]}]}"#,
            r#"{"\ud83d":"\ud83d \u0000 \/\b\f\n\r\t\"\\"}"#,
            " {\t\"a\" :\r1 , \"a\": 2 } ",
        ] {
            assert!(is_object(good.as_bytes()), "{good}");
        }
        for bad in [
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "1e+",
            "0x1",
            "NaN",
            "Infinity",
            "tru",
            "True",
            "nulll",
            "'a'",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"",
            "\"\t\"",
            "\"a",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1}",
            "{\"a\":1]",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "{1:2}",
            "",
            "\u{feff}1",
            "/**/1",
        ] {
            let text = format!("{{\"a\":{bad}}}");
            assert!(!is_object(text.as_bytes()), "{text}");
        }
        assert!(!is_object(b"{\"a\":\"\xff\"}"));
    }

    /// Text that is nearly JSON.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"a\":", "1", "-", "0", ".5", "e3", " ",
            "true", "null", "nul", "\\", "\\u00", "\\\"", "\"\\n\"", "{}", "[]", "\u{e9}", "\t",
        ]);
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn agrees_with_serde_json(inside in pieces()) {
            for text in [format!("{{{inside}}}"), format!("{{\"a\":{inside}}}"), inside] {
                prop_assert_eq!(is_object(text.as_bytes()), serde_says(text.as_bytes()), "{}", text);
            }
        }

        #[test]
        fn bytes_never_panic(text: Vec<u8>) {
            prop_assert_eq!(is_object(&text), serde_says(&text));
        }
    }
}
