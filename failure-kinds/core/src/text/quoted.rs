//! Text of unknown origin, made safe to print.

use core::fmt::{self, Display, Formatter, Write};

/// The most characters that [`Quoted`] writes.
pub const QUOTED_MAX: usize = 64;

/// Writes a text in printable ASCII, at most [`QUOTED_MAX`] characters of it.
///
/// Everything except printable ASCII is escaped as in a Rust string (`\n`, `\u{430}`), so that a
/// look-alike letter shows and a terminal escape does nothing. A longer text ends in `...`.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const ELLIPSIS: &str = "...";
        let fits = self.0.chars().try_fold(0, |sum, char| {
            let sum = sum + escape(char).count();
            (sum <= QUOTED_MAX).then_some(sum)
        });
        let room = if fits.is_some() { QUOTED_MAX } else { QUOTED_MAX - ELLIPSIS.len() };
        let mut written = 0;
        for char in self.0.chars() {
            written += escape(char).count();
            if written > room {
                return f.write_str(ELLIPSIS);
            }
            for char in escape(char) {
                f.write_char(char)?;
            }
        }
        Ok(())
    }
}

fn escape(char: char) -> Escape {
    match char {
        // It would end the quotation of a message early.
        '`' => Escape::Unicode(char.escape_unicode()),
        ' '..='[' | ']'..='~' => Escape::Plain(Some(char)),
        _ => Escape::Default(char.escape_default()),
    }
}

enum Escape {
    Plain(Option<char>),
    Unicode(core::char::EscapeUnicode),
    Default(core::char::EscapeDefault),
}

impl Iterator for Escape {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self {
            Self::Plain(char) => char.take(),
            Self::Unicode(chars) => chars.next(),
            Self::Default(chars) => chars.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};

    fn quoted(text: &str) -> String {
        Quoted(text).to_string()
    }

    #[test]
    fn printable_ascii_stays() {
        assert_eq!(quoted("judge failed 'x' \"y\" <z>"), "judge failed 'x' \"y\" <z>");
    }

    #[test]
    fn the_rest_is_escaped() {
        assert_eq!(
            quoted("a\n\t\u{1b}[31m\u{430}\\`\u{202e}"),
            "a\\n\\t\\u{1b}[31m\\u{430}\\\\\\u{60}\\u{202e}"
        );
    }

    #[test]
    fn length_is_bounded_after_escaping() {
        let exact = "a".repeat(64);
        assert_eq!(quoted(&exact), exact);
        assert_eq!(quoted(&"a".repeat(65)), "a".repeat(61) + "...");
        let wide = quoted(&"\u{10ffff}".repeat(60));
        assert_eq!(wide, "\\u{10ffff}".repeat(6) + "...");
    }
}
