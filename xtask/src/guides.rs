//! The parts of the guides that list the vocabulary, and the languages of `lint`.

use failure_kinds_core::{Class, HTTP_LABELS, HttpLabel};
use failure_kinds_lint::{LANGUAGES, Language};

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

/// `docs/lint.md`, with its table of languages.
pub(crate) fn lint(committed: &str) -> Result<String> {
    let row = |language: &Language| {
        let files: Vec<_> =
            language.extensions.iter().map(|extension| format!("`.{extension}`")).collect();
        format!("| {} | {} |\n", files.join(", "), language.read_by)
    };
    let rows: String = LANGUAGES.iter().map(row).collect();
    with_table(committed, "| files | read by |\n|---|---|\n", &rows)
}

/// The hook for pre-commit, with the extensions of its files.
pub(crate) fn hook(committed: &str) -> Result<String> {
    let key = "  files: ";
    let (before, _) = committed.split_once(key).ok_or("the last key of the hook is `files`")?;
    let extensions: Vec<_> =
        LANGUAGES.iter().flat_map(|language| language.extensions).copied().collect();
    Ok(format!("{before}{key}\\.({})$\n", extensions.join("|")))
}

/// The text with new rows in the table with this head.
fn with_table(text: &str, head: &str, rows: &str) -> Result<String> {
    let (before, table) =
        text.split_once(head).ok_or_else(|| format!("there is no table\n{head}"))?;
    let (_, after) = table.split_once("\n\n").ok_or("a table ends with an empty line")?;
    Ok(format!("{before}{head}{rows}\n{after}"))
}
