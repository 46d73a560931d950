//! The command `failure-kinds`: reports on saved rows of agent evaluations, and checks names in
//! sources and data, with the vocabulary of the crate `failure-kinds`.
//!
//! This library implements the command: [`run`] is the whole program, and [`render`] writes reports
//! for the Python package.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "lint", feature = "triage")),
    allow(dead_code, reason = "the two commands share modules, and each uses a part of them")
)]

mod cli;
#[cfg(feature = "triage")]
mod compare;
mod completions;
#[cfg(feature = "triage")]
mod conditions;
mod config;
mod explain;
mod fault;
#[cfg(feature = "triage")]
mod html;
mod json;
#[cfg(feature = "lint")]
mod lint;
mod list;
mod output;
mod page;
#[cfg(any(feature = "lint", feature = "triage"))]
mod progress;
#[cfg(feature = "triage")]
mod reading;
mod registry;
#[cfg(feature = "triage")]
pub mod render;
#[cfg(feature = "triage")]
mod select;
mod terminal;
#[cfg(feature = "triage")]
mod triage;
mod usage;
mod weaver;
#[cfg(feature = "triage")]
mod words;

use std::ffi::OsString;

use clap::Parser;

use crate::cli::Cli;
use crate::fault::Fault;

/// What a command that did its work found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Nothing that the caller asked to fail on: exit code 0.
    Clean,
    /// Something that the caller asked to fail on: exit code 1.
    Found,
}

/// Runs the command with these arguments, the program's name first. Returns the exit code.
///
/// It is 0 for a command that did its work, 1 where it found what it was asked to fail on,
/// 2 for an error of usage, input or output, which is reported in one sentence on standard error.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let code = match Cli::try_parse_from(args) {
        Ok(cli) => cli.command.run().map(|outcome| match outcome {
            Outcome::Clean => 0,
            Outcome::Found => 1,
        }),
        Err(error) => usage::exit(&error),
    };
    code.unwrap_or_else(|fault| {
        terminal::error(&fault);
        Fault::EXIT_CODE
    })
}
