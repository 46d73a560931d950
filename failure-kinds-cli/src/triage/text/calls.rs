//! What the model calls of failure rows say.

use std::cmp::Reverse;
use std::fmt::Write;

use failure_kinds::HttpEvidence;
use failure_kinds_core::text::Escaped;
use failure_kinds_triage::{Group, LastCallReport, Report};

use super::failures::count;
use crate::page::{counted, rows};

/// How many causes and models are named.
const SHOWN: usize = 4;

/// The last calls of all rows of groups; `None` if captures were not looked for.
fn sum(groups: &[&Group]) -> Option<LastCallReport> {
    groups.iter().filter_map(|group| group.last_call.as_ref()).fold(None, |sum, last_call| {
        let mut sum: LastCallReport = sum.unwrap_or_default();
        sum.merge(last_call);
        Some(sum)
    })
}

/// `last model call: 429×3 rate_limit, 401×1 auth · no status×10 exception · policy_model`, and
/// how many were not observed. Nothing if no run of the groups has captures.
pub(in crate::triage) fn line(report: &Report, groups: &[&Group]) -> Option<String> {
    let has_captures = |run: &usize| report.runs[*run].captures.is_some();
    let is_expected = || groups.iter().flat_map(|group| group.runs.keys()).any(has_captures);
    let calls = sum(groups).filter(|calls| calls.observed > 0 || is_expected())?;
    let mut causes: Vec<_> = calls.causes.iter().collect();
    causes.sort_by_key(|(cause, count)| (Reverse(**count), **cause));
    let cause = |with_status: bool| {
        let of_sort = causes.iter().filter(|((status, _), _)| status.is_some() == with_status);
        let texts: Vec<String> = of_sort
            .map(|((status, category), count)| match status {
                Some(status) => format!("{status}×{count} {category}"),
                None => format!("no status×{count} {category}"),
            })
            .collect();
        (!texts.is_empty()).then(|| cut(&texts))
    };
    let succeeded = calls.observed - calls.failed;
    let mut models: Vec<_> = calls.models.iter().collect();
    models.sort_by_key(|(model, count)| (Reverse(**count), *model));
    let models: Vec<String> =
        models.iter().map(|(model, _)| Escaped(model.as_str()).to_string()).collect();
    let parts = [
        cause(true),
        cause(false),
        (succeeded > 0).then(|| format!("succeeded×{succeeded}")),
        (!models.is_empty()).then(|| cut(&models)),
        (calls.unobserved > 0).then(|| format!("not observed×{}", calls.unobserved)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(format!("last model call: {}", parts.join(" · ")))
}

/// The first few of texts.
fn cut(texts: &[String]) -> String {
    let mut text = texts[..texts.len().min(SHOWN)].join(", ");
    if texts.len() > SHOWN {
        let _ = write!(text, " and {} more", texts.len() - SHOWN);
    }
    text
}

/// The HTTP label that most of the rows share for the failed calls they ended on.
pub(super) fn common_label(groups: &[&Group]) -> Option<String> {
    let calls = sum(groups)?;
    let all = count(groups);
    HttpEvidence::ALL.iter().find_map(|label| {
        let statuses = calls.statuses.iter();
        let has_label = |status: &u16| HttpEvidence::project(status) == Some(*label);
        let of_label: u64 =
            statuses.filter(|(status, _)| has_label(status)).map(|(_, count)| count).sum();
        (2 * of_label > all)
            .then(|| format!(", whose last model call was `{label}` in {}", rows(of_label)))
    })
}

/// How to learn more about failures of unknown side, where runs have no captures.
pub(super) fn advice(report: &Report) -> Option<String> {
    let without =
        report.runs.iter().filter(|run| run.captures.is_none() && run.rollouts.failed > 0);
    let unknown = report.classes.iter().find(|class| class.class.as_str() == "unknown")?.count;
    let all: u64 = report.classes.iter().map(|class| class.count).sum();
    let is_asked = report.classification.calls != "off";
    let without = without.count();
    (is_asked && without > 0 && 2 * unknown > all).then(|| {
        let runs = match report.runs.len() as u64 {
            1 => "the run".to_owned(),
            all => format!("{without} of {}", counted(all, "run")),
        };
        format!(
            "no captures of model calls in {runs}: with `observability_enabled` and \
             `model_call_capture_dir` set to `model-calls` in the run's folder, the next run shows \
             what the model servers answered"
        )
    })
}
