//! The arguments of the command.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::render::Format;

/// Check the names of failure kinds in sources and saved data
///
/// Looks at Rust, Python, JSON, JSON Lines, YAML, TOML and Markdown, and there at the values of
/// keys such as `failure_kind`. Exits 0 when nothing is found, 1 for findings at or above
/// `--fail-on`, 2 when the work could not be done.
#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Files and folders; `-` reads standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<PathBuf>,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = Format::Full)]
    pub(super) format: Format,

    /// The lowest level of a finding that makes the exit code 1
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::Error)]
    pub(super) fail_on: FailOn,

    /// Apply the renames of legacy labels, and write `failure_kind!` for bare strings in Rust
    #[arg(long, conflicts_with = "diff")]
    pub(super) fix: bool,

    /// Show what `--fix` would change, and change nothing
    #[arg(long)]
    pub(super) diff: bool,

    /// Show counts of findings and names instead of the findings
    #[arg(long, conflicts_with = "diff")]
    pub(super) statistics: bool,

    /// The configuration; by default `failure-kinds.toml` here or in a folder above
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,

    /// The name that standard input would have as a file; its extension tells the language
    #[arg(long, value_name = "NAME")]
    pub(super) stdin_filename: Option<PathBuf>,

    /// Write a commented `failure-kinds.toml` into the current folder, and do nothing else
    #[arg(long)]
    pub(super) init: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    None,
}
