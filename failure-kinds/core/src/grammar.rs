//! The syntax of a name, without its meaning.

/// Whether the whole text is a kind name: `[a-z][a-z0-9_]*`.
#[must_use]
pub const fn is_kind_name(text: &str) -> bool {
    read(text) == IN_NAME
}

/// Whether the whole text is an extension: two kind names around exactly one colon.
#[must_use]
pub const fn is_namespaced(text: &str) -> bool {
    read(text) == IN_EXTENSION
}

/// The server and the kind of an extension; `None` when the text is not one.
#[must_use]
pub const fn split_extension(text: &str) -> Option<(&str, &str)> {
    if !is_namespaced(text) {
        return None;
    }
    let mut colon = 0;
    while text.as_bytes()[colon] != b':' {
        colon += 1;
    }
    // `str::split_at` is `const` only since Rust 1.86.
    let (server, rest) = text.as_bytes().split_at(colon);
    match (core::str::from_utf8(server), core::str::from_utf8(rest.split_at(1).1)) {
        (Ok(server), Ok(name)) => Some((server, name)),
        _ => None,
    }
}

// The states of an automaton that reads one byte at a time. A state is the offset of its successors
// in the rows of `STEPS`. The first state is a dead end.
const REFUSED: u64 = 0;
const AT_START: u64 = 6;
const IN_NAME: u64 = 12;
const AFTER_COLON: u64 = 18;
const IN_EXTENSION: u64 = 24;

/// For each byte, the successor of every state. To take a step is then one shift, and the row of
/// the next byte is loaded before it is known where this one leads.
static STEPS: [u64; 256] = steps();

const fn steps() -> [u64; 256] {
    let inside = IN_NAME << IN_NAME | IN_EXTENSION << IN_EXTENSION;
    let mut steps = [0; 256];
    let mut byte = 0_u8;
    loop {
        steps[byte as usize] = match byte {
            b'a'..=b'z' => inside | IN_NAME << AT_START | IN_EXTENSION << AFTER_COLON,
            b'0'..=b'9' | b'_' => inside,
            b':' => AFTER_COLON << IN_NAME,
            _ => REFUSED,
        };
        if byte == u8::MAX {
            return steps;
        }
        byte += 1;
    }
}

/// The state that the whole text leads to.
const fn read(text: &str) -> u64 {
    const STATE: u64 = 63;
    let bytes = text.as_bytes();
    let mut state = AT_START;
    let mut index = 0;
    while index < bytes.len() {
        state = STEPS[bytes[index] as usize] >> (state & STATE);
        index += 1;
    }
    state & STATE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_are_distinguished() {
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
