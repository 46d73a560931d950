//! The command as its users meet it: standard output, standard error, exit code.

#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes snapshots so")]
#![allow(clippy::format_collect, reason = "rows of a test are few")]
#![allow(clippy::unwrap_used, reason = "what cannot go on fails the test")]

#[cfg(unix)]
mod ci;
#[cfg(feature = "triage")]
mod compare;
mod completions;
mod config;
mod explain;
#[cfg(all(unix, feature = "lint", feature = "triage"))]
mod faults;
#[cfg(feature = "lint")]
mod lint;
mod list;
#[cfg(feature = "triage")]
mod select;
#[cfg(any(feature = "lint", feature = "triage"))]
mod support;
#[cfg(feature = "triage")]
mod triage;
#[cfg(feature = "triage")]
mod usage;

use std::path::PathBuf;

use snapbox::cmd::Command;

/// The command, with an environment that decides nothing by itself.
fn failure_kinds() -> Command {
    Command::new(snapbox::cmd::cargo_bin!("failure-kinds"))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("CLICOLOR")
        .env("COLUMNS", "100")
}

/// The root of the repository.
fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
