//! The command as its users meet it: standard output, standard error, exit code.

#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes snapshots so")]

mod usage;

use snapbox::cmd::Command;

/// The command, with an environment that decides nothing by itself.
fn failure_kinds() -> Command {
    Command::new(snapbox::cmd::cargo_bin!("failure-kinds"))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("CLICOLOR")
        .env("COLUMNS", "100")
}
