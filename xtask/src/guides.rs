//! The parts of the guides that list the vocabulary.

use failure_kinds_core::{Class, with_http_labels};

use crate::Result;

/// A label of HTTP statuses.
pub(crate) struct HttpLabel {
    /// The variant's name in `HttpEvidence`.
    pub(crate) variant: &'static str,
    name: &'static str,
    /// The pattern of its statuses.
    statuses: &'static str,
    class: Option<Class>,
}

macro_rules! http_labels {
    ($(
        $(#[$doc:meta])+
        $variant:ident = $name:literal { statuses: $statuses:pat, default: $default:expr }
    )+) => {
        /// Every label, in the order in which they are tried.
        pub(crate) const HTTP_LABELS: &[HttpLabel] = {
            #[allow(clippy::enum_glob_use, reason = "a row names any class")]
            use Class::*;
            &[$(HttpLabel {
                variant: stringify!($variant),
                name: $name,
                statuses: stringify!($statuses),
                class: $default,
            }),+]
        };
    };
}
with_http_labels!(http_labels);

/// `docs/classification.md`, with its table of HTTP labels.
pub(crate) fn classification(committed: &str) -> Result<String> {
    let row = |&HttpLabel { name, statuses, class, .. }: &HttpLabel| {
        let statuses = match statuses.split_once("..=") {
            Some((first, last)) => format!("other {first} to {last}"),
            None => statuses.replace(" | ", ", "),
        };
        let class = class.map_or("-".to_owned(), |class| format!("`{}`", class.as_str()));
        format!("| {statuses} | `{name}` | {class} |\n")
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
