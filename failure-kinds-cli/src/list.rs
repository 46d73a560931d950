//! `failure-kinds list`: the vocabulary.

use std::io;

use clap::ValueEnum;
use comfy_table::CellAlignment::Left;
use failure_kinds_core::{Class, GATE_DERIVED, KINDS, LEGACY};

use crate::fault::Fault;
use crate::output::Output;
use crate::page::{Columns, Page};
use crate::registry::{Registry, SCHEMA};
use crate::{Outcome, json, weaver};

/// Show the vocabulary: registered kinds, gate-derived classes and legacy labels
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Text for people
    #[default]
    Text,
    /// JSON for programs, as in `registry.json`
    Json,
    /// The JSON Schema of `registry.json`
    Schema,
    /// OpenTelemetry registry for weaver, in YAML
    Weaver,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    Output::Stdout.write(|stream| match args.format {
        Format::Text => write(&mut Page::on_stdout(stream)),
        Format::Json => json::write(&Registry::new(), stream),
        Format::Schema => stream.write_all(SCHEMA.as_bytes()),
        Format::Weaver => weaver::write(stream),
    })?;
    Ok(Outcome::Clean)
}

const KIND_COLUMNS: &Columns =
    &[("NAME", Left), ("DOMAIN", Left), ("DEFAULT SIDE", Left), ("", Left)];
const GATE_COLUMNS: &Columns = &[("NAME", Left), ("SIDE", Left)];

fn write(page: &mut Page<'_>) -> io::Result<()> {
    let side = |class: Option<Class>| class.map_or("-", Class::as_str).to_owned();
    page.heading(format!("REGISTERED KINDS: {}", KINDS.len()))?;
    let kinds = KINDS.iter().map(|kind| {
        let server = if kind.server { "server" } else { "" };
        let domain = kind.domain.as_str();
        vec![kind.name.to_owned(), domain.to_owned(), side(kind.default), server.to_owned()]
    });
    page.table(KIND_COLUMNS, kinds.collect(), |page, row| page.detail(INDENT, KINDS[row].summary))?;

    page.heading(format!("GATE-DERIVED CLASSES: {}, which no producer emits", GATE_DERIVED.len()))?;
    let classes = GATE_DERIVED.iter().map(|class| vec![class.name.to_owned(), side(class.class)]);
    page.table(GATE_COLUMNS, classes.collect(), |page, row| {
        page.detail(INDENT, GATE_DERIVED[row].summary)
    })?;

    page.heading(format!("LEGACY LABELS: {}, none of them registered", LEGACY.len()))?;
    let width = LEGACY.iter().map(|legacy| legacy.label.len()).max().unwrap_or(0) + 2;
    LEGACY.iter().try_for_each(|legacy| match (legacy.successor(), legacy.hint()) {
        (Some(successor), _) => page.entry(legacy.label, width, format!("now {successor}")),
        (None, hint) => page.entry(legacy.label, width, hint.unwrap_or_default()),
    })
}

/// Where the details of a line start.
const INDENT: usize = 6;
