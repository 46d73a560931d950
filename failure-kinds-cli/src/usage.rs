//! Help, version and usage errors.

use clap::error::ErrorKind;

use crate::fault::Fault;
use crate::{output, terminal};

/// Prints help and version as clap does, and a usage error as one sentence.
pub(crate) fn exit(error: &clap::Error) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            match output::written(error.print()) {
                Ok(()) => 0,
                Err(fault) => {
                    terminal::error(&fault);
                    Fault::EXIT_CODE
                }
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Fault::EXIT_CODE
        }
        _ => {
            terminal::error(&Fault::new(sentence(&error.to_string())));
            Fault::EXIT_CODE
        }
    }
}

/// Clap's message and tips on one line, without the usage.
fn sentence(message: &str) -> String {
    let end = ["\n\nUsage:", "\n\nFor more information"]
        .into_iter()
        .filter_map(|tail| message.find(tail))
        .min()
        .unwrap_or(message.len());
    let mut sentence = String::new();
    for line in message[..end].lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !sentence.is_empty() {
            sentence.push_str(if sentence.ends_with(':') { " " } else { "; " });
        }
        sentence.push_str(line);
    }
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    format!("{}; see `--help`", failure_kinds_core::text::Escaped(sentence))
}
