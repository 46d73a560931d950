//! How a position is judged. Languages differ in how they find positions, never here.

use failure_kinds_core::{
    Class, DOMAINS, Entry, How, Quoted, Refusal, Status, check_producer, doubled, parse, resolve,
    suggest, suggest_among,
};

use super::id::Id;
use super::keys::may_hold_class;
use super::position::{Bare, Form, Position, Role, Value};
use failure_kinds_core::text::Escaped;

/// What is wrong with a position.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) id: Id,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) suggestion: Option<String>,
    pub(crate) correction: Option<Correction>,
}

impl Verdict {
    /// A verdict on something other than one name.
    pub(crate) fn new(id: Id, message: String, help: Option<String>) -> Self {
        Self { id, message, help, note: None, name: None, suggestion: None, correction: None }
    }

    pub(crate) fn unparsed(why: &str) -> Self {
        Self::new(Id::UnparsedFile, format!("cannot be parsed: {}", Escaped(why)), None)
    }
}

/// What to write instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Correction {
    /// Write this name instead.
    Rename(&'static str),
    /// Write the macro instead of the string.
    Macro(Form),
}

/// The outcome for one position.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Fine,
    Wrong(Verdict),
    /// A well-formed extension. Whether it is declared depends on the whole project.
    Extension {
        server: String,
        kind: String,
    },
}

/// Judges a position.
pub(crate) fn judge(position: &Position) -> Outcome {
    match &position.value {
        Value::Text { text, .. } => judge_text(position, text),
        Value::Formatted => wrong(
            Id::HighCardinality,
            format!("the value of {} is a string built at run time", key(position)),
            Some("write one name, and put what varies into `failure_reason`".to_owned()),
        ),
        // What a kind is compared with is checked where it comes from.
        Value::Dynamic if position.role != Role::Written => Outcome::Fine,
        Value::Dynamic => wrong(
            Id::DynamicKind,
            format!("the value of {} is only known at run time", key(position)),
            None,
        ),
        Value::NotText(what) => wrong(
            Id::UnregisteredKind,
            format!("{} holds {what}, not the name of a failure kind", key(position)),
            None,
        ),
    }
}

fn key(position: &Position) -> String {
    format!("`{}`", Quoted(&position.key))
}

fn wrong(id: Id, message: String, help: Option<String>) -> Outcome {
    Outcome::Wrong(Verdict::new(id, message, help))
}

fn judge_text(position: &Position, text: &str) -> Outcome {
    // A comparison with the empty string, and such a default, stand for no kind.
    if text.is_empty() && position.role != Role::Written {
        return Outcome::Fine;
    }
    match resolve(text) {
        Entry::Registered(_) => match &position.bare {
            Some(Bare { form, .. }) => raw_literal(text, *form),
            None => Outcome::Fine,
        },
        Entry::Extension { server, name } if doubled(server, name).is_none() => {
            Outcome::Extension { server: server.to_owned(), kind: name.to_owned() }
        }
        Entry::Extension { .. } => refused(Id::DoubledExtension, text, check_producer(text).err()),
        Entry::Legacy(legacy) => {
            let mut outcome = refused(Id::LegacyKind, text, parse(text).err());
            if let (Outcome::Wrong(verdict), Status::Renamed(name)) = (&mut outcome, legacy.status)
            {
                verdict.correction = Some(Correction::Rename(name));
            }
            outcome
        }
        Entry::GateDerived(_) => refused(Id::GateDerivedKind, text, parse(text).err()),
        Entry::Unregistered if may_hold_class(&position.key) && is_class(text) => Outcome::Fine,
        Entry::Unregistered if text.contains(':') => {
            refused(Id::MalformedExtension, text, parse(text).err())
        }
        Entry::Unregistered => misspelt_class(position, text)
            .unwrap_or_else(|| refused(Id::UnregisteredKind, text, parse(text).err())),
    }
}

fn is_class(text: &str) -> bool {
    Class::ALL.iter().any(|class| class.as_str() == text)
}

/// A text that is almost a class, where a class may be, and not almost a kind.
fn misspelt_class(position: &Position, text: &str) -> Option<Outcome> {
    if !may_hold_class(&position.key) {
        return None;
    }
    let class = suggest_among(text, &Class::ALL.iter().map(|class| class.as_str()))?;
    suggest(text).is_none().then(|| {
        Outcome::Wrong(Verdict {
            name: Some(text.to_owned()),
            suggestion: Some(class.to_owned()),
            ..Verdict::new(
                Id::UnregisteredKind,
                format!("`{}` is neither a failure kind nor a class", Quoted(text)),
                Some(format!("a similar class is `{class}`")),
            )
        })
    })
}

/// Whether a text stands for a name that is filled in later, by a person, a template or a
/// variable, or says that there is none.
pub(crate) fn is_placeholder(text: &str, key: &str) -> bool {
    ["${", "$(", "{{", "{%"].iter().any(|open| text.contains(open))
        || (text.starts_with('<') && text.ends_with('>'))
        || (!text.is_empty() && text.bytes().all(|byte| byte == b'?'))
        || (text.is_empty() && (key.starts_with("NO_") || key.contains("_NO_")))
}

fn refused(id: Id, text: &str, refusal: Option<Refusal>) -> Outcome {
    let Some(refusal) = refusal else { return Outcome::Fine };
    Outcome::Wrong(Verdict {
        id,
        message: refusal.problem(text).to_string(),
        help: refusal.help(text).map(|help| help.to_string()),
        note: refusal
            .note(text)
            .filter(|_| is_telling(&refusal, text))
            .map(|note| note.to_string()),
        name: Some(text.to_owned()),
        suggestion: refusal.suggestion.map(|suggestion| suggestion.name.to_owned()),
        correction: None,
    })
}

/// Whether a note says more than where the vocabulary is in Rust.
fn is_telling(refusal: &Refusal, text: &str) -> bool {
    let first = text.split('_').next().unwrap_or_default();
    refusal.suggestion.is_some() || DOMAINS.iter().any(|domain| domain.as_str() == first)
}

fn raw_literal(text: &str, form: Form) -> Outcome {
    let help = match form {
        Form::Kind | Form::Text => {
            format!("write `failure_kind!(\"{text}\")`, which the compiler checks")
        }
        Form::Report => format!(
            "use a `FailureKind` here and write `failure_kind!(\"{text}\")`, which the compiler checks"
        ),
    };
    Outcome::Wrong(Verdict {
        id: Id::RawLiteral,
        message: format!("the registered kind `{text}` is a bare string"),
        help: Some(help),
        note: None,
        name: Some(text.to_owned()),
        suggestion: None,
        correction: (form != Form::Report).then_some(Correction::Macro(form)),
    })
}

/// An extension that its server does not declare.
pub(crate) fn undeclared(server: &str, kind: &str, declared: &[&str]) -> Verdict {
    // The names of a server are few; a similar one is worth showing, never worth applying.
    let similar = suggest_among(kind, &declared.iter().copied());
    let help = match similar {
        Some(name) => format!("a similar name is declared: `{server}:{name}`"),
        None if declared.is_empty() => format!("`{server}` declares no kinds"),
        None => {
            let names: Vec<_> = declared.iter().map(|name| format!("`{name}`")).collect();
            format!("`{server}` declares {}", names.join(", "))
        }
    };
    Verdict {
        id: Id::UndeclaredExtension,
        message: format!("`{}` is not declared", Quoted(&format!("{server}:{kind}"))),
        help: Some(help),
        note: None,
        name: Some(format!("{server}:{kind}")),
        suggestion: similar.map(|name| format!("{server}:{name}")),
        correction: None,
    }
}

/// A string outside of kind positions that is almost a registered name.
pub(crate) fn near_miss(text: &str) -> Option<Verdict> {
    // A text with white space is prose, and a name without a word boundary is too short to tell.
    if !text.contains(['_', '-']) || text.contains(char::is_whitespace) || text.contains(':') {
        return None;
    }
    if !matches!(resolve(text), Entry::Unregistered) {
        return None;
    }
    let suggestion = suggest(text)?;
    if !matches!(suggestion.how, How::Shape | How::Order | How::Spelling) {
        return None;
    }
    Some(Verdict {
        id: Id::NearMiss,
        message: format!("`{}` is almost a registered failure kind", Quoted(text)),
        help: Some(format!("a similar name is registered: `{}`", suggestion.name)),
        note: None,
        name: Some(text.to_owned()),
        suggestion: Some(suggestion.name.to_owned()),
        correction: None,
    })
}
