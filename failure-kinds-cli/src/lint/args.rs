//! The arguments of the command.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::render::Format;

/// Check the names of failure kinds in sources and saved data
///
/// Reads Rust, Python, JSON, JSON Lines, YAML, TOML and Markdown, and checks the values of keys such
/// as `failure_kind`. Exits with 0 if nothing is found, 1 for findings at or above `--fail-on`, and
/// 2 if lint itself fails.
#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Files and folders; `-` reads standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<PathBuf>,

    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Full)]
    pub(super) format: Format,

    /// The lowest level of a finding that makes the exit code 1
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::Error)]
    pub(super) fail_on: FailOn,

    /// Apply safe fixes: the renames of legacy labels
    #[arg(long, conflicts_with = "diff")]
    pub(super) fix: bool,

    /// Show what `--fix` would change, and change nothing
    #[arg(long)]
    pub(super) diff: bool,

    /// With `--fix` or `--diff`, also write `failure_kind!` for bare strings in Rust, which can
    /// change a type
    #[arg(long)]
    pub(super) unsafe_fixes: bool,

    /// Show counts of findings and names instead of the findings
    #[arg(long, conflicts_with = "diff")]
    pub(super) statistics: bool,

    /// The configuration of all files; by default the nearest `failure-kinds.toml` of each
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,

    /// Read files that gitignore rules or `exclude` leave out
    #[arg(long)]
    pub(super) no_ignore: bool,

    /// The name that standard input would have as a file, for its language and configuration
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
