use core::fmt::{self, Display, Formatter};

use crate::{FailureClass, FailureKind, FailureStage, HttpEvidence};

/// The outcome of a classification, with the rule that decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Classification {
    /// The side, as a label for reports.
    pub class: FailureClass,
    /// The rule that gave the class, with its entry.
    pub rule: Rule,
    /// The label of the failure's own HTTP status, also if another rule decided.
    pub http: Option<HttpEvidence>,
    /// Whether the deciding entry is that of the successor of a renamed label.
    pub via_legacy: bool,
    /// Whether it belongs to the server subcategory; only ever true on the evaluation's side.
    pub server: bool,
}

/// The rule that decided a classification, with the entry that it was found under.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Class by HTTP status: the exact status, or its pattern.
    HttpStatusOverride(HttpStatusKey),
    /// The admitted stage's entry for a kind.
    StageKind {
        /// The admitted stage.
        stage: FailureStage,
        /// The kind of the entry.
        kind: FailureKind,
    },
    /// The admitted stage's default.
    StageDefault {
        /// The admitted stage.
        stage: FailureStage,
    },
    /// The class of the failure's own HTTP label.
    HttpEvidence(HttpEvidence),
    /// The class of the HTTP label of the failed last model call.
    CallEvidence(HttpEvidence),
    /// The kind's own class: the configuration's, or the vocabulary's.
    Kind(FailureKind),
    /// The side of a gate-derived class that was met in saved rows.
    GateDerivedKind(&'static str),
    /// Nothing else decided.
    Fallback,
}

impl Rule {
    /// The name of the rule, without its entry. A gate-derived class is decided by rule `kind`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::HttpStatusOverride(_) => "http_status_override",
            Self::StageKind { .. } => "stage_kind",
            Self::StageDefault { .. } => "stage_default",
            Self::HttpEvidence(_) => "http_evidence",
            Self::CallEvidence(_) => "call_evidence",
            Self::Kind(_) | Self::GateDerivedKind(_) => "kind",
            Self::Fallback => "fallback",
        }
    }
}

impl Display for Rule {
    /// The rule with its entry, such as `stage agent: provider_oom_killed`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::HttpStatusOverride(key) => write!(f, "http status {key}"),
            Self::StageKind { stage, kind } => write!(f, "stage {stage}: {kind}"),
            Self::StageDefault { stage } => write!(f, "stage {stage}: default"),
            Self::HttpEvidence(label) => write!(f, "http evidence {label}"),
            Self::CallEvidence(label) => write!(f, "call evidence {label}"),
            Self::Kind(kind) => write!(f, "kind {kind}"),
            Self::GateDerivedKind(name) => write!(f, "kind {name}"),
            Self::Fallback => f.write_str("fallback"),
        }
    }
}

/// A key of the classes by HTTP status: one status, or a hundred of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HttpStatusKey(Repr);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Exact(u16),
    /// The first digit.
    Pattern(u16),
}

impl HttpStatusKey {
    /// One status; `None` outside 100..=599.
    #[must_use]
    pub const fn exact(status: u16) -> Option<Self> {
        match status {
            100..=599 => Some(Self(Repr::Exact(status))),
            _ => None,
        }
    }

    /// The pattern that a status falls under, such as `5xx` for 503; `None` outside 100..=599.
    #[must_use]
    pub const fn pattern(status: u16) -> Option<Self> {
        match status {
            100..=599 => Some(Self(Repr::Pattern(status / 100))),
            _ => None,
        }
    }

    /// The key of a configuration file: three ASCII digits, or `1xx` to `5xx`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [first @ b'1'..=b'5', b'x', b'x'] => Self::pattern(u16::from(first - b'0') * 100),
            [a @ b'1'..=b'5', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
                let digit = |byte: u8| u16::from(byte - b'0');
                Self::exact(digit(a) * 100 + digit(b) * 10 + digit(c))
            }
            _ => None,
        }
    }
}

impl Display for HttpStatusKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Exact(status) => write!(f, "{status}"),
            Repr::Pattern(first) => write!(f, "{first}xx"),
        }
    }
}
