//! Headings, tables and lines of a page with a known width.

mod markdown;

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use anstyle::Style;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use failure_kinds_core::Quoted;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use self::markdown::Place;
use crate::terminal;
use failure_kinds_core::text::Escaped;

const HEADING: Style = Style::new().bold();
const COLUMNS: Style = Style::new().dimmed();
const DETAIL: Style = Style::new().dimmed();

/// Where a report is written to, with a blank line between sections.
pub(crate) struct Page<'s> {
    stream: &'s mut dyn Write,
    pub(crate) width: usize,
    /// The folder that tables leave out of their paths.
    base: String,
    is_blank: bool,
    form: Form,
}

/// How a page is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In lines that fit the width, with styles.
    Text,
    /// In Markdown, whose lines can have any length.
    Markdown,
    /// As plain lines, for a cell of a Markdown table.
    Cell,
}

/// The longest example in Markdown.
const MARKDOWN_WIDTH: usize = 120;

impl<'s> Page<'s> {
    pub(crate) fn new(stream: &'s mut dyn Write, width: usize, base: String) -> Self {
        Self { stream, width, base, is_blank: true, form: Form::Text }
    }

    /// The same in Markdown.
    pub(crate) fn markdown(stream: &'s mut dyn Write, base: String) -> Self {
        Self { form: Form::Markdown, ..Self::new(stream, MARKDOWN_WIDTH, base) }
    }

    /// As wide as the terminal, with whole paths.
    pub(crate) fn on_stdout(stream: &'s mut dyn Write) -> Self {
        Self::new(stream, terminal::width(), String::new())
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// As much of the end of a path as fits.
    pub(crate) fn path(&self, path: &str, width: usize) -> String {
        fit_path(below(&self.base, path), width)
    }

    /// Starts a section.
    pub(crate) fn heading(&mut self, text: impl Display) -> io::Result<()> {
        if !self.is_blank {
            writeln!(self.stream)?;
        }
        self.is_blank = false;
        if self.form == Form::Markdown {
            let text = markdown::escape(&text.to_string(), Place::Block);
            return writeln!(self.stream, "### {text}");
        }
        for line in wrap(&text.to_string(), self.width) {
            writeln!(self.stream, "{HEADING}{line}{HEADING:#}")?;
        }
        Ok(())
    }

    /// A line, truncated to the width.
    pub(crate) fn line(&mut self, text: impl Display) -> io::Result<()> {
        let text = text.to_string();
        if self.form == Form::Markdown {
            return writeln!(self.stream, "\n{}", markdown::escape(text.trim(), Place::Block));
        }
        writeln!(self.stream, "{}", fit(&text, self.width))
    }

    /// A detail of the line above, truncated to the width.
    pub(crate) fn detail_cut(&mut self, indent: usize, text: impl Display) -> io::Result<()> {
        let text = text.to_string();
        let text = fit(&text, self.width.saturating_sub(indent));
        if self.form == Form::Cell {
            return writeln!(self.stream, "{text}");
        }
        writeln!(self.stream, "{:indent$}{DETAIL}{text}{DETAIL:#}", "")
    }

    /// The same, wrapped.
    pub(crate) fn detail(&mut self, indent: usize, text: impl Display) -> io::Result<()> {
        if self.form == Form::Cell {
            return writeln!(self.stream, "{text}");
        }
        for line in wrap(&text.to_string(), self.width.saturating_sub(indent + 2)) {
            writeln!(self.stream, "{:indent$}{DETAIL}{line}{DETAIL:#}", "")?;
        }
        Ok(())
    }

    /// A sentence, wrapped.
    pub(crate) fn sentence(&mut self, text: impl Display) -> io::Result<()> {
        if self.form == Form::Markdown {
            let text = markdown::escape(&text.to_string(), Place::Block);
            return writeln!(self.stream, "* {text}");
        }
        for (number, line) in wrap(&text.to_string(), self.width.saturating_sub(4)).enumerate() {
            let start = if number == 0 { "  " } else { "    " };
            writeln!(self.stream, "{start}{line}")?;
        }
        Ok(())
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) -> io::Result<()> {
        writeln!(self.stream)
    }

    /// A labelled fact, wrapped. Without a label it continues the last one.
    pub(crate) fn fact(&mut self, label: &str, text: impl Display) -> io::Result<()> {
        self.entry(label, 16, text)
    }

    /// A labelled text after a column of labels of this width.
    pub(crate) fn entry(
        &mut self,
        label: &str,
        width: usize,
        text: impl Display,
    ) -> io::Result<()> {
        let mut label = label;
        for line in wrap(&text.to_string(), self.width.saturating_sub(width + 2)) {
            writeln!(self.stream, "  {COLUMNS}{label:width$}{COLUMNS:#}{line}")?;
            label = "";
        }
        Ok(())
    }

    /// The same, with one line per text.
    pub(crate) fn facts(&mut self, label: &str, texts: &[String]) -> io::Result<()> {
        for (number, text) in texts.iter().enumerate() {
            self.fact(if number == 0 { label } else { "" }, text)?;
        }
        Ok(())
    }

    /// A table. `details` writes what belongs below the row with that number.
    pub(crate) fn table(
        &mut self,
        columns: &Columns,
        rows: Vec<Vec<String>>,
        mut details: impl FnMut(&mut Page<'_>, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.form == Form::Markdown {
            let details = (0..rows.len()).map(|row| self.lines(|page| details(page, row)));
            let details: Vec<_> = details.collect::<io::Result<_>>()?;
            return markdown::table(self.stream, columns, &rows, &details);
        }
        let mut table = Table::new();
        table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(columns.iter().map(|(name, _)| *name));
        table.add_rows(rows);
        for (column, (_, alignment)) in table.column_iter_mut().zip(columns) {
            column.set_padding((2, 0)).set_cell_alignment(*alignment);
        }
        for (number, line) in table.lines().enumerate() {
            let line = line.trim_end();
            match number.checked_sub(1) {
                None => writeln!(self.stream, "{COLUMNS}{}{COLUMNS:#}", fit(line, self.width))?,
                Some(row) => {
                    writeln!(self.stream, "{}", fit(line, self.width))?;
                    details(self, row)?;
                }
            }
        }
        Ok(())
    }
}

/// Details of a row, line by line.
impl Page<'_> {
    fn lines(
        &self,
        write: impl FnOnce(&mut Page<'_>) -> io::Result<()>,
    ) -> io::Result<Vec<String>> {
        let mut lines = Vec::new();
        let mut page = Page::new(&mut lines, self.width, self.base.clone());
        page.form = Form::Cell;
        write(&mut page)?;
        Ok(String::from_utf8_lossy(&lines).lines().map(str::to_owned).collect())
    }
}

/// The names and alignments of columns.
pub(crate) type Columns = [(&'static str, CellAlignment)];

/// The width of a column, with the space before it.
pub(crate) fn column_width<'t>(name: &str, cells: impl IntoIterator<Item = &'t str>) -> usize {
    2 + cells.into_iter().map(UnicodeWidthStr::width).fold(name.width(), usize::max)
}

/// Wraps a text. A word that is longer than a line is broken.
fn wrap(text: &str, width: usize) -> impl Iterator<Item = String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() || line.width() + 1 + word.width() <= width {
            let space = if line.is_empty() { "" } else { " " };
            line.extend([space, word]);
        } else {
            lines.push(word.to_owned());
        }
        while let Some(line) = lines.last_mut()
            && line.width() > width
        {
            let end = end_of_fit(line, width.max(2));
            let rest = line.split_off(end);
            lines.push(rest);
        }
    }
    lines.into_iter()
}

/// Where the part of a text that fits ends.
fn end_of_fit(text: &str, width: usize) -> usize {
    let mut room = width;
    let end = text.char_indices().find(|(_, char)| {
        let char = char.width().unwrap_or(0);
        let fits = char <= room;
        room = room.saturating_sub(char);
        !fits
    });
    end.map_or(text.len(), |(end, _)| end)
}

/// `1 row`, `2 rows`
pub(crate) fn rows(count: u64) -> String {
    counted(count, "row")
}

/// A count and what is counted.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A name in a table.
pub(crate) fn quoted(name: &str) -> String {
    if name.is_empty() { "(empty)".to_owned() } else { Quoted(name).to_string() }
}

/// As much of a text as fits, with `…` if it was truncated.
pub(crate) fn fit(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let end = end_of_fit(text, width.saturating_sub(1));
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

/// A path without this folder, unless it is that folder.
pub(crate) fn below<'p>(base: &str, path: &'p str) -> &'p str {
    path.strip_prefix(base).filter(|rest| !rest.is_empty()).unwrap_or(path)
}

/// As much of the end of a path as fits, with `…` if it was truncated.
fn fit_path(path: &str, width: usize) -> String {
    let path = Escaped(path).to_string();
    if path.width() <= width {
        return path;
    }
    let mut room = width.saturating_sub(1);
    let start = path.char_indices().rev().take_while(|(_, char)| {
        let char = char.width().unwrap_or(0);
        let fits = char <= room;
        room = room.saturating_sub(char);
        fits
    });
    let start = start.last().map_or(path.len(), |(start, _)| start);
    format!("…{}", &path[start..])
}

/// A share as a bar of at most `width` characters, in eighths of one.
pub(crate) fn bar(count: u64, of: u64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    // A count above zero always shows.
    let eighths = share(count, of, width * 8).max(usize::from(count > 0));
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

/// A share in percent. It is 100.0 only for all, and 0.0 only for none.
pub(crate) fn percent(count: u64, of: u64) -> String {
    let tenths = match count {
        0 => 0,
        _ if count >= of => 1000,
        _ => share(count, of, 1000).clamp(1, 999),
    };
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// How many of `parts` a share takes, rounded to the nearest.
pub(crate) fn share(count: u64, of: u64, parts: usize) -> usize {
    let (count, of) = (u128::from(count.min(of)), u128::from(of.max(1)));
    usize::try_from((count * parts as u128 + of / 2) / of).unwrap_or(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(percent(1, 8), "12.5%");
        assert_eq!(percent(0, 0), "0.0%");
        assert_eq!(percent(1, 1_000_000), "0.1%");
        assert_eq!(percent(999_999, 1_000_000), "99.9%");
        assert_eq!(percent(7, 7), "100.0%");
        assert_eq!(percent(u64::MAX / 2, u64::MAX), "50.0%");
        assert_eq!(bar(1, 2, 4), "██");
        assert_eq!(bar(1, 1_000, 4), "▏");
        assert_eq!(bar(0, 5, 4), "");
        assert_eq!(bar(5, 5, 3), "███");
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        assert_eq!(fit("judge_failed", 12), "judge_failed");
        assert_eq!(fit("judge_failed", 8), "judge_f…");
        assert_eq!(fit("評価失敗", 5), "評価…");
        assert_eq!(fit_path("a/b/rollouts", 9), "…rollouts");
        assert_eq!(fit_path("a/\u{1b}", 20), r"a/\u{1b}");
        assert_eq!(wrap("a bb ccc d", 4).collect::<Vec<_>>(), ["a bb", "ccc", "d"]);
        assert_eq!(wrap("a bbbbbbbbb c", 4).collect::<Vec<_>>(), ["a", "bbbb", "bbbb", "b c"]);
        assert_eq!(wrap("評価失敗", 5).collect::<Vec<_>>(), ["評価", "失敗"]);
    }
}
