//! The front ends: one for each language, all of them yielding a [`Scan`].

mod data;
mod json_comments;
mod markdown;
mod python;
mod rows;
mod rust;

use std::path::Path;

use failure_kinds_rows::Compression;

use super::position::{Scan, ScanOptions};

pub(crate) use self::rows::{RowNames, read as read_rows};

/// A language that is checked.
#[derive(Debug)]
pub struct Language {
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// What reads it, in words for the guide.
    pub read_by: &'static str,
    /// Files of another language's extension that are in this one, by their names up to the first
    /// dot.
    names: &'static [&'static str],
    /// What the fences of blocks in Markdown call it.
    fences: &'static [&'static str],
    pub(crate) kind: LanguageKind,
    scan: fn(&str, ScanOptions<'_>) -> Scan,
}

/// What the files of a language are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LanguageKind {
    /// Programs, in which there is test code.
    Code,
    /// Data and documentation.
    Data,
    /// Saved rows, which are read as a stream: see [`read_rows`].
    Rows,
}

/// All languages that are checked.
pub static LANGUAGES: &[Language] = &[
    Language {
        extensions: &["rs"],
        read_by: "syn, with the blocks of code in documentation; macro calls as expressions, or by their tokens",
        names: &[],
        fences: &["rust", "rs"],
        kind: LanguageKind::Code,
        scan: rust::scan,
    },
    Language {
        extensions: &["py", "pyi"],
        read_by: "ruff's own parser (`ruff_python_parser`, pinned to 0.0.9)",
        names: &[],
        fences: &["python", "py", "python3"],
        kind: LanguageKind::Code,
        scan: python::scan,
    },
    Language {
        extensions: &["jsonc"],
        read_by: "a reader of JSON with comments; also for the `.json` files of tools such as `tsconfig.json`",
        // These tools read comments in files that end in `.json`.
        names: &[
            "api-extractor",
            "biome",
            "deno",
            "devcontainer",
            "extensions",
            "jsconfig",
            "keybindings",
            "launch",
            "nx",
            "pyrightconfig",
            "settings",
            "tasks",
            "tsconfig",
            "tslint",
            "turbo",
            "typedoc",
            "wrangler",
        ],
        fences: &["jsonc", "json5"],
        kind: LanguageKind::Data,
        scan: data::json_with_comments,
    },
    Language {
        extensions: &["json"],
        read_by: "the parser of configuration files",
        names: &[],
        fences: &["json"],
        kind: LanguageKind::Data,
        scan: data::json,
    },
    Language {
        extensions: &["jsonl", "ndjson"],
        read_by: "the reader of `triage`, as a stream; also if they are compressed",
        names: &[],
        fences: &["jsonl", "ndjson", "jsonlines"],
        kind: LanguageKind::Rows,
        scan: data::json_lines,
    },
    Language {
        extensions: &["yaml", "yml"],
        read_by: "the parser of configuration files",
        names: &[],
        fences: &["yaml", "yml"],
        kind: LanguageKind::Data,
        scan: data::yaml,
    },
    Language {
        extensions: &["toml"],
        read_by: "the parser of configuration files",
        names: &[],
        fences: &["toml"],
        kind: LanguageKind::Data,
        scan: data::toml,
    },
    Language {
        extensions: &["md", "mdx", "markdown"],
        read_by: "pulldown-cmark: blocks of code in these languages, the front matter, spans of code",
        names: &[],
        fences: &[],
        kind: LanguageKind::Data,
        scan: markdown::scan,
    },
];

impl Language {
    /// The language of a file, by its name. Rows may be compressed.
    pub(crate) fn of(path: &Path) -> Option<&'static Self> {
        let extension = |path: &Path| {
            path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase)
        };
        let mut found = extension(path)?;
        let is_packed = Compression::of_name(path).is_some();
        if is_packed {
            found = extension(Path::new(path.file_stem()?))?;
        } else if found == "json" {
            let name = path.file_name()?.to_str()?.split('.').next()?;
            if let Some(language) = LANGUAGES.iter().find(|known| known.names.contains(&name)) {
                return Some(language);
            }
        }
        let language = LANGUAGES.iter().find(|known| known.extensions.contains(&&*found))?;
        (!is_packed || language.kind == LanguageKind::Rows).then_some(language)
    }

    /// The language of a block in Markdown, by the first word of its fence.
    fn of_fence(info: &str) -> Option<&'static Self> {
        let word = info.split([',', ' ', '{', '\t']).find(|word| !word.is_empty())?;
        let word = word.to_ascii_lowercase();
        LANGUAGES.iter().find(|known| known.fences.contains(&&*word))
    }

    /// Whether it is Rust, whose examples hide lines.
    fn is_rust(&self) -> bool {
        self.extensions == ["rs"]
    }

    /// Checks a text.
    pub(crate) fn scan(&self, text: &str, options: ScanOptions<'_>) -> Scan {
        (self.scan)(text, options)
    }
}

#[cfg(test)]
mod testing {
    //! What the tests of all front ends need.

    use std::path::Path;

    use super::super::keys::{DEFAULT_KEYS, Keys, default_constants};
    use super::super::position::{Role, Scan, ScanOptions, Value};
    use super::Language;

    /// What is found in a file of this name.
    pub(crate) fn scan(name: &str, text: &str) -> Scan {
        let keys = Keys::new(&DEFAULT_KEYS, &default_constants());
        let options = ScanOptions { keys: &keys, test: false, literals: false, fragment: false };
        Language::of(Path::new(name)).unwrap().scan(text, options)
    }

    /// The positions as the source spells them: `=` for written, `~` for compared, `|` for a
    /// default, `?` for a value that is not a known text.
    pub(crate) fn positions(name: &str, text: &str) -> Vec<String> {
        let found = scan(name, text);
        assert!(found.unparsed.is_none(), "{:?}", found.unparsed);
        let mut positions = found.positions;
        positions.sort_by_key(|position| position.span.start);
        positions
            .into_iter()
            .map(|position| {
                let sign = match position.role {
                    Role::Written => '=',
                    Role::Compared => '~',
                    Role::Default => '|',
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
                    Value::NotText(what) => format!("{}{sign}?{what}", position.key),
                }
            })
            .collect()
    }
}
