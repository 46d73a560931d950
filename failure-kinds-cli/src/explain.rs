//! `failure-kinds explain`: what one name means.

use std::io;

use failure_kinds::{FailureClassificationConfig, FailureStage};
use failure_kinds_core::{
    Class, Entry, GATE_DERIVED, GateDerived, HTTP_LABELS, HttpLabel, KINDS, Kind, LEGACY, Legacy,
    Quoted, RULES, Rule, STAGES, Stage, doubled, parse, resolve, suggest_among,
};

use crate::Outcome;
use crate::fault::Fault;
use crate::output::Output;
use crate::page::Page;
use crate::registry::{one_line, sets};
#[cfg(feature = "triage")]
use crate::words::{MARKS, Mark};

/// Explain a kind, class, stage, HTTP label, rule, word of a report or finding of `lint`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name to explain, such as `judge_failed`, `http_timeout` or `stage_default`
    name: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let name = args.name.as_str();
    let mut outcome = Outcome::Clean;
    Output::Stdout.write(|stream| {
        let page = &mut Page::on_stdout(stream);
        match resolve(name) {
            Entry::Registered(kind) => explain_kind(kind, page),
            Entry::Extension { server, name: kind } => explain_extension(name, server, kind, page),
            Entry::Legacy(legacy) => explain_legacy(legacy, page),
            Entry::GateDerived(class) => explain_gate_derived(class, page),
            Entry::Unregistered => match Term::named(name) {
                Some(term) => term.explain(page),
                None => {
                    outcome = Outcome::Found;
                    explain_unknown(name, page)
                }
            },
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

/// A known name that is not a name of a failure.
#[derive(Clone, Copy)]
enum Term {
    Class(Class),
    Stage(FailureStage),
    Label(&'static HttpLabel),
    Rule(&'static Rule),
    #[cfg(feature = "triage")]
    Mark(&'static Mark),
    #[cfg(feature = "lint")]
    Finding(failure_kinds_lint::Id),
}

impl Term {
    fn all() -> impl Iterator<Item = Self> + Clone {
        let terms = Class::ALL.into_iter().map(Self::Class);
        let terms = terms.chain(FailureStage::ALL.iter().copied().map(Self::Stage));
        let terms = terms.chain(HTTP_LABELS.iter().map(Self::Label));
        let terms = terms.chain(RULES.iter().map(Self::Rule));
        #[cfg(feature = "triage")]
        let terms = terms.chain(MARKS.iter().map(Self::Mark));
        #[cfg(feature = "lint")]
        let terms = terms.chain(failure_kinds_lint::Id::ALL.iter().copied().map(Self::Finding));
        terms
    }

    fn named(name: &str) -> Option<Self> {
        Self::all().find(|term| term.name() == name)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Class(class) => class.as_str(),
            Self::Stage(stage) => stage.as_str(),
            Self::Label(label) => label.name,
            Self::Rule(rule) => rule.name,
            #[cfg(feature = "triage")]
            Self::Mark(mark) => mark.name,
            #[cfg(feature = "lint")]
            Self::Finding(id) => id.as_str(),
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Class(_) => "class",
            Self::Stage(_) => "stage",
            Self::Label(_) => "HTTP label",
            Self::Rule(_) => "rule",
            #[cfg(feature = "triage")]
            Self::Mark(_) => "word of a report",
            #[cfg(feature = "lint")]
            Self::Finding(_) => "finding",
        }
    }

    fn explain(self, page: &mut Page<'_>) -> io::Result<()> {
        page.heading(self.name())?;
        match self {
            Self::Class(class) => explain_class(class, page),
            Self::Stage(stage) => explain_stage(stage, page),
            Self::Label(label) => explain_label(label, page),
            Self::Rule(rule) => explain_rule(rule, page),
            #[cfg(feature = "triage")]
            Self::Mark(mark) => page.sentence(format!("Of {}: {}.", mark.of, mark.meaning)),
            #[cfg(feature = "lint")]
            Self::Finding(id) => explain_finding(id, page),
        }
    }
}

fn explain_class(class: Class, page: &mut Page<'_>) -> io::Result<()> {
    page.sentence(class.summary())?;
    page.sentence("A class: the side that a report puts a failure on.")?;
    page.blank()?;
    let kinds = KINDS.iter().filter(|kind| kind.default == Some(class)).map(|kind| kind.name);
    let gate = GATE_DERIVED.iter().filter(|gate| gate.class == Some(class)).map(|gate| gate.name);
    let stages = STAGES.into_iter().zip(Stage::ALL);
    let stages = stages.filter(|(_, stage)| stage.default_class() == Some(class));
    let labels = HTTP_LABELS.iter().filter(|label| label.default == Some(class));
    let defaults: [(&str, Vec<&str>); 4] = [
        ("kinds", kinds.collect()),
        ("gate-derived classes", gate.collect()),
        ("stages", stages.map(|(name, _)| name).collect()),
        ("HTTP labels", labels.map(|label| label.name).collect()),
    ];
    let defaults = defaults.into_iter().filter(|(_, names)| !names.is_empty());
    let mut defaults: Vec<_> =
        defaults.map(|(what, names)| format!("{what}: {}", names.join(", "))).collect();
    if FailureClassificationConfig::shared_default().unknown().as_str() == class.as_str() {
        defaults.push("failures that no other rule decides".to_owned());
    }
    page.facts("default of", &defaults)
}

fn explain_stage(stage: FailureStage, page: &mut Page<'_>) -> io::Result<()> {
    page.sentence(stage.summary())?;
    page.sentence("A stage of an episode. Its classes apply where the stage was admitted.")?;
    page.blank()?;
    let config = FailureClassificationConfig::shared_default().stage(stage);
    let default = config.default_class();
    page.fact("default side", default.map_or("none: later rules decide", |class| class.as_str()))?;
    let kinds = config.kinds().filter_map(|(kind, class)| Some(format!("{kind}: {}", class?)));
    page.facts("kinds", &kinds.collect::<Vec<_>>())
}

fn explain_label(label: &HttpLabel, page: &mut Page<'_>) -> io::Result<()> {
    page.sentence(label.summary)?;
    if !label.detail.is_empty() {
        page.sentence(one_line(label.detail))?;
    }
    page.sentence("A label of HTTP statuses.")?;
    page.blank()?;
    page.fact("statuses", label.statuses())?;
    page.fact("default side", label.default.map_or("none: later rules decide", Class::as_str))
}

fn explain_rule(rule: &Rule, page: &mut Page<'_>) -> io::Result<()> {
    page.sentence(rule.summary)?;
    page.sentence("A rule of the classification. The first rule that gives a class decides.")?;
    page.blank()?;
    let steps = RULES.iter().map(|rule| rule.step).max().unwrap_or_default();
    page.fact("order", format!("{} of {steps}", rule.step))
}

#[cfg(feature = "lint")]
fn explain_finding(id: failure_kinds_lint::Id, page: &mut Page<'_>) -> io::Result<()> {
    let finding = id.explanation();
    page.sentence("A finding of `failure-kinds lint`.")?;
    page.sentence(finding.what)?;
    page.blank()?;
    page.fact("default level", finding.level)?;
    page.fact("why", finding.why)?;
    page.fact("how to fix it", finding.fix)?;
    page.fact(&format!("in {}", finding.language), finding.example)
}

fn explain_unknown(name: &str, page: &mut Page<'_>) -> io::Result<()> {
    let Err(refusal) = parse(name) else { return Ok(()) };
    if refusal.suggestion.is_none()
        && let Some((noun, similar)) = similar_name(name)
    {
        page.sentence(format!("`{}` is not a known name", Quoted(name)))?;
        return page.sentence(format!("a similar {noun} is `{similar}`"));
    }
    page.sentence(refusal.problem(name))?;
    refusal.help(name).map_or(Ok(()), |help| page.sentence(help))?;
    refusal.note(name).map_or(Ok(()), |note| page.sentence(note))
}

/// The name that was most likely meant, of all but kinds, after what it is.
fn similar_name(text: &str) -> Option<(&'static str, &'static str)> {
    let names = Term::all().map(|term| (term.noun(), term.name()));
    let names = names.chain(LEGACY.iter().map(|legacy| ("legacy label", legacy.label)));
    let mut names = names.chain(GATE_DERIVED.iter().map(|gate| ("gate-derived class", gate.name)));
    let similar = suggest_among(text, &names.clone().map(|(_, name)| name))?;
    names.find(|(_, name)| *name == similar)
}

fn side(class: Option<Class>) -> &'static str {
    class.map_or("none: the name alone does not decide", Class::as_str)
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
