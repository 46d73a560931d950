//! The arguments of the command.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::render::Format;

/// Check the names of failure kinds in sources and saved data
///
/// Checks the values of keys such as `failure_kind` in Rust, Python, JSON, JSON Lines, YAML, TOML and
/// Markdown. Exits with 0 if nothing is found, 1 for findings at or above `--fail-on`, and 2 if lint
/// itself fails.
#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Files and folders; `-` for stdin
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Full)]
    pub(super) format: Format,

    /// Exit with 1 if there are findings of this level or above
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::Error)]
    pub(super) fail_on: FailOn,

    /// Apply safe fixes, which rename legacy labels
    #[arg(long, conflicts_with = "diff")]
    pub(super) fix: bool,

    /// Show what `--fix` would change, without changing anything
    #[arg(long)]
    pub(super) diff: bool,

    /// With `--fix` or `--diff`, also fix bare strings in Rust
    #[arg(long)]
    pub(super) unsafe_fixes: bool,

    /// Show counts of findings and names instead of the findings
    #[arg(long, conflicts_with = "diff")]
    pub(super) statistics: bool,

    /// Configuration of all files [default: nearest `failure-kinds.toml`]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,

    /// Also check files that gitignore rules or `exclude` leave out
    #[arg(long)]
    pub(super) no_ignore: bool,

    /// File name of stdin, which decides its language and configuration
    #[arg(long, value_name = "NAME")]
    pub(super) stdin_filename: Option<PathBuf>,

    /// Only create a commented `failure-kinds.toml` in the current folder
    #[arg(long)]
    pub(super) init: bool,
}

const HELP: &str = "\
Examples:
  failure-kinds lint
  failure-kinds lint src/ --diff
  failure-kinds lint src/ --fix
  failure-kinds lint . --format sarif --fail-on warning
  failure-kinds lint - --stdin-filename client.py";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    None,
}
