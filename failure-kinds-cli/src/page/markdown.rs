//! The same page in GitHub's Markdown.

use std::fmt::Write as _;
use std::io::{self, Write};

use comfy_table::CellAlignment;

use super::Columns;

/// A table. The details of a row are in its last cell.
pub(super) fn table(
    stream: &mut dyn Write,
    columns: &Columns,
    rows: &[Vec<String>],
    details: &[Vec<String>],
) -> io::Result<()> {
    let detailed = details.iter().any(|lines| !lines.is_empty());
    let names = columns.iter().map(|(name, _)| escape(&name.to_lowercase(), Place::Cell));
    let rulers = columns.iter().map(|(_, alignment)| match alignment {
        CellAlignment::Right => "---:",
        _ => "---",
    });
    let mut names: Vec<String> = names.collect();
    let mut rulers: Vec<String> = rulers.map(str::to_owned).collect();
    if detailed {
        names.push(String::new());
        rulers.push("---".to_owned());
    }
    writeln!(stream)?;
    line(stream, &names)?;
    line(stream, &rulers)?;
    for (row, details) in rows.iter().zip(details) {
        let mut cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        if detailed {
            let details = details.iter().map(|text| escape(text, Place::Cell));
            cells.push(details.collect::<Vec<_>>().join("<br>"));
        }
        line(stream, &cells)?;
    }
    Ok(())
}

fn line(stream: &mut dyn Write, cells: &[String]) -> io::Result<()> {
    writeln!(stream, "| {} |", cells.join(" | "))
}

/// A cell. The indent of a line that belongs to the one above stays visible.
fn cell(text: &str) -> String {
    let plain = text.trim_start_matches(' ');
    let indent = if plain.len() < text.len() { "&emsp;" } else { "" };
    format!("{indent}{}", escape(plain, Place::Cell))
}

/// Where a text is placed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a heading, a paragraph or an item.
    Block,
    /// In a table, where a bar ends the cell even inside code.
    Cell,
}

/// Escapes a text, with its parts between backticks as code.
///
/// Nothing in it can become a link, an image, a tag, a cell or emphasis.
pub(super) fn escape(text: &str, place: Place) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let last = parts.len() - 1;
    let mut escaped = String::with_capacity(text.len() + 8);
    for (index, part) in parts.iter().enumerate() {
        match (index % 2 == 1, index == last, part.is_empty()) {
            (true, false, false) if place == Place::Cell => {
                let _ = write!(escaped, "`{}`", part.replace('|', "\\|"));
            }
            (true, false, false) => {
                let _ = write!(escaped, "`{part}`");
            }
            (true, false, true) => escaped.push_str("\\`\\`"),
            // A backtick without a partner.
            (true, true, _) => {
                escaped.push_str("\\`");
                escape_plain(part, &mut escaped);
            }
            (false, ..) => escape_plain(part, &mut escaped),
        }
    }
    escaped
}

fn escape_plain(text: &str, escaped: &mut String) {
    let mut previous = ' ';
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        let special = match char {
            '\\' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '#' | '$' | '!' => true,
            // Inside a word it stays as it is, so that names can be read in the source too.
            '_' => !(previous.is_alphanumeric() && next.is_alphanumeric()),
            // `http://` and `www.` would become links.
            ':' => next == '/',
            '.' => escaped.ends_with("www"),
            // A list, or a line below a heading.
            '-' | '+' | '=' => previous == ' ',
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(char);
        previous = char;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_markdown_acts_on_is_escaped() {
        for (text, expected) in [
            ("agent_run_error, 3", "agent_run_error, 3"),
            ("__init__ *x* ~y~", r"\_\_init\_\_ \*x\* \~y\~"),
            ("<b>|[x](http://y)|#1", r"\<b\>\|\[x\](http\://y)\|\#1"),
            ("- a www.x.y", r"\- a www\.x.y"),
            ("`judge_failed`: <b>", r"`judge_failed`: \<b\>"),
            ("a `b` c ` <d>", r"a `b` c \` \<d\>"),
            ("``<b>", r"\`\`\<b\>"),
        ] {
            assert_eq!(escape(text, Place::Block), expected);
        }
    }

    #[test]
    fn a_bar_ends_no_cell() {
        assert_eq!(escape("`a|b` | c", Place::Cell), r"`a\|b` \| c");
        assert_eq!(cell("  agent"), "&emsp;agent");
    }
}
