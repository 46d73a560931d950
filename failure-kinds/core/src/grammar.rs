//! The shape of a name, with nothing of its meaning.

/// Whether the whole text is a kind name: `[a-z][a-z0-9_]*`.
#[must_use]
pub const fn is_kind_name(text: &str) -> bool {
    is_part(text.as_bytes(), 0, text.len())
}

/// Whether the whole text is an extension: two kind names around exactly one colon.
#[must_use]
pub const fn is_namespaced(text: &str) -> bool {
    colon_of_extension(text).is_some()
}

/// The server and the kind of an extension; `None` when the text is not one.
#[must_use]
pub const fn split_extension(text: &str) -> Option<(&str, &str)> {
    match colon_of_extension(text) {
        Some(colon) => {
            let (server, rest) = text.split_at(colon);
            Some((server, rest.split_at(1).1))
        }
        None => None,
    }
}

const fn colon_of_extension(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut colon = 0;
    while colon < bytes.len() && bytes[colon] != b':' {
        colon += 1;
    }
    if colon < bytes.len() && is_part(bytes, 0, colon) && is_part(bytes, colon + 1, bytes.len()) {
        Some(colon)
    } else {
        None
    }
}

/// `bytes[start..end]` is `[a-z][a-z0-9_]*`; indices, because slicing is not `const`.
const fn is_part(bytes: &[u8], start: usize, end: usize) -> bool {
    if start >= end || !bytes[start].is_ascii_lowercase() {
        return false;
    }
    let mut index = start + 1;
    while index < end {
        if !matches!(bytes[index], b'a'..=b'z' | b'0'..=b'9' | b'_') {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_are_told_apart() {
        for name in ["a", "judge_failed", "a1_", "x__y"] {
            assert!(is_kind_name(name), "{name:?}");
            assert!(!is_namespaced(name), "{name:?}");
        }
        for (text, parts) in [
            ("a:b", ("a", "b")),
            ("judge:failed", ("judge", "failed")),
            ("my_server:judge_failed", ("my_server", "judge_failed")),
        ] {
            assert_eq!(split_extension(text), Some(parts));
            assert!(!is_kind_name(text), "{text:?}");
        }
    }

    #[test]
    fn everything_else_is_neither() {
        for text in [
            "",
            ":",
            "a:",
            ":b",
            "a:b:c",
            "1a",
            "_a",
            "a:1b",
            "a:_b",
            "A",
            "aB",
            "a-b",
            "a b",
            "a.b",
            "judge_failed\n",
            "a:b\n",
            " a",
            "a\0",
            "\u{ff41}",
            "judge_f\u{430}iled",
            "a::b",
            "a: b",
        ] {
            assert!(!is_kind_name(text), "{text:?}");
            assert_eq!(split_extension(text), None, "{text:?}");
        }
    }
}
