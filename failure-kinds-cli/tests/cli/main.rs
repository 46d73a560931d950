//! The command as its users meet it: standard output, standard error, exit code.

#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes snapshots so")]
#![allow(clippy::format_collect, reason = "rows of a test are few")]
#![allow(clippy::unwrap_used, reason = "what cannot go on fails the test")]

mod completions;
mod config;
mod explain;
#[cfg(unix)]
mod faults;
mod lint;
mod list;
mod support;
mod triage;
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
