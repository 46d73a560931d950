use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use failure_kinds_core::text::Quoted;
use failure_kinds_core::{gate_derived, with_rules};

use crate::closed::text_error;
use crate::{FailureClass, FailureKind, FailureStage, HttpEvidence};

/// The outcome of a classification, with the rule that decided it.
///
/// ```
/// use failure_kinds::{Evidence, FailureClass, FailureClassificationConfig, HttpEvidence};
///
/// let evidence = Evidence::new().kind("judge_failed").http_status(&500);
/// let classification = FailureClassificationConfig::shared_default().classify(&evidence);
/// assert_eq!(classification.class, FailureClass::Evaluation);
/// assert_eq!(classification.http, Some(HttpEvidence::ServerError));
/// assert!(!classification.server && !classification.via_legacy);
/// assert_eq!(classification.to_string(), "evaluation by kind judge_failed");
/// ```
///
/// With the feature `serde`, it serializes as a map of its fields: `rule` is [`Rule::as_str`], and
/// `entry` is the rule with its entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Classification {
    /// The side, as a label for reports.
    pub class: FailureClass,
    /// The rule that gave the class, with its entry.
    pub rule: Rule,
    /// The label of the failure's own HTTP status, also if another rule decided.
    pub http: Option<HttpEvidence>,
    /// Whether the deciding entry is that of a renamed label's successor.
    pub via_legacy: bool,
    /// Whether it belongs to the server subcategory; true on the evaluation's side only.
    pub server: bool,
}

/// The rule that decided a classification, with the entry that gave the class.
///
/// Its text is that of [`Display`], which `FromStr` reads back; with the feature `serde` it is a
/// string of that text.
///
/// ```
/// use failure_kinds::{FailureStage, Rule};
///
/// let rule = Rule::StageDefault { stage: FailureStage::Seed };
/// assert_eq!(rule.as_str(), "stage_default");
/// assert_eq!(rule.summary(), "The stage where it failed has a class, and the kind has no other one there.");
/// assert_eq!(rule.to_string(), "stage seed: default");
/// assert_eq!("stage seed: default".parse(), Ok(rule));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// The side of a gate-derived class from saved rows.
    GateDerivedKind(&'static str),
    /// Nothing else decided.
    Fallback,
}

macro_rules! rules {
    ($(#[doc = $summary:literal] $($variant:ident)|+ = $name:literal { $($columns:tt)* })+) => {
        impl Rule {
            /// The name of the rule, without its entry. A gate-derived class comes under the rule
            /// `kind`.
            #[must_use]
            pub const fn as_str(&self) -> &'static str {
                match self { $($(Self::$variant { .. })|+ => $name,)+ }
            }

            /// When the rule decides, in one sentence.
            #[must_use]
            pub const fn summary(&self) -> &'static str {
                match self { $($(Self::$variant { .. })|+ => $summary.trim_ascii(),)+ }
            }
        }
    };
}
with_rules!(rules);

impl AsRef<str> for Rule {
    /// As [`Rule::as_str`], without the entry.
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Display for Classification {
    /// The class and the rule with its entry, such as `evaluation by kind judge_failed`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.class, self.rule)
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

impl FromStr for Rule {
    type Err = RuleError;

    /// # Errors
    ///
    /// The text is not that of a rule with its entry.
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let read = || {
            if text == "fallback" {
                return Some(Self::Fallback);
            }
            if let Some(key) = text.strip_prefix("http status ") {
                return key.parse().ok().map(Self::HttpStatusOverride);
            }
            if let Some(label) = text.strip_prefix("http evidence ") {
                return label.parse().ok().map(Self::HttpEvidence);
            }
            if let Some(label) = text.strip_prefix("call evidence ") {
                return label.parse().ok().map(Self::CallEvidence);
            }
            if let Some(name) = text.strip_prefix("kind ") {
                let gate = || gate_derived(name).map(|gate| Self::GateDerivedKind(gate.name));
                return name.parse().ok().map(Self::Kind).or_else(gate);
            }
            let (stage, entry) = text.strip_prefix("stage ")?.split_once(": ")?;
            let stage = stage.parse().ok()?;
            match entry {
                "default" => Some(Self::StageDefault { stage }),
                kind => kind.parse().ok().map(|kind| Self::StageKind { stage, kind }),
            }
        };
        read().ok_or_else(|| RuleError::new(text))
    }
}

text_error! {
    /// A text is not that of a [`Rule`] with its entry.
    RuleError, |text, f| write!(f, "`{}` is not a rule with its entry", Quoted(text))
}

/// A key of the classes by HTTP status: one status, or a pattern that matches a hundred.
///
/// ```
/// use failure_kinds::HttpStatusKey;
///
/// let pattern: HttpStatusKey = "5xx".parse()?;
/// assert_eq!(Some(pattern), HttpStatusKey::pattern(503));
/// assert!("600".parse::<HttpStatusKey>().is_err());
/// # Ok::<(), failure_kinds::HttpStatusKeyError>(())
/// ```
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

    /// The pattern that a status matches, such as `5xx` for 503; `None` outside 100..=599.
    #[must_use]
    pub const fn pattern(status: u16) -> Option<Self> {
        match status {
            100..=599 => Some(Self(Repr::Pattern(status / 100))),
            _ => None,
        }
    }

    /// The key of a configuration file: three ASCII digits, or `1xx` to `5xx`.
    #[must_use]
    pub const fn parse(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [first @ b'1'..=b'5', b'x', b'x'] => Self::pattern(digit(first) * 100),
            [a @ b'1'..=b'5', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
                Self::exact(digit(a) * 100 + digit(b) * 10 + digit(c))
            }
            _ => None,
        }
    }
}

const fn digit(byte: u8) -> u16 {
    (byte - b'0') as u16
}

impl FromStr for HttpStatusKey {
    type Err = HttpStatusKeyError;

    /// # Errors
    ///
    /// The text is neither three digits in 100..=599 nor a pattern.
    fn from_str(text: &str) -> Result<Self, HttpStatusKeyError> {
        Self::parse(text).ok_or_else(|| HttpStatusKeyError::new(text))
    }
}

text_error! {
    /// A text is neither an HTTP status nor a pattern.
    HttpStatusKeyError, |text, f| write!(
        f,
        "`{}` is not an HTTP status; write three digits from 100 to 599, or a pattern from `1xx` to `5xx`",
        Quoted(text)
    )
}

impl Display for HttpStatusKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Exact(status) => write!(f, "{status}"),
            Repr::Pattern(first) => write!(f, "{first}xx"),
        }
    }
}
