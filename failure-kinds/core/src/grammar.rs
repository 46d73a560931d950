//! The shape of a name, with nothing of its meaning.

/// Whether the whole text is a kind name: `[a-z][a-z0-9_]*`.
#[must_use]
pub const fn is_kind_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || !bytes[0].is_ascii_lowercase() {
        return false;
    }
    let mut index = 1;
    while index < bytes.len() {
        if !matches!(bytes[index], b'a'..=b'z' | b'0'..=b'9' | b'_') {
            return false;
        }
        index += 1;
    }
    true
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

/// One pass: where the one colon stands, if both sides are kind names.
const fn colon_of_extension(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut colon = None;
    let mut at_start = true;
    let mut index = 0;
    while index < bytes.len() {
        match bytes[index] {
            b'a'..=b'z' => at_start = false,
            b'0'..=b'9' | b'_' if !at_start => {}
            b':' if !at_start && colon.is_none() => {
                colon = Some(index);
                at_start = true;
            }
            _ => return None,
        }
        index += 1;
    }
    if at_start { None } else { colon }
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
