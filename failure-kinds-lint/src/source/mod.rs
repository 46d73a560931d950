//! The front ends: one for each language, all of them yielding a [`Scan`].

mod json;
mod markdown;
mod python;
mod rows;
mod rust;
mod toml;
mod yaml;

use std::path::Path;

use failure_kinds_rows::Compression;

use super::position::{Ask, Scan};

pub(crate) use self::rows::{RowNames, read as read_rows};

/// A language that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    Python,
    Json,
    JsonLines,
    Yaml,
    Toml,
    Markdown,
}

impl Language {
    /// Every extension that is looked at.
    pub(crate) const EXTENSIONS: [(&str, Self); 12] = [
        ("rs", Self::Rust),
        ("py", Self::Python),
        ("pyi", Self::Python),
        ("json", Self::Json),
        ("jsonl", Self::JsonLines),
        ("ndjson", Self::JsonLines),
        ("yaml", Self::Yaml),
        ("yml", Self::Yaml),
        ("toml", Self::Toml),
        ("md", Self::Markdown),
        ("mdx", Self::Markdown),
        ("markdown", Self::Markdown),
    ];

    /// The language of a file, by its extension; rows may be compressed.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let extension = |path: &Path| {
            path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase)
        };
        let found = extension(path)?;
        if Compression::of_name(path).is_some() {
            let inner = extension(Path::new(path.file_stem()?))?;
            return (Self::named(&inner) == Some(Self::JsonLines)).then_some(Self::JsonLines);
        }
        Self::named(&found)
    }

    /// The language of an extension.
    fn named(extension: &str) -> Option<Self> {
        Self::EXTENSIONS
            .iter()
            .find(|(known, _)| *known == extension)
            .map(|(_, language)| *language)
    }

    /// Whether it is program text, in which there is test code.
    pub(crate) const fn is_code(self) -> bool {
        matches!(self, Self::Rust | Self::Python)
    }

    /// Looks through a text. Rows are read as a stream instead: see [`read_rows`].
    pub(crate) fn scan(self, text: &str, ask: Ask<'_>) -> Scan {
        match self {
            Self::Rust => rust::scan(text, ask),
            Self::Python => python::scan(text, ask),
            Self::Json => json::scan(text, ask),
            Self::JsonLines => json::scan_lines(text, ask),
            Self::Yaml => yaml::scan(text, ask),
            Self::Toml => toml::scan(text, ask),
            Self::Markdown => markdown::scan(text, ask),
        }
    }
}

/// Whether a text of a configuration file is filled in later, by a templating engine or by a
/// variable: then it is no name yet.
fn is_template(text: &str) -> bool {
    text.contains("${") || text.contains("{{") || text.contains("{%")
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_hook_and_the_guide_know_every_extension() {
        let extensions = Language::EXTENSIONS.map(|(extension, _)| extension);
        let hook = format!("files: \\.({})$", extensions.join("|"));
        let hooks = include_str!("../../../.pre-commit-hooks.yaml");
        assert!(hooks.contains(&hook), ".pre-commit-hooks.yaml should have `{hook}`");
        let guide = include_str!("../../../docs/lint.md");
        for extension in extensions {
            assert!(
                guide.contains(&format!("`.{extension}`")),
                "docs/lint.md should have `.{extension}`"
            );
        }
    }
}

#[cfg(test)]
mod testing {
    //! What the tests of all front ends need.

    use super::Language;
    use crate::keys::{DEFAULT_CONSTANTS, DEFAULT_KEYS, Keys};
    use crate::position::{Ask, Role, Scan, Value};

    pub(crate) fn scan(language: Language, text: &str) -> Scan {
        let keys = Keys::new(&DEFAULT_KEYS, &DEFAULT_CONSTANTS).unwrap();
        language.scan(text, Ask { keys: &keys, test: false, literals: false, fragment: false })
    }

    /// The positions as the source spells them: `=` for written, `~` for compared, `?` for a
    /// value that is no known text.
    pub(crate) fn positions(language: Language, text: &str) -> Vec<String> {
        let found = scan(language, text);
        assert!(found.unparsed.is_none(), "{:?}", found.unparsed);
        let mut positions = found.positions;
        positions.sort_by_key(|position| position.span.start);
        positions
            .into_iter()
            .map(|position| {
                let sign = match position.role {
                    Role::Written => '=',
                    Role::Compared => '~',
                };
                if let Value::Text { text: value, inside: Some(inside) } = &position.value {
                    assert_eq!(&text[inside.clone()], value);
                }
                match position.value {
                    Value::Text { text, .. } => format!("{}{sign}{text}", position.key),
                    Value::Formatted => {
                        format!("{}{sign}?formatted {}", position.key, &text[position.span])
                    }
                    Value::Dynamic => {
                        format!("{}{sign}?dynamic {}", position.key, &text[position.span])
                    }
                    Value::NoText(what) => format!("{}{sign}?{what}", position.key),
                }
            })
            .collect()
    }
}
