//! The command line: every command is registered here, and only here.

use clap::{Parser, Subcommand};

use crate::fault::Fault;
#[cfg(feature = "lint")]
use crate::lint;
use crate::{Outcome, completions, config, explain, list};
#[cfg(feature = "triage")]
use crate::{compare, select, triage};

/// What failed in agent evaluations, how often, at which stage and on whose side.
#[derive(Debug, Parser)]
#[command(name = "failure-kinds", version, about, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A command is a module with its `Args` and a function `run`: one variant here and one arm below.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[cfg(feature = "triage")]
    Triage(triage::Args),
    #[cfg(feature = "triage")]
    Select(select::Args),
    #[cfg(feature = "triage")]
    Compare(compare::Args),
    #[cfg(feature = "lint")]
    Lint(lint::Args),
    List(list::Args),
    Explain(explain::Args),
    Config(config::Args),
    Completions(completions::Args),
}

impl Command {
    pub(crate) fn run(self) -> Result<Outcome, Fault> {
        match self {
            #[cfg(feature = "triage")]
            Self::Triage(args) => triage::run(&args),
            #[cfg(feature = "triage")]
            Self::Select(args) => select::run(&args),
            #[cfg(feature = "triage")]
            Self::Compare(args) => compare::run(&args),
            #[cfg(feature = "lint")]
            Self::Lint(args) => lint::run(&args),
            Self::List(args) => list::run(&args),
            Self::Explain(args) => explain::run(&args),
            Self::Config(args) => config::run(&args),
            Self::Completions(args) => completions::run(&args),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::builder::PossibleValue;

    use super::*;

    #[test]
    fn every_option_has_one_line_of_help() {
        // What is left of 100 columns after the indent.
        const WIDTH: usize = 90;
        for command in Cli::command().get_subcommands() {
            for argument in command.get_arguments() {
                let name = (command.get_name(), argument.get_id());
                let help = argument.get_help().unwrap_or_else(|| panic!("{name:?}")).to_string();
                assert!(help.chars().count() <= WIDTH, "{name:?}: {help}");
                assert!(argument.get_long_help().is_none(), "{name:?} has more than one paragraph");
            }
        }
    }

    #[test]
    fn the_examples_of_the_help_are_valid() {
        for command in Cli::command().get_subcommands() {
            let Some(help) = command.get_after_help().map(ToString::to_string) else { continue };
            let (_, examples) = help.split_once("Examples:\n").unwrap();
            for example in examples.lines() {
                let words = example.split_whitespace().map(|word| word.trim_matches('\''));
                let parsed = Cli::try_parse_from(words);
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn the_guides_list_every_option_with_its_values() {
        let cli = Cli::command();
        let guides: &[(&str, &str)] = &[
            #[cfg(feature = "triage")]
            ("triage", include_str!("../../docs/triage.md")),
            #[cfg(feature = "triage")]
            ("select", include_str!("../../docs/acting.md")),
            #[cfg(feature = "triage")]
            ("compare", include_str!("../../docs/acting.md")),
            #[cfg(feature = "lint")]
            ("lint", include_str!("../../docs/lint.md")),
        ];
        for (command, guide) in guides {
            let synopsis = guide.split("```").nth(1).unwrap();
            for option in cli.find_subcommand(command).unwrap().get_arguments() {
                let Some(long) = option.get_long() else { continue };
                let takes_values = option.get_action().takes_values();
                let values = if takes_values { option.get_possible_values() } else { Vec::new() };
                let values: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
                let shown = format!("--{long} {}", values.join("|"));
                let shown = shown.trim_end();
                assert!(synopsis.contains(shown), "docs/{command}.md should show `{shown}`");
            }
        }
    }
}
