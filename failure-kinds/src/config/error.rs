use std::borrow::ToOwned;
use std::boxed::Box;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use failure_kinds_core::text::{EscapedPath, Quoted};

use crate::closed::codes;

/// What is wrong with a classification configuration: every fault, in the order of the file if it
/// was read from one.
///
/// The message has one line for each fault. To show a fault in its source, use
/// [`Self::source_text`] and [`ConfigFault::location`].
///
/// ```
/// use failure_kinds::{ConfigCode, FailureClassificationOverrides};
///
/// let text = r#"{ "kinds": { "judge_failed": "modle", "judge_faild": "model" } }"#;
/// let error = FailureClassificationOverrides::from_json_str(text).unwrap_err();
/// let [class, kind] = error.faults() else { panic!("{error}") };
/// assert_eq!((class.code(), class.suggestion()), (ConfigCode::UnknownClass, Some("model")));
/// assert_eq!((kind.code().as_str(), kind.path()), ("unknown_kind", "kinds.judge_faild"));
/// let location = class.location().unwrap();
/// assert_eq!(location.to_string(), "line 1, column 30");
/// assert_eq!(&error.source_text().unwrap()[location.span.clone()], "\"modle\"");
/// ```
#[derive(Debug)]
pub struct ConfigError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    faults: Vec<ConfigFault>,
    file: Option<PathBuf>,
    source_text: Option<Box<str>>,
    io: Option<io::Error>,
}

/// One fault of a classification configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConfigFault {
    pub(super) code: ConfigCode,
    pub(super) path: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) suggestion: Option<String>,
    pub(super) location: Option<ConfigLocation>,
    pub(super) first: Option<ConfigLocation>,
}

codes! {
    /// What sort of fault it is, for programs that treat them differently.
    ConfigCode {
        /// The file cannot be read.
        Io = "io"
        /// The extension of the file is not that of a format.
        UnknownFormat = "unknown_format"
        /// The file is empty.
        Empty = "empty"
        /// The file is not UTF-8.
        NotUtf8 = "not_utf8"
        /// The file is over 1 MiB.
        TooLarge = "too_large"
        /// The file is nested over 32 levels.
        TooDeep = "too_deep"
        /// The file has too many entries, with aliases expanded.
        TooManyEntries = "too_many_entries"
        /// The text does not follow the syntax of its format, or holds several documents.
        Syntax = "syntax"
        /// A map has a key more than once.
        DuplicateKey = "duplicate_key"
        /// There is no such key.
        UnknownKey = "unknown_key"
        /// A merge key of YAML (`<<`).
        MergeKey = "merge_key"
        /// A value or a key has another type than expected.
        WrongType = "wrong_type"
        /// A status key is neither three digits in 100..=599 nor a pattern.
        InvalidHttpStatus = "invalid_http_status"
        /// There is no such stage here.
        UnknownStage = "unknown_stage"
        /// There is no such HTTP label.
        UnknownHttpLabel = "unknown_http_label"
        /// There is no such class, or it cannot be cleared.
        UnknownClass = "unknown_class"
        /// The text is neither a registered kind nor an extension.
        UnknownKind = "unknown_kind"
        /// An environment does not declare this extension of its own server.
        UndeclaredKind = "undeclared_kind"
    }
}

/// A place in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ConfigLocation {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The bytes of the text, on character boundaries; empty for a place between two characters.
    pub span: Range<usize>,
}

impl ConfigError {
    pub(super) fn new(faults: Vec<ConfigFault>, source_text: Option<&str>) -> Self {
        let source_text = source_text.map(Into::into);
        Self(Box::new(Inner { faults, file: None, source_text, io: None }))
    }

    pub(super) fn io(error: io::Error) -> Self {
        let fault = ConfigFault {
            code: ConfigCode::Io,
            path: String::new(),
            message: std::format!("cannot read the file: {error}"),
            help: None,
            suggestion: None,
            location: None,
            first: None,
        };
        let mut this = Self::new(std::vec![fault], None);
        this.0.io = Some(error);
        this
    }

    pub(super) fn in_file(mut self, file: &Path) -> Self {
        self.0.file = Some(file.to_owned());
        self
    }

    /// The faults; there is at least one.
    #[must_use]
    pub fn faults(&self) -> &[ConfigFault] {
        &self.0.faults
    }

    /// The file, if the configuration was read from one by its name.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The text that the locations of the faults refer to.
    #[must_use]
    pub fn source_text(&self) -> Option<&str> {
        self.0.source_text.as_deref()
    }

    /// Whether the file could not be read at all; [`Error::source`] then says why.
    #[must_use]
    pub fn is_io(&self) -> bool {
        self.0.io.is_some()
    }

    /// Puts a path before the path of every fault, for a configuration that is part of a larger
    /// one: `stages.agent` under `failures` is `failures.stages.agent`.
    #[must_use]
    pub fn with_path_prefix(mut self, prefix: &str) -> Self {
        for fault in &mut self.0.faults {
            let dot = if fault.path.is_empty() || prefix.is_empty() { "" } else { "." };
            fault.path.insert_str(0, dot);
            fault.path.insert_str(0, prefix);
        }
        self
    }
}

impl ConfigFault {
    /// What sort of fault it is.
    #[must_use]
    pub const fn code(&self) -> ConfigCode {
        self.code
    }

    /// The keys that lead to it, joined by dots, such as `stages.agent.default`. Empty for a
    /// fault of the whole file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong, in one clause without a final period.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to write instead or to look at, in one clause.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The name that was most likely meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// Where it is, if the configuration was read from a text.
    #[must_use]
    pub const fn location(&self) -> Option<&ConfigLocation> {
        self.location.as_ref()
    }

    /// Where a duplicate key is first.
    #[must_use]
    pub const fn first_location(&self) -> Option<&ConfigLocation> {
        self.first.as_ref()
    }
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults().iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            match (self.file(), &fault.location) {
                (Some(file), None) => write!(f, "{}: ", EscapedPath(file))?,
                (Some(file), Some(at)) => {
                    write!(f, "{}:{}:{}: ", EscapedPath(file), at.line, at.column)?;
                }
                (None, Some(at)) => write!(f, "{at}: ")?,
                (None, None) => {}
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for ConfigFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if let Some(first) = &self.first {
            write!(f, ", first in line {}", first.line)?;
        }
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        Ok(())
    }
}

impl Display for ConfigLocation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.io.as_ref().map(|error| error as _)
    }
}

/// One key of a path: as it is, or quoted if it would not read as one key.
pub(super) fn path_segment(key: &str) -> String {
    let plain = key.starts_with(|char: char| char != ':')
        && !key.ends_with(':')
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-'));
    if plain { std::format!("{}", Quoted(key)) } else { std::format!("\"{}\"", Quoted(key)) }
}
