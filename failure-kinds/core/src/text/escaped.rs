//! Text at its full length: letters of every script stay, and invisible characters and those that a
//! terminal acts on are escaped.

use core::fmt::{self, Display, Formatter};

/// Whether a character is shown as it is: not a control, format, bidirectional, tag, private-use
/// or unassigned character, and not a line separator.
#[must_use]
pub fn is_printable(char: char) -> bool {
    const FIRST: char = 'a';
    if char.is_ascii() {
        return !char.is_ascii_control();
    }
    if is_blank(char) {
        return false;
    }
    // The standard library knows the categories, and escapes a mark that combines with a letter
    // only where no letter comes before it.
    let mut pair = [0; 8];
    let first = FIRST.encode_utf8(&mut pair).len();
    let length = first + char.encode_utf8(&mut pair[first..]).len();
    core::str::from_utf8(&pair[..length]).is_ok_and(|pair| pair.escape_debug().count() == 2)
}

/// Whether the standard library takes a character for visible that is not: the rest of Unicode's
/// `Default_Ignorable_Code_Point`, and the braille pattern without dots.
const fn is_blank(char: char) -> bool {
    matches!(
        char,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Writes a text with each character that is not [printable](is_printable) escaped as in a Rust
/// string.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut plain = 0;
        for (at, char) in self.0.char_indices() {
            if is_printable(char) {
                continue;
            }
            f.write_str(&self.0[plain..at])?;
            plain = at + char.len_utf8();
            match char {
                '\0' | '\t' | '\n' | '\r' => write!(f, "{}", char.escape_debug())?,
                _ => write!(f, "{}", char.escape_unicode())?,
            }
        }
        f.write_str(&self.0[plain..])
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        let text = "a\u{1b}[2J\r\n\t\u{7f}\u{9b}31m\u{202e}\u{2028}\u{feff}\0b";
        assert_eq!(
            Escaped(text).to_string(),
            "a\\u{1b}[2J\\r\\n\\t\\u{7f}\\u{9b}31m\\u{202e}\\u{2028}\\u{feff}\\0b"
        );
        for char in
            ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200d}', '\u{e000}', '\u{e0041}', '\u{2066}']
        {
            assert!(!is_printable(char), "{}", char.escape_unicode());
        }
    }

    #[test]
    fn characters_that_fonts_show_as_nothing_are_escaped() {
        for char in [
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{17b5}',
            '\u{180b}',
            '\u{180f}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{ffa0}',
            '\u{e0100}',
            '\u{e01ef}',
        ] {
            assert!(!is_printable(char), "{}", char.escape_unicode());
        }
    }

    #[test]
    fn what_people_read_stays() {
        for text in ["it's \"so\"", r"a\b", "läuft.jsonl", "結果/失敗", "हिन्दी", "''\"\\", ""]
        {
            assert_eq!(Escaped(text).to_string(), text);
        }
    }
}
