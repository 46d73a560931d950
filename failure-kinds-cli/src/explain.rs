//! `failure-kinds explain`: what one name means.

use std::io;

use failure_kinds::{FailureClassificationConfig, FailureStage};
use failure_kinds_core::{
    Class, Entry, GateDerived, Kind, LEGACY, Legacy, Quoted, doubled, parse, resolve,
};

use crate::Outcome;
use crate::fault::Fault;
use crate::output::Output;
use crate::page::Page;
use crate::registry::{one_line, sets};

/// Explain a kind, an extension, a gate-derived class, a legacy label or a finding of `lint`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name to explain
    name: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let name = args.name.as_str();
    let mut outcome = Outcome::Clean;
    Output::Stdout.write(|stream| {
        let page = &mut Page::on_stdout(stream);
        #[cfg(feature = "lint")]
        if let Some(id) = failure_kinds_lint::Id::parse(name) {
            return explain_finding(id, page);
        }
        match resolve(name) {
            Entry::Registered(kind) => explain_kind(kind, page),
            Entry::Extension { server, name: kind } => explain_extension(name, server, kind, page),
            Entry::Legacy(legacy) => explain_legacy(legacy, page),
            Entry::GateDerived(class) => explain_gate_derived(class, page),
            Entry::Unregistered => {
                outcome = Outcome::Found;
                explain_refusal(name, page)
            }
        }
    })?;
    Ok(outcome)
}

fn explain_kind(kind: &Kind, page: &mut Page<'_>) -> io::Result<()> {
    page.heading(kind.name)?;
    page.sentence(kind.summary)?;
    if !kind.detail.is_empty() {
        page.sentence(one_line(kind.detail))?;
    }
    page.blank()?;
    page.fact("domain", kind.domain.as_str())?;
    page.fact("default side", side(kind.default))?;
    for (stage, class) in stage_entries(kind.name) {
        page.fact("", format!("{class}, where the stage `{stage}` is admitted"))?;
    }
    if kind.server {
        page.fact("subcategory", "server, where it is on the evaluation's side")?;
    }
    write_sets(kind.name, page)?;
    page.facts("legacy labels", &labels_for(kind.name))?;
    page.fact("in Rust", format!("failure_kind!(\"{}\"), kinds::{}", kind.name, kind.constant))
}

fn explain_extension(name: &str, server: &str, kind: &str, page: &mut Page<'_>) -> io::Result<()> {
    page.heading(Quoted(name))?;
    page.sentence("An extension: a kind of one server only.")?;
    if let Some(kind) = doubled(server, kind) {
        page.sentence(format!(
            "It is a second label for a registered kind: write `{}`.",
            kind.name
        ))?;
    }
    page.blank()?;
    page.fact("server", Quoted(server))?;
    page.fact("kind", Quoted(kind))?;
    page.fact("default side", side(None))?;
    page.facts("legacy labels", &labels_for(name))
}

fn explain_legacy(legacy: &Legacy, page: &mut Page<'_>) -> io::Result<()> {
    page.heading(legacy.label)?;
    page.sentence(
        "A legacy label: saved rows and old producers hold it, and it is not registered.",
    )?;
    page.blank()?;
    if let Some(successor) = legacy.successor() {
        page.fact("renamed to", successor)?;
        if let Entry::Registered(kind) = resolve(successor) {
            page.fact("", kind.summary)?;
        }
    }
    if let Some(hint) = legacy.hint() {
        page.fact("look at", hint)?;
    }
    write_sets(legacy.label, page)
}

fn explain_gate_derived(class: &GateDerived, page: &mut Page<'_>) -> io::Result<()> {
    page.heading(class.name)?;
    page.sentence(class.summary)?;
    page.sentence("An acceptance gate derives it from saved rows; a producer never emits it.")?;
    page.blank()?;
    page.fact("side", side(class.class))?;
    write_sets(class.name, page)
}

#[cfg(feature = "lint")]
fn explain_finding(id: failure_kinds_lint::Id, page: &mut Page<'_>) -> io::Result<()> {
    let finding = id.explanation();
    page.heading(finding.name)?;
    page.sentence("A finding of `failure-kinds lint`.")?;
    page.sentence(finding.what)?;
    page.blank()?;
    page.fact("default level", finding.level)?;
    page.fact("why", finding.why)?;
    page.fact("how to fix it", finding.fix)?;
    page.fact(&format!("in {}", finding.language), finding.example)
}

fn explain_refusal(name: &str, page: &mut Page<'_>) -> io::Result<()> {
    let Err(refusal) = parse(name) else { return Ok(()) };
    #[cfg(feature = "lint")]
    if refusal.suggestion.is_none()
        && let Some(id) = failure_kinds_lint::Id::similar(name)
    {
        let name = Quoted(name);
        page.sentence(format!("`{name}` is neither a failure kind nor a finding of `lint`"))?;
        return page.sentence(format!("a similar finding is `{id}`"));
    }
    page.sentence(refusal.problem(name))?;
    refusal.help(name).map_or(Ok(()), |help| page.sentence(help))?;
    refusal.note(name).map_or(Ok(()), |note| page.sentence(note))
}

fn side(class: Option<Class>) -> &'static str {
    class.map_or("none: the name alone settles nothing", Class::as_str)
}

/// The entries of the default configuration for a kind, by stage.
fn stage_entries(name: &str) -> impl Iterator<Item = (FailureStage, &'static str)> {
    let config = FailureClassificationConfig::shared_default();
    FailureStage::ALL.iter().filter_map(move |&stage| {
        let mut entries = config.stage(stage).kinds();
        let (_, class) = entries.find(|(kind, _)| kind.as_str() == name)?;
        Some((stage, class?.as_str()))
    })
}

fn write_sets(name: &str, page: &mut Page<'_>) -> io::Result<()> {
    let sets = sets().into_iter().filter(|(_, members)| members.contains(&name));
    let sets: Vec<_> = sets.map(|(set, _)| set).collect();
    if sets.is_empty() { Ok(()) } else { page.fact("sets", sets.join(", ")) }
}

/// The legacy labels that were renamed to a name, and those whose hint names it or its domain.
fn labels_for(name: &str) -> Vec<String> {
    let in_hint = |hint: &str| {
        hint.split(|char: char| !matches!(char, 'a'..='z' | '_' | ':' | '*')).any(|word| {
            word == name || word.strip_suffix('*').is_some_and(|domain| name.starts_with(domain))
        })
    };
    let labels = LEGACY.iter().filter_map(|legacy| match (legacy.successor(), legacy.hint()) {
        (Some(successor), _) if successor == name => Some(format!("{}, renamed", legacy.label)),
        (_, Some(hint)) if in_hint(hint) => Some(format!("{}, perhaps", legacy.label)),
        _ => None,
    });
    labels.collect()
}
