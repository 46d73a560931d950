//! Overrides from texts and files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::string::String;
use std::vec::Vec;
use std::{format, str};

use super::decode::Decoder;
use super::error::ConfigError;
use super::faults::{Faults, Problem};
use super::node::Node;
use super::{FailureClassificationOverrides, json};

/// The largest file, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// The most levels of maps and lists in a file.
pub(super) const MAX_DEPTH: usize = 32;

/// The format of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConfigFormat {
    /// JSON, `.json`.
    Json,
    /// TOML, `.toml`.
    #[cfg(feature = "toml")]
    Toml,
    /// YAML 1.2, `.yaml` or `.yml`.
    #[cfg(feature = "yaml")]
    Yaml,
}

impl ConfigFormat {
    /// The format that the extension of a file's name stands for, in any case.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            #[cfg(feature = "toml")]
            "toml" => Some(Self::Toml),
            #[cfg(feature = "yaml")]
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }
}

impl FailureClassificationOverrides {
    /// Reads JSON.
    ///
    /// # Errors
    ///
    /// Every fault of the text, with its place: unknown keys, stages, classes and labels, kinds
    /// that are neither registered nor an extension, bad statuses, wrong types, and keys that
    /// stand twice. A syntax error is the only fault, as is a text that is empty, over 1 MiB or
    /// nested over 32 levels.
    ///
    /// ```
    /// use failure_kinds::FailureClassificationOverrides;
    ///
    /// let error = FailureClassificationOverrides::from_json_str(
    ///     r#"{ "kinds": { "judge_faild": "evaluation", "agent_timeout": "modle" } }"#,
    /// )
    /// .unwrap_err();
    /// let [kind, class] = error.faults() else { panic!("both faults are told: {error}") };
    /// assert_eq!(kind.path(), "kinds.judge_faild");
    /// assert_eq!(kind.suggestion(), Some("judge_failed"));
    /// assert_eq!(class.path(), "kinds.agent_timeout");
    /// assert_eq!(class.location().map(|at| at.column), Some(60));
    /// ```
    pub fn from_json_str(text: &str) -> Result<Self, ConfigError> {
        read(text, json::tree)
    }

    /// Reads TOML.
    ///
    /// # Errors
    ///
    /// As [`Self::from_json_str`].
    #[cfg(feature = "toml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
    pub fn from_toml_str(text: &str) -> Result<Self, ConfigError> {
        read(text, super::toml::tree)
    }

    /// Reads YAML.
    ///
    /// A status may be an integer key: `429` and `"429"` are one key. Aliases are followed within
    /// limits; there are no merge keys (`<<`).
    ///
    /// # Errors
    ///
    /// As [`Self::from_json_str`].
    #[cfg(feature = "yaml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "yaml")))]
    pub fn from_yaml_str(text: &str) -> Result<Self, ConfigError> {
        read(text, super::yaml::tree)
    }

    /// Reads a file of the format that its extension stands for ([`ConfigFormat::of_path`]).
    ///
    /// # Errors
    ///
    /// As [`Self::from_json_str`], with the file's name; the file cannot be read
    /// ([`ConfigError::is_io`]), is not UTF-8, or has another extension.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, ConfigError> {
        let path = path.as_ref();
        Self::from_file(path).map_err(|error| error.in_file(path))
    }

    fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let Some(format) = ConfigFormat::of_path(path) else {
            return Err(whole(Problem::new("the extension stands for no format").help(formats())));
        };
        let bytes = read_bytes(path).map_err(ConfigError::io)?;
        // The size first: what is cut off may be half a character.
        check_size(bytes.len())?;
        let text = utf8(&bytes)?;
        match format {
            ConfigFormat::Json => Self::from_json_str(text),
            #[cfg(feature = "toml")]
            ConfigFormat::Toml => Self::from_toml_str(text),
            #[cfg(feature = "yaml")]
            ConfigFormat::Yaml => Self::from_yaml_str(text),
        }
    }
}

/// One byte more than is allowed tells a file that is too large.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn utf8(bytes: &[u8]) -> Result<&str, ConfigError> {
    str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = valid.split(|&byte| byte == b'\n').count();
        whole(Problem::new(format!("the file is not UTF-8: there is an odd byte in line {line}")))
    })
}

fn formats() -> String {
    let mut text = String::from("give the file the extension `.json`");
    for (on, extensions) in
        [(cfg!(feature = "toml"), "`.toml`"), (cfg!(feature = "yaml"), "`.yaml` or `.yml`")]
    {
        if on {
            text.push_str(" or ");
            text.push_str(extensions);
        }
    }
    text
}

fn check_size(size: usize) -> Result<(), ConfigError> {
    if size > MAX_SIZE { Err(whole(Problem::new("the file is over 1 MiB"))) } else { Ok(()) }
}

/// What keeps a format from becoming a tree: the only fault of its file.
pub(super) struct NoTree {
    pub(super) problem: Problem,
    /// Where, in bytes; empty for a place between two of them.
    pub(super) span: Option<std::ops::Range<usize>>,
}

impl NoTree {
    pub(super) fn syntax(message: &str, span: Option<std::ops::Range<usize>>) -> Self {
        Self { problem: Problem::new(format!("syntax error: {message}")), span }
    }

    pub(super) fn too_deep() -> Self {
        let message = format!("the file is nested over {MAX_DEPTH} levels");
        Self { problem: Problem::new(message), span: None }
    }
}

fn read(
    text: &str,
    tree: impl FnOnce(&str) -> Result<Node, NoTree>,
) -> Result<FailureClassificationOverrides, ConfigError> {
    check_size(text.len())?;
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(whole(Problem::new("the file is empty")));
    }
    let mut decoder = Decoder::strict();
    let overrides = match tree(text) {
        Ok(tree) => decoder.overrides(&tree),
        Err(NoTree { problem, span }) => {
            decoder.faults.push(problem, span.as_ref());
            FailureClassificationOverrides::default()
        }
    };
    decoder.faults.finish(overrides, Some(text))
}

/// A fault of a whole file.
fn whole(problem: Problem) -> ConfigError {
    let mut faults = Faults::default();
    faults.push(problem, None);
    match faults.finish((), None) {
        Err(error) => error,
        Ok(()) => unreachable!("a fault was pushed"),
    }
}
