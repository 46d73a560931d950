//! `failure-kinds config default`: the default or another shipped classification, with comments.

mod toml;
mod yaml;

use std::io::{self, Write};

use clap::ValueEnum;
use failure_kinds::{
    FailureClass, FailureClassificationConfig, FailureStage, HttpEvidence, ShippedConfig,
    StageClassificationConfig,
};
use failure_kinds_core::{KINDS, Stage};

use crate::Outcome;
use crate::fault::Fault;
use crate::output::Output;

/// Print the default or another shipped classification with comments, as a starting point
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Args {
    /// Classification to print [default: the default]
    #[arg(value_name = "NAME")]
    name: Option<ShippedConfig>,

    /// List the shipped classifications
    #[arg(long, conflicts_with_all = ["name", "format"])]
    list: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    #[default]
    Toml,
    Yaml,
}

pub(crate) fn run(args: Args) -> Result<Outcome, Fault> {
    let default = FailureClassificationConfig::shared_default();
    if args.list {
        Output::Stdout.write(list)?;
        return Ok(Outcome::Clean);
    }
    Output::Stdout.write(|stream| match (args.format, args.name) {
        (Format::Toml, Some(shipped)) => stream.write_all(shipped.toml().as_bytes()),
        (Format::Yaml, Some(shipped)) => yaml::write(&shipped_blocks(shipped), stream),
        (Format::Toml, None) => toml::write(&blocks(default), stream),
        (Format::Yaml, None) => yaml::write(&blocks(default), stream),
    })?;
    Ok(Outcome::Clean)
}

fn list(stream: &mut dyn Write) -> io::Result<()> {
    writeln!(stream, "{:10}The classification that applies without any file.", "default")?;
    for shipped in ShippedConfig::ALL {
        writeln!(stream, "{shipped:10}{}", shipped.summary())?;
    }
    Ok(())
}

/// What a shipped classification changes in the default.
fn shipped_blocks(shipped: ShippedConfig) -> Vec<Block> {
    let overrides = shipped.overrides();
    let mut blocks = vec![
        given(vec![], overrides.unknown().map(|class| ("unknown", class)).into_iter()),
        given(vec!["class_by_http_status"], overrides.http_statuses()),
    ];
    for stage in FailureStage::ALL {
        if let Some(overrides) = overrides.stage(*stage) {
            let path = vec!["stages", stage.as_str()];
            let kinds_path = vec!["stages", stage.as_str(), "kinds"];
            let default = overrides.default_class().map(|class| ("default", class));
            blocks.push(given(path, default.into_iter()));
            blocks.push(given(kinds_path, overrides.kinds()));
        }
    }
    blocks.push(given(vec!["http_evidence"], overrides.http_evidence()));
    blocks.push(given(vec!["kinds"], overrides.kinds()));
    blocks.retain(|block| !block.entries.is_empty());
    let comment = shipped.summary().to_owned();
    blocks.insert(0, Block { comment, path: vec![], entries: vec![] });
    blocks
}

/// The entries of overrides. Anything but a class clears its entry.
fn given<'a>(path: Vec<&'static str>, entries: impl Iterator<Item = (&'a str, &'a str)>) -> Block {
    let entries = entries.map(|(name, class)| set(name, class.parse().ok(), String::new()));
    Block { comment: String::new(), path, entries: entries.collect() }
}

/// A table of the file: the keys that lead to it, and what is in it.
struct Block {
    comment: String,
    path: Vec<&'static str>,
    entries: Vec<Entry>,
}

/// A name with its class.
struct Entry {
    name: String,
    class: &'static str,
    /// A comment after it.
    note: String,
    /// Whether it is set. Otherwise it is a comment that shows the default.
    set: bool,
}

fn word(class: Option<FailureClass>) -> &'static str {
    class.map_or("none", FailureClass::as_str)
}

fn set(name: &str, class: Option<FailureClass>, note: String) -> Entry {
    Entry { name: name.to_owned(), class: word(class), note, set: true }
}

/// An entry that is not part of the default.
fn shown(name: &str, class: &'static str, note: &str) -> Entry {
    Entry { name: name.to_owned(), class, note: note.to_owned(), set: false }
}

const INTRODUCTION: &str = "\
Which side a report puts each failure on: the default of failure-kinds.

Every key is optional. What is absent keeps its default, and what is given is applied over it key by
key. A class is `model`, `evaluation` or `unknown`; `none` clears an entry, which then counts as
missing. The first of five rules that gives a class decides; an entry of `unknown` stops the search.";

fn blocks(config: &FailureClassificationConfig) -> Vec<Block> {
    let mut blocks = vec![
        Block { comment: INTRODUCTION.to_owned(), path: vec![], entries: vec![] },
        Block {
            comment:
                "Rule 5: the class of failures that no other rule decides. It cannot be `none`."
                    .to_owned(),
            path: vec![],
            entries: vec![set("unknown", Some(config.unknown()), String::new())],
        },
        Block {
            comment: "\
Rule 1: the class by HTTP status. A key is a status from 100 to 599 or a pattern from 1xx to 5xx;
the status comes before its pattern."
                .to_owned(),
            path: vec!["class_by_http_status"],
            entries: config
                .http_statuses()
                .map(|(key, class)| set(&key.to_string(), class, String::new()))
                .chain([shown("429", "evaluation", ""), shown("5xx", "evaluation", "")])
                .collect(),
        },
    ];
    for (index, &stage) in FailureStage::ALL.iter().enumerate() {
        let rule = "\
Rule 2: the class by the stage that a failure originates in, where the stage was admitted: the entry
for its kind, then the default.

";
        let rule = if index == 0 { rule } else { "" };
        let path = vec!["stages", stage.as_str()];
        blocks.extend(stage_blocks(
            format!("{rule}{}", Stage::ALL[index].summary()),
            path,
            config.stage(stage),
        ));
    }
    blocks.push(Block {
        comment: "Rule 3: the class by the HTTP label of the failure, then of the failed last model call.".to_owned(),
        path: vec!["http_evidence"],
        entries: HttpEvidence::ALL
            .iter()
            .map(|&label| set(label.as_str(), config.http_evidence(label), statuses(label)))
            .collect(),
    });
    blocks.push(Block {
        comment: "\
Rule 4: the class by kind alone. An entry replaces what the vocabulary says, which is shown here.
A server's own kind is written in quotation marks: \"my_server:my_kind\"."
            .to_owned(),
        path: vec!["kinds"],
        entries: KINDS
            .iter()
            .map(|kind| {
                let class = kind.default.map_or("none", failure_kinds_core::Class::as_str);
                shown(kind.name, class, kind.summary)
            })
            .collect(),
    });
    blocks
}

fn stage_blocks(
    comment: String,
    path: Vec<&'static str>,
    stage: &StageClassificationConfig,
) -> impl Iterator<Item = Block> {
    let default = set("default", stage.default_class(), String::new());
    let kinds: Vec<_> =
        stage.kinds().map(|(kind, class)| set(kind.as_str(), class, String::new())).collect();
    let mut kinds_path = path.clone();
    kinds_path.push("kinds");
    let kinds = (!kinds.is_empty()).then(|| Block {
        comment: String::new(),
        path: kinds_path,
        entries: kinds,
    });
    [Block { comment, path, entries: vec![default] }].into_iter().chain(kinds)
}

/// The statuses of a label: a few, or the rest of a hundred.
fn statuses(label: HttpEvidence) -> String {
    let all: Vec<u16> =
        (100..=599).filter(|status| HttpEvidence::project(status) == Some(label)).collect();
    match all[..] {
        [first, _, _, _, ..] => format!("every other {}xx", first / 100),
        _ => all.iter().map(u16::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// The note of an entry, as a comment after it.
fn note_after(entry: &Entry) -> String {
    if entry.note.is_empty() { String::new() } else { format!("  # {}", entry.note) }
}

/// The lines of a comment, each after `indent`.
fn comment(text: &str, indent: &str) -> String {
    text.lines()
        .map(|line| {
            let line = format!("{indent}# {line}");
            line.trim_end().to_owned() + "\n"
        })
        .collect()
}
