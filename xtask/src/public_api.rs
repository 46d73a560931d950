//! `docs/public-api`, the interface of the libraries. Writing and comparing all of it needs a nightly
//! compiler (see `CONTRIBUTING.md`). The lines that come from the vocabulary are generated without one.

use failure_kinds_core::{
    Class, DOMAINS, GATE_DERIVED, HTTP_LABELS, KINDS, LEGACY, RULES, STAGES, Stage,
};

use crate::Result;

/// The interface of `failure-kinds`.
pub(crate) fn runtime(committed: &str) -> Result<String> {
    let constants =
        KINDS.iter().map(|kind| format!("{}: failure_kinds::FailureKind", kind.constant));
    let text = with_items(committed, "pub const failure_kinds::kinds::", constants)?;
    let text = with_items(&text, "pub failure_kinds::FailureStage::", stages())?;
    let text = with_items(&text, "pub failure_kinds::FailureClass::", classes())?;
    let labels = HTTP_LABELS.iter().map(|label| label.variant.to_owned());
    with_items(&text, "pub failure_kinds::HttpEvidence::", labels)
}

/// The interface of `failure-kinds-core`.
pub(crate) fn core(committed: &str) -> Result<String> {
    let text = with_items(committed, "pub failure_kinds_core::Stage::", stages())?;
    let text = with_items(&text, "pub failure_kinds_core::Class::", classes())?;
    let domains = DOMAINS.iter().map(|domain| format!("{domain:?}"));
    let mut text = with_items(&text, "pub failure_kinds_core::Domain::", domains)?;
    for (item, element, len) in [
        ("const failure_kinds_core::Class::ALL", "Self", Class::ALL.len()),
        ("const failure_kinds_core::Stage::ALL", "Self", Stage::ALL.len()),
        ("const failure_kinds_core::STAGES", "&str", STAGES.len()),
        ("static failure_kinds_core::RULES", "failure_kinds_core::Rule", RULES.len()),
        (
            "static failure_kinds_core::HTTP_LABELS",
            "failure_kinds_core::HttpLabel",
            HTTP_LABELS.len(),
        ),
        ("static failure_kinds_core::KINDS", "failure_kinds_core::Kind", KINDS.len()),
        ("static failure_kinds_core::LEGACY", "failure_kinds_core::Legacy", LEGACY.len()),
        (
            "static failure_kinds_core::GATE_DERIVED",
            "failure_kinds_core::GateDerived",
            GATE_DERIVED.len(),
        ),
    ] {
        let array = format!("[{element}; {len}]");
        text = with_items(&text, &format!("pub {item}: "), [array])?;
    }
    Ok(text)
}

fn stages() -> impl Iterator<Item = String> {
    Stage::ALL.into_iter().map(|stage| stage.variant().to_owned())
}

fn classes() -> impl Iterator<Item = String> {
    Class::ALL.into_iter().map(|class| class.variant().to_owned())
}

/// The text with all lines of this prefix replaced by these, sorted.
fn with_items(text: &str, start: &str, items: impl IntoIterator<Item = String>) -> Result<String> {
    let mut items: Vec<_> = items.into_iter().map(|item| format!("{start}{item}\n")).collect();
    items.sort();
    let at = text.find(&format!("\n{start}")).ok_or(format!("no line starts with `{start}`"))?;
    let (before, rest) = text.split_at(at + 1);
    let rest = rest.split_inclusive('\n').filter(|line| !line.starts_with(start));
    Ok(before.to_owned() + &items.concat() + &rest.collect::<String>())
}
