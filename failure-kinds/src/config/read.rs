//! Overrides from texts and files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::string::String;
use std::vec::Vec;
use std::{format, str};

use super::FailureClassificationOverrides;
use super::decoder::{Decoder, Problem};
use super::error::{ConfigCode, ConfigError};
use super::section::Section;
use crate::ConfigFormat;
use crate::FailureClassificationConfig;
use crate::document::Document;

/// The largest file, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// The most levels of maps and lists in a file.
const MAX_DEPTH: usize = 32;

impl FailureClassificationOverrides {
    /// Reads JSON.
    ///
    /// # Errors
    ///
    /// Every fault of the text, with its location: unknown keys, stages, classes and labels, kinds
    /// that are neither registered nor an extension, bad statuses, wrong types, and duplicate
    /// keys. A syntax error is reported alone, and so is a text that is empty, over 1 MiB or nested
    /// over 32 levels.
    ///
    /// ```
    /// use failure_kinds::{ConfigCode, FailureClassificationOverrides};
    ///
    /// let error = FailureClassificationOverrides::from_json_str(
    ///     r#"{ "kinds": { "judge_faild": "evaluation", "agent_timeout": "modle" } }"#,
    /// )
    /// .unwrap_err();
    /// let [kind, class] = error.faults() else { panic!("both faults are reported: {error}") };
    /// assert_eq!(kind.path(), "kinds.judge_faild");
    /// assert_eq!(kind.code(), ConfigCode::UnknownKind);
    /// assert_eq!(kind.suggestion(), Some("judge_failed"));
    /// assert_eq!(class.path(), "kinds.agent_timeout");
    /// assert_eq!(class.location().map(|at| at.column), Some(60));
    /// ```
    pub fn from_json_str(text: &str) -> Result<Self, ConfigError> {
        read(text, ConfigFormat::Json)
    }

    /// Reads TOML.
    ///
    /// # Errors
    ///
    /// As [`Self::from_json_str`].
    #[cfg(feature = "toml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
    pub fn from_toml_str(text: &str) -> Result<Self, ConfigError> {
        read(text, ConfigFormat::Toml)
    }

    /// Reads YAML.
    ///
    /// A status may be an integer key: `429` and `"429"` are the same key. Aliases are expanded
    /// within limits; merge keys (`<<`) are rejected.
    ///
    /// ```
    /// use failure_kinds::FailureClassificationOverrides;
    ///
    /// let overrides = FailureClassificationOverrides::from_yaml_str(
    ///     "class_by_http_status: { 429: evaluation }",
    /// )?;
    /// assert_eq!(overrides.http_statuses().collect::<Vec<_>>(), [("429", "evaluation")]);
    /// # Ok::<(), failure_kinds::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Self::from_json_str`].
    #[cfg(feature = "yaml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "yaml")))]
    pub fn from_yaml_str(text: &str) -> Result<Self, ConfigError> {
        read(text, ConfigFormat::Yaml)
    }

    /// Reads a file in the format of its extension ([`ConfigFormat::of_path`]).
    ///
    /// # Errors
    ///
    /// As [`Self::from_json_str`], with the file's name; or the file cannot be read
    /// ([`ConfigError::is_io`]), is not UTF-8, or has another extension.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, ConfigError> {
        let path = path.as_ref();
        read_file(path).map_err(|error| error.in_file(path))
    }
}

fn read_file(path: &Path) -> Result<FailureClassificationOverrides, ConfigError> {
    let Some(format) = ConfigFormat::of_path(path) else {
        let message = "the extension is not that of a format";
        return Err(whole(Problem::new(ConfigCode::UnknownFormat, message).help(extensions())));
    };
    let bytes = read_bytes(path).map_err(ConfigError::io)?;
    // The size first: the end of a text that was cut off may be half a character.
    check_size(bytes.len())?;
    read(utf8(&bytes)?, format)
}

/// Reads one byte more than is allowed, which shows that a file is too large.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn utf8(bytes: &[u8]) -> Result<&str, ConfigError> {
    str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = valid.split(|&byte| byte == b'\n').count();
        let message = format!("the file is not UTF-8: line {line} has an invalid byte");
        whole(Problem::new(ConfigCode::NotUtf8, message))
    })
}

fn extensions() -> String {
    let mut text = String::from("give the file the extension");
    let extensions = ConfigFormat::ALL.iter().flat_map(|format| format.extensions());
    for (index, extension) in extensions.enumerate() {
        text.push_str(if index == 0 { " `." } else { " or `." });
        text.push_str(extension);
        text.push('`');
    }
    text
}

fn check_size(size: usize) -> Result<(), ConfigError> {
    if size > MAX_SIZE {
        return Err(whole(Problem::new(ConfigCode::TooLarge, "the file is over 1 MiB")));
    }
    Ok(())
}

fn read(text: &str, format: ConfigFormat) -> Result<FailureClassificationOverrides, ConfigError> {
    check_size(text.len())?;
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(whole(Problem::new(ConfigCode::Empty, "the file is empty")));
    }
    let document = Document::parse(text, format, MAX_DEPTH);
    let mut decoder = Decoder::for_file();
    let mut roots = document.roots();
    let root = roots.next();
    let overrides = match (document.error(), roots.next()) {
        (Some(error), _) => {
            let (code, what, span) = if error.too_deep {
                (ConfigCode::TooDeep, "the file is", None)
            } else {
                (ConfigCode::Syntax, "syntax error:", Some(error.span.clone()))
            };
            decoder.push(Problem::new(code, format!("{what} {}", error.message)), span);
            FailureClassificationOverrides::default()
        }
        (None, Some(second)) => {
            let problem = Problem::new(ConfigCode::Syntax, "a second document starts here");
            decoder.push(problem.help("write one document"), second.span());
            FailureClassificationOverrides::default()
        }
        // A YAML file of comments alone has no document.
        (None, None) => root
            .map(|root| FailureClassificationConfig::read(root, &mut decoder))
            .unwrap_or_default(),
    };
    decoder.finish(overrides, Some(text))
}

/// A fault of a whole file.
fn whole(problem: Problem) -> ConfigError {
    let mut decoder = Decoder::default();
    decoder.push(problem, None);
    match decoder.finish((), None) {
        Err(error) => error,
        Ok(()) => unreachable!("a fault was pushed"),
    }
}
