//! The words that occur on a page, each with what it means.

use failure_kinds_core::{HTTP_LABELS, RULES, STAGES, Stage};
use failure_kinds_triage::{Group, Report};
use maud::{Markup, html};

use super::NO_STAGE;
use crate::{html, words};

pub(super) fn section(report: &Report) -> Markup {
    let all = words(report);
    let panel = html! {
        div.panel.glossary {
            @for Words { heading, words } in &all {
                div {
                    h3 { (heading) }
                    dl { @for (word, meaning) in words { dt { code { (word) } } dd { (meaning) "." } } }
                }
            }
            p.soft {
                "A kind is explained in each of its groups. " code { "failure-kinds explain NAME" }
                " says more about a kind, a stage, a rule or an HTTP label."
            }
        }
    };
    html! { @if !all.is_empty() { (html::section("words", "Words on this page", &panel)) } }
}

/// Words of one sort.
struct Words {
    heading: &'static str,
    /// Each with its meaning.
    words: Vec<(&'static str, String)>,
}

/// The words of the groups of a report; those of the whole are explained where they are.
fn words(report: &Report) -> Vec<Words> {
    let occurs = |is_in: &dyn Fn(&Group) -> bool| report.groups.iter().any(is_in);
    let sentence = |summary: &str| summary.trim_end_matches('.').to_owned();
    let marks = [
        ("degraded", words::DEGRADED, occurs(&|group| group.degraded > 0)),
        ("terminal", words::TERMINAL, occurs(&|group| group.terminal > 0)),
        ("final", words::FINAL, occurs(&|group| group.is_final > 0)),
        ("rejudgeable", words::REJUDGEABLE, occurs(&|group| group.rejudgeable > 0)),
        ("server subcategory", words::SERVER, occurs(&|group| group.server)),
    ];
    let marks = marks.into_iter().filter(|(.., occurs)| *occurs);
    let no_stage = occurs(&|group| group.stage.is_none());
    let no_stage = no_stage.then(|| (NO_STAGE, words::NO_STAGE.to_owned()));
    let stages = STAGES.into_iter().zip(Stage::ALL);
    let stages = stages.filter(|(name, _)| occurs(&|group| group.stage == Some(name)));
    let rules = RULES.iter().filter(|rule| occurs(&|group| group.rule == rule.name));
    let labels = HTTP_LABELS.iter();
    let labels = labels.filter(|label| occurs(&|group| group.http_label == Some(label.name)));
    let all = [
        Words {
            heading: "Stages of an episode",
            words: no_stage
                .into_iter()
                .chain(stages.map(|(name, stage)| (name, sentence(stage.summary()))))
                .collect(),
        },
        Words {
            heading: "Rules, of which the first that applies decides the side",
            words: rules.map(|rule| (rule.name, sentence(rule.summary))).collect(),
        },
        Words {
            heading: "HTTP labels",
            words: labels
                .map(|label| {
                    (label.name, format!("{} ({})", sentence(label.summary), label.statuses()))
                })
                .collect(),
        },
        Words {
            heading: "Marks of rows and rollouts",
            words: marks.map(|(mark, meaning, _)| (mark, meaning.to_owned())).collect(),
        },
    ];
    all.into_iter().filter(|words| !words.words.is_empty()).collect()
}
