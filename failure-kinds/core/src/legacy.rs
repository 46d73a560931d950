//! Labels in saved rows and from old producers. They are not registered, and observed ones are never
//! rewritten; the table lists what replaces them today.

/// One legacy label.
#[derive(Debug)]
pub struct Legacy {
    /// The label as it was written.
    pub label: &'static str,
    /// What became of it.
    pub status: Status,
}

/// What became of a legacy label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has a successor of the same meaning: safe for an automatic fix.
    Renamed(&'static str),
    /// It meant several things, so it cannot be rewritten; the hint says what to look at.
    Split(&'static str),
}

impl Legacy {
    /// The name of the same meaning, if there is one.
    #[must_use]
    pub const fn successor(&self) -> Option<&'static str> {
        match self.status {
            Status::Renamed(successor) => Some(successor),
            Status::Split(_) => None,
        }
    }

    /// What to look at, for a label without a successor.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self.status {
            Status::Renamed(_) => None,
            Status::Split(hint) => Some(hint),
        }
    }

    /// `renamed` or `split`.
    #[must_use]
    pub const fn state(&self) -> &'static str {
        match self.status {
            Status::Renamed(_) => "renamed",
            Status::Split(_) => "split",
        }
    }
}

const fn renamed(label: &'static str, successor: &'static str) -> Legacy {
    Legacy { label, status: Status::Renamed(successor) }
}

const fn split(label: &'static str, hint: &'static str) -> Legacy {
    Legacy { label, status: Status::Split(hint) }
}

/// Every legacy label. Rows are added, never deleted.
pub static LEGACY: [Legacy; 28] = [
    renamed("protocol_violation", "environment_protocol_violation"),
    renamed("timeout_exceeded", "agent_timeout"),
    renamed("judge_invalid", "judge_unparseable"),
    renamed("oom_killed", "provider_oom_killed"),
    renamed("unreachable", "transport_unreachable"),
    renamed("peer_drop", "transport_peer_drop"),
    renamed("resource", "transport_local_resource"),
    renamed("reference_missing", "gdpval:reference_missing"),
    renamed("eval_missing", "gdpval:eval_missing"),
    renamed("transport_ineligible", "gdpval:transport_ineligible"),
    renamed("tau2_malformed_tool_call", "tau2:malformed_tool_call"),
    split("tau2_agent_error", "agent_run_error, or an extension of the tau2 server"),
    split(
        "remote_agent_error",
        "agent_run_error, transport_unreachable or agent_timeout, by its message",
    ),
    split("harbor_failed", "agent_run_error, or an extension of the harbor server"),
    split("legitimate", "any exception that was no timeout: agent_run_error when the rollout ran"),
    split("transient", "transport_*, or by HTTP status"),
    split("infrastructure_error", "provider_*, transport_* or verifier_error"),
    split("timeout", "agent_timeout or transport_timeout"),
    split("sandbox", "provider_*"),
    split("eval_timeout", "verifier_error or agent_timeout"),
    split("verify_request_failed", "verifier_error or transport_*"),
    split("permanent", "no kind: the row's terminal flag says it"),
    split("skipped", "no failure: the rollout was left out on purpose"),
    split("incomplete", "no kind: the answer's own status says it"),
    split("fatal", "no kind"),
    split("cohort_timeout", "cohort_incomplete"),
    split("no_comparisons", "cohort_incomplete"),
    split("aggregation_failed", "persistence_failed or verifier_error"),
];

/// The legacy label of exactly this spelling.
#[must_use]
pub fn legacy(label: &str) -> Option<&'static Legacy> {
    LEGACY.iter().find(|legacy| legacy.label == label)
}
