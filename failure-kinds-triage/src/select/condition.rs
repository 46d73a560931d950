//! What `select --where` asks of a rollout.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

use failure_kinds::{Classification, FailureClass, FailureStage, HttpEvidence, HttpStatusKey};
use failure_kinds_core::{Entry, Quoted, RULES, Unlisted, listed, resolve, suggest};

use crate::captures::Category;
use crate::report::{ABSENT, registry};
use crate::{Failure, Rollout, RolloutStatus};

/// Conditions that a rollout has to meet all of: words, `KEY=VALUE` and `KEY!=VALUE`, separated by
/// commas.
///
/// ```
/// use failure_kinds_triage::Conditions;
///
/// "failed,class=evaluation|unknown,!terminal".parse::<Conditions>()?;
/// let error = "failed,class=evalution".parse::<Conditions>().unwrap_err();
/// assert!(error.to_string().ends_with("a similar one is `evaluation`"));
/// # Ok::<(), failure_kinds_triage::ConditionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conditions(Vec<Condition>);

/// Why a text is not [`Conditions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError(String);

#[derive(Clone, Debug)]
struct Condition {
    test: Test,
    is_negated: bool,
}

#[derive(Clone, Debug)]
enum Test {
    Word(&'static Word),
    /// Of the failure that decides a rollout.
    Key {
        key: Key,
        any_of: Vec<Value>,
    },
}

/// A word, and which rollouts it is true of.
struct Word {
    name: &'static str,
    is_true_of: fn(&Rollout<'_>) -> bool,
}

const fn word(name: &'static str, is_true_of: fn(&Rollout<'_>) -> bool) -> Word {
    Word { name, is_true_of }
}

static WORDS: [Word; 10] = [
    word("failed", |rollout| rollout.status == RolloutStatus::Failed),
    word("degraded", |rollout| rollout.status == RolloutStatus::Degraded),
    word("recovered", |rollout| rollout.recovered),
    word("missing", |rollout| rollout.status == RolloutStatus::Missing),
    word("omitted", |rollout| rollout.status == RolloutStatus::Omitted),
    word("unexpected", |rollout| rollout.expected == Some(false)),
    word("terminal", |rollout| failure(rollout).is_some_and(|failure| failure.terminal)),
    word("final", |rollout| failure(rollout).is_some_and(|failure| failure.is_final)),
    word("masked", |rollout| rollout.row.as_ref().is_some_and(|row| row.masked)),
    word("rejudgeable", |rollout| failure(rollout).is_some_and(|failure| failure.rejudgeable)),
];

/// A fact of the failure that decides a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Class,
    Kind,
    Registry,
    Stage,
    Http,
    Label,
    Rule,
    Call,
}

const KEYS: [(&str, Key); 8] = [
    ("class", Key::Class),
    ("kind", Key::Kind),
    ("registry", Key::Registry),
    ("stage", Key::Stage),
    ("http", Key::Http),
    ("label", Key::Label),
    ("rule", Key::Rule),
    ("call", Key::Call),
];

/// What a key is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    /// `none`: the fact is absent.
    Absent,
    Status(HttpStatusKey),
    Text(String),
}

/// What a key is of one failure. Only the failed last model call has both.
#[derive(Default)]
struct Fact<'a> {
    text: Option<&'a str>,
    status: Option<u16>,
}

fn failure<'r, 's>(rollout: &'r Rollout<'s>) -> Option<&'r Failure<'s>> {
    rollout.row.as_ref()?.failure.as_ref()
}

impl Conditions {
    /// Whether a rollout meets all of the conditions. `class` is that of its failure.
    pub(super) fn are_met_by(&self, rollout: &Rollout<'_>, class: Option<&Classification>) -> bool {
        self.0.iter().all(|Condition { test, is_negated }| match test {
            Test::Word(word) => (word.is_true_of)(rollout) != *is_negated,
            Test::Key { key, any_of } => {
                failure(rollout).zip(class).is_some_and(|(failure, class)| {
                    let fact = key.of(failure, class);
                    any_of.iter().any(|value| value.is(&fact)) != *is_negated
                })
            }
        })
    }

    /// The values of `kind` that are not in the vocabulary, each with the name that was most
    /// likely meant.
    pub fn unregistered(&self) -> impl Iterator<Item = (&str, Option<&'static str>)> {
        let values = self.0.iter().flat_map(|condition| match &condition.test {
            Test::Key { key: Key::Kind, any_of } => &any_of[..],
            _ => &[],
        });
        values.filter_map(|value| match value {
            Value::Text(kind) if matches!(resolve(kind), Entry::Unregistered) => {
                Some((&**kind, meant(kind)))
            }
            _ => None,
        })
    }
}

/// The registered name that a kind was most likely meant to be. Where a comma is missing, the next
/// condition is in the text too.
fn meant(kind: &str) -> Option<&'static str> {
    let similar = |text| suggest(text).map(|suggestion| suggestion.name);
    similar(kind).or_else(|| match kind.split_once([' ', '=']) {
        Some((name, _)) => match resolve(name) {
            Entry::Registered(kind) => Some(kind.name),
            _ => similar(name),
        },
        None => None,
    })
}

impl FromStr for Conditions {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        text.split(',')
            .map(|text| Condition::parse(text.trim()))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Condition {
    fn parse(text: &str) -> Result<Self, ConditionError> {
        let Some((key, values)) = text.split_once('=') else {
            let (word, is_negated) = match text.strip_prefix('!') {
                Some(word) => (word.trim_start(), true),
                None => (text, false),
            };
            let word =
                WORDS.iter().find(|known| known.name == word).ok_or_else(|| no_word(word))?;
            return Ok(Self { test: Test::Word(word), is_negated });
        };
        if let Some(key) = key.strip_prefix('!') {
            let (key, values) = (Quoted(key.trim()), Quoted(values));
            return Err(ConditionError(format!(
                "`!` negates a word; write `{key}!={values}` instead of `!{key}={values}`"
            )));
        }
        let (name, is_negated) = match key.strip_suffix('!') {
            Some(name) => (name.trim_end(), true),
            None => (key.trim_end(), false),
        };
        let key = KEYS.iter().find(|(known, _)| *known == name).ok_or_else(|| {
            let names = &KEYS.map(|(name, _)| name);
            let (one, many) = ("a key of a condition", "keys");
            ConditionError::of(&Unlisted { text: name, one, many, names, also: None })
        })?;
        let any_of = values.split('|').map(|value| key.1.value(value.trim()));
        let any_of = any_of.collect::<Result<_, _>>()?;
        Ok(Self { test: Test::Key { key: key.1, any_of }, is_negated })
    }
}

/// A text without `=` that is not a word.
fn no_word(text: &str) -> ConditionError {
    if let Some((key, _)) = KEYS.iter().find(|(key, _)| *key == text) {
        return ConditionError(format!("`{key}` needs a value: write `{key}=VALUE`"));
    }
    let words = WORDS.each_ref().map(|word| word.name);
    let unlisted = Unlisted { text, one: "a condition", many: "words", names: &words, also: None };
    let error = ConditionError::of(&unlisted);
    if unlisted.suggestion().is_some() {
        return error;
    }
    let keys = KEYS.map(|(key, _)| key);
    ConditionError(format!("{error}; the keys of `KEY=VALUE` are {}", listed(keys.into_iter())))
}

impl Key {
    /// The names that its value can be; `None` if it can be any text, or a status.
    fn names(self) -> Option<Vec<&'static str>> {
        Some(match self {
            Self::Class => FailureClass::ALL.iter().map(|class| class.as_str()).collect(),
            Self::Registry => Entry::STATES.into_iter().chain([ABSENT]).collect(),
            Self::Stage => FailureStage::ALL.iter().map(|stage| stage.as_str()).collect(),
            Self::Label => HttpEvidence::ALL.iter().map(|label| label.as_str()).collect(),
            Self::Rule => RULES.iter().map(|rule| rule.name).collect(),
            Self::Call => Category::ALL.iter().map(|category| category.as_str()).collect(),
            Self::Kind | Self::Http => return None,
        })
    }

    /// What its values are called.
    const fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Class => ("a class", "classes"),
            Self::Kind => ("a kind", "kinds"),
            Self::Registry => ("a state of a name", "states"),
            Self::Stage => ("a stage", "stages"),
            Self::Http => ("an HTTP status", "statuses"),
            Self::Label => ("an HTTP label", "labels"),
            Self::Rule => ("a rule", "rules"),
            Self::Call => ("a status or a category of a model call", "categories"),
        }
    }

    fn value(self, text: &str) -> Result<Value, ConditionError> {
        if text == "none" {
            return Ok(Value::Absent);
        }
        if let (Self::Http | Self::Call, Some(status)) = (self, HttpStatusKey::parse(text)) {
            return Ok(Value::Status(status));
        }
        match self.names() {
            Some(names) if !names.contains(&text) => {
                let (one, many) = self.nouns();
                Err(ConditionError::of(&Unlisted { text, one, many, names: &names, also: None }))
            }
            None if self == Self::Http => Err(ConditionError(format!(
                "`{}` is not an HTTP status; write one such as `429`, or `5xx`",
                Quoted(text)
            ))),
            _ => Ok(Value::Text(text.to_owned())),
        }
    }

    /// What it is of a failure.
    fn of<'a>(self, failure: &'a Failure<'_>, class: &'a Classification) -> Fact<'a> {
        let text = |text| Fact { text, status: None };
        match self {
            Self::Class => text(Some(class.class.as_str())),
            Self::Kind => text(failure.kind),
            Self::Registry => text(Some(registry(failure.kind))),
            Self::Stage => text(failure.stage.map(FailureStage::as_str)),
            Self::Http => Fact { text: None, status: failure.http_status },
            Self::Label => text(class.http.map(HttpEvidence::as_str)),
            Self::Rule => text(Some(class.rule.as_str())),
            Self::Call => Fact {
                text: failure.failed_call.map(|call| call.category.as_str()),
                status: failure.failed_call.and_then(|call| call.status),
            },
        }
    }
}

impl Value {
    fn is(&self, fact: &Fact<'_>) -> bool {
        match self {
            Self::Absent => fact.text.is_none() && fact.status.is_none(),
            Self::Text(text) => fact.text == Some(text),
            Self::Status(key) => fact.status.is_some_and(|status| {
                [HttpStatusKey::exact(status), HttpStatusKey::pattern(status)].contains(&Some(*key))
            }),
        }
    }
}

impl ConditionError {
    fn of(unlisted: &Unlisted<'_>) -> Self {
        Self(format!("{}; {}", unlisted.problem(), unlisted.help()))
    }
}

impl Display for ConditionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConditionError {}

impl Debug for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use failure_kinds::FailureClassificationConfig;

    use super::*;
    use crate::{DecidingRow, Terms};

    const FAILURE: Failure<'_> = Failure {
        kind: Some("judge_faild"),
        stage: Some(FailureStage::Verification),
        http_status: Some(429),
        terminal: true,
        is_final: false,
        rejudgeable: false,
        call_observed: true,
        failed_call: None,
    };

    fn rollout(status: RolloutStatus, failure: Option<Failure<'static>>) -> Rollout<'static> {
        let row = DecidingRow { attempt: 0, path: "r.jsonl", line: 1, masked: false, failure };
        Rollout { task: 0, rollout: 0, status, expected: None, recovered: false, row: Some(row) }
    }

    fn meets(conditions: &str, rollout: &Rollout<'_>) -> bool {
        let config = FailureClassificationConfig::shared_default();
        let class = failure(rollout).map(|failure| failure.classify(&Terms::new(config)));
        let conditions: Conditions = conditions.parse().unwrap();
        conditions.are_met_by(rollout, class.as_ref())
    }

    #[test]
    fn all_conditions_must_hold() {
        let failed = rollout(RolloutStatus::Failed, Some(FAILURE));
        for conditions in [
            "failed",
            "failed,terminal",
            " failed , ! final ",
            "class=evaluation",
            "class=model|evaluation",
            "class!=model",
            "class!=model|unknown",
            "kind=judge_faild",
            "kind!=none",
            "registry=unregistered",
            "stage=verification,http=429",
            "http=4xx",
            "http!=428|5xx",
            "label=http_rate_limited",
            "rule=stage_default",
            "call=none",
        ] {
            assert!(meets(conditions, &failed), "{conditions}");
        }
        for conditions in [
            "!failed",
            "failed,degraded",
            "failed,!terminal",
            "class=model",
            "kind=judge_failed",
            "kind=none",
            "stage=none",
            "stage!=verification",
            "http=4xx,http!=429",
            "http=none",
            "call=429",
            "call!=none",
        ] {
            assert!(!meets(conditions, &failed), "{conditions}");
        }
    }

    #[test]
    fn a_key_matches_failures_only() {
        for conditions in
            ["kind=none", "kind!=none", "class=unknown", "class!=unknown", "call=none"]
        {
            assert!(!meets(conditions, &rollout(RolloutStatus::Passed, None)), "{conditions}");
        }
        let missing = Rollout { row: None, ..rollout(RolloutStatus::Missing, None) };
        assert!(meets("missing,!masked,!terminal", &missing));
        assert!(!meets("missing,class!=model", &missing));
        let nameless = Failure { kind: None, stage: None, http_status: None, ..FAILURE };
        let nameless = rollout(RolloutStatus::Failed, Some(nameless));
        assert!(meets("kind=none,registry=absent,stage=none,http=none,label=none", &nameless));
        assert!(meets("kind=judge_failed|none", &nameless));
    }

    #[test]
    fn what_is_wrong_and_what_was_meant() {
        for (text, error) in [
            ("faild", "`faild` is not a condition; a similar one is `failed`"),
            ("clas=model", "`clas` is not a key of a condition; a similar one is `class`"),
            ("failed,class=modle", "`modle` is not a class; a similar one is `model`"),
            ("stage=agnet", "`agnet` is not a stage; a similar one is `agent`"),
            (
                "label=http_gatway",
                "`http_gatway` is not an HTTP label; a similar one is `http_gateway`",
            ),
            ("rule=stage_kinds", "`stage_kinds` is not a rule; a similar one is `stage_kind`"),
            (
                "registry=registred",
                "`registred` is not a state of a name; a similar one is `registered`",
            ),
            (
                "call=rate_limits",
                "`rate_limits` is not a status or a category of a model call; a similar one is `rate_limit`",
            ),
            ("http=600", "`600` is not an HTTP status; write one such as `429`, or `5xx`"),
            ("class", "`class` needs a value: write `class=VALUE`"),
            ("!class=model", "`!` negates a word; write `class!=model` instead of `!class=model`"),
            (
                "solved",
                "`solved` is not a condition; the words are `failed`, `degraded`, `recovered`, \
                 `missing`, `omitted`, `unexpected`, `terminal`, `final`, `masked` and \
                 `rejudgeable`; the keys of `KEY=VALUE` are `class`, `kind`, `registry`, `stage`, \
                 `http`, `label`, `rule` and `call`",
            ),
        ] {
            assert_eq!(text.parse::<Conditions>().unwrap_err().to_string(), error);
        }
        assert!("".parse::<Conditions>().is_err());
        assert!("failed,,terminal".parse::<Conditions>().is_err());
    }

    #[test]
    fn kinds_that_are_not_registered() {
        let conditions: Conditions =
            "kind=judge_faild|judge_failed|none|my_server:crashed|timeout,kind!=x".parse().unwrap();
        let unregistered: Vec<_> = conditions.unregistered().collect();
        assert_eq!(unregistered, [("judge_faild", Some("judge_failed")), ("x", None)]);
        for text in ["judge_failed class=model", "judge_faild stage=agent", "judge_failed=1"] {
            let conditions: Conditions = format!("kind={text}").parse().unwrap();
            let unregistered: Vec<_> = conditions.unregistered().collect();
            assert_eq!(unregistered, [(text, Some("judge_failed"))]);
        }
    }
}
