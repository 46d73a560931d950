//! The findings: their ids, their default levels, and their explanations.
//!
//! One table serves the command, `explain` and the page `docs/findings.md`.

use std::fmt::{self, Display, Formatter};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not reported.
    Off,
    /// Reported; fails with `--fail-on warning`.
    Warning,
    /// Reported; fails unless `--fail-on none`.
    Error,
}

impl Level {
    /// The name of the level in configurations and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The level of this name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        [Self::Off, Self::Warning, Self::Error].into_iter().find(|level| level.as_str() == name)
    }

    /// The level of the same finding in test code.
    pub(crate) const fn lowered(self) -> Self {
        match self {
            Self::Error => Self::Warning,
            Self::Warning | Self::Off => Self::Off,
        }
    }
}

impl Display for Level {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The explanation of a finding.
#[derive(Debug)]
pub struct Explanation {
    /// The id as text.
    pub name: &'static str,
    /// The level unless a configuration sets another, outside of test code.
    pub level: Level,
    /// What the finding reports, in one sentence.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    /// An example of what is reported.
    pub example: &'static str,
    /// The language of the example, as a fence of Markdown names it.
    pub language: &'static str,
}

macro_rules! findings {
    ($($variant:ident $name:literal { $($field:ident: $value:expr,)+ })+) => {
        /// The id of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Id { $(#[doc = concat!("`", $name, "`")] $variant),+ }

        impl Id {
            /// All ids, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its explanation.
            #[must_use]
            pub const fn explanation(self) -> &'static Explanation {
                match self {
                    $(Self::$variant => &Explanation { name: $name, $($field: $value),+ }),+
                }
            }
        }
    };
}

findings! {
    UnregisteredKind "unregistered-kind" {
        level: Level::Error,
        what: "A name in a kind position is neither registered nor an extension of a server.",
        why: "Rows are grouped by the name. One that only this place uses is a group of its own in \
              every report, and no side or default belongs to it. In data the finding also covers \
              a value that is not a string.",
        fix: "Write the suggested name if it says what happened. If the failure is one of this \
               server alone, write an extension: `<server>:<kind>`. A suggestion by spelling is \
               never applied for you, because a wrong one files failures under a wrong name.",
        example: "row[\"_ng_failure_class\"] = \"judge_faild\"  # write judge_failed",
        language: "python",
    }
    LegacyKind "legacy-kind" {
        level: Level::Warning,
        what: "A name in a kind position is a label of older producers.",
        why: "A renamed label splits one failure into two groups, old and new. A label that meant \
              several things hides which of them happened.",
        fix: "A renamed label has one successor of the same meaning, and `--fix` writes it, \
               except in saved rows, which are evidence. For a label that meant several things the \
               finding says what to look at.",
        example: "failure_kind: timeout_exceeded  # write agent_timeout",
        language: "yaml",
    }
    GateDerivedKind "gate-derived-kind" {
        level: Level::Error,
        what: "A name in a kind position is a class that an acceptance gate derives.",
        why: "A gate derives these classes from saved rows. A producer that writes one itself \
              claims a verdict that nobody derived.",
        fix: "Write the kind of what the producer saw, or no kind where the rollout was measured.",
        example: "failure_kind = \"answer_cut_off\"",
        language: "toml",
    }
    MalformedExtension "malformed-extension" {
        level: Level::Error,
        what: "A name with a colon is not a well-formed extension.",
        why: "An extension is `<server>:<kind>`: exactly one colon, and on both sides lower-case \
              letters, digits and `_`, starting with a letter. Anything else is treated as an \
              unregistered name by every reader.",
        fix: "Write both parts in that form. What varies from failure to failure belongs in \
               the reason.",
        example: "fail(failure_kind=\"browser-env:TabCrashed\")  # write browser_env:tab_crashed",
        language: "python",
    }
    DoubledExtension "doubled-extension" {
        level: Level::Error,
        what: "An extension repeats a registered name.",
        why: "`my_server:judge_failed` and `judge:failed` are well-formed, and still a second \
              label for a failure that has one.",
        fix: "Write the registered name. Other fields of the row say which server it was.",
        example: "{\"failure_kind\": \"my_server:judge_failed\"}",
        language: "json",
    }
    UndeclaredExtension "undeclared-extension" {
        level: Level::Error,
        what: "A server's kinds are declared, and this extension of it is not among them.",
        why: "A project that declares its extensions wants typing errors in them found like those \
              in registered names.",
        fix: "Correct the name, or declare it: under `[servers.NAME] kinds` in `failure-kinds.toml`, \
               or in `#[stage_overrides(server = \"…\", kinds(…))]` in Rust. Other \
               servers are not checked.",
        example: "failure_kind: browser_env:tab_crahsed  # declared: tab_crashed",
        language: "yaml",
    }
    RawLiteral "raw-literal" {
        level: Level::Warning,
        what: "A registered name is a bare string in Rust.",
        why: "The compiler does not check strings. `failure_kind!` expands to the constant of \
              the kind and makes a typing error an error of the compiler, at no cost at run \
              time.",
        fix: "`--fix --unsafe-fixes` writes `failure_kind!(\"…\")`, with `.as_str()` if a string is wanted, \
               and adds the import. A field that held the string becomes a `FailureKind`; the \
               compiler names the declarations to follow. Patterns, and texts that are kept as \
               `&str`, are only reported: they change together with the type around them.",
        example: "let row = Row { failure_kind: \"judge_failed\", reward: 0.0 };",
        language: "rust",
    }
    HighCardinality "high-cardinality" {
        level: Level::Error,
        what: "A string that is built at run time is in a kind position.",
        why: "Kinds are metric labels and group keys. A name that is built from parts can \
              take any number of values.",
        fix: "Write one name for what went wrong, and put the part that varies into \
               `failure_reason`.",
        example: "routing[\"_ng_failure_class\"] = f\"http_{status}\"",
        language: "python",
    }
    UnparsedFile "unparsed-file" {
        level: Level::Error,
        what: "A file could not be parsed, or not in full.",
        why: "It was not checked, or only in part. A file that is nested too deeply is not parsed at all.",
        fix: "Correct the file, or exclude it in `failure-kinds.toml` if it is broken on purpose. \
               Text must be UTF-8.",
        example: "def broken(:",
        language: "python",
    }
    UnusedSuppression "unused-suppression" {
        level: Level::Warning,
        what: "A comment suppresses a finding that is not there, or names none.",
        why: "A suppression that is no longer needed hides the next mistake on its line. One \
              without an id, or with a misspelled one, suppresses nothing.",
        fix: "Remove the comment, or write the id of the finding: \
               `failure-kinds: ignore[legacy-kind]`.",
        example: "failure_kind = \"judge_failed\"  # failure-kinds: ignore[unregistered-kind]",
        language: "python",
    }
    DynamicKind "dynamic-kind" {
        level: Level::Off,
        what: "A kind position has a value that only the running program knows.",
        why: "The linter cannot check such a value. If it is on, the finding lists the positions \
              that depend on a check at run time.",
        fix: "Validate the value where it is made: `validate_failure_kind` in Python, \
               `FailureKind::try_from` or `validate_event_kind` in Rust.",
        example: "routing[NG_FAILURE_CLASS_KEY] = classify(error)",
        language: "python",
    }
    NearMiss "near-miss" {
        level: Level::Off,
        what: "A string outside of kind positions is almost a registered name.",
        why: "Names also travel through variables, lists and calls that the linter does not know \
              as kind positions. If it is on, the finding shows misspelled ones among them.",
        fix: "Fix the name; or add the key that it belongs to under `[lint] keys` in \
               `failure-kinds.toml`, so that it is always checked.",
        example: "RETRYABLE = {\"judge_faild\", \"transport_timeout\"}",
        language: "python",
    }
}

impl Id {
    /// The id as text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.explanation().name
    }

    /// The finding with this id.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.as_str() == name)
    }

    /// The finding that a mistyped name was most likely meant to be.
    #[must_use]
    pub fn similar(name: &str) -> Option<Self> {
        let names = Self::ALL.iter().map(|id| id.as_str());
        failure_kinds_core::suggest_among(name, &names).and_then(Self::parse)
    }

    /// What to write for a name that is not a finding.
    pub(crate) fn instead_of(name: &str) -> String {
        if let Some(id) = Self::similar(name) {
            return format!("a similar one is `{id}`");
        }
        let names: Vec<_> = Self::ALL.iter().map(|id| id.as_str()).collect();
        format!("the findings are {}", names.join(", "))
    }
}

impl Display for Id {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_ids() {
        for id in Id::ALL {
            assert_eq!(Id::parse(id.as_str()), Some(*id));
            assert!(id.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
            let Explanation { what, why, fix, .. } = id.explanation();
            for text in [what, why, fix] {
                assert!(text.ends_with('.') && !text.contains("  "), "{id}: {text}");
            }
        }
    }
}
