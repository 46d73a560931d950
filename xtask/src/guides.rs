//! The parts of the guides that list the vocabulary.

use failure_kinds_core::{Class, HTTP_LABELS, HttpLabel};

use crate::Result;

/// `docs/classification.md`, with its table of HTTP labels.
pub(crate) fn classification(committed: &str) -> Result<String> {
    let row = |label: &HttpLabel| {
        let class = label.default.map(Class::as_str);
        let class = class.map_or("-".to_owned(), |class| format!("`{class}`"));
        format!("| {} | `{}` | {class} |\n", label.statuses(), label.name)
    };
    let rows: String = HTTP_LABELS.iter().map(row).collect();
    with_table(committed, "| status | label | class |\n|---|---|---|\n", &rows)
}

/// The text with new rows in the table with this head.
fn with_table(text: &str, head: &str, rows: &str) -> Result<String> {
    let (before, table) =
        text.split_once(head).ok_or_else(|| format!("there is no table\n{head}"))?;
    let (_, after) = table.split_once("\n\n").ok_or("a table ends with an empty line")?;
    Ok(format!("{before}{head}{rows}\n{after}"))
}
