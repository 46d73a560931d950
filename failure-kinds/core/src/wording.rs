//! Error messages: problem, help and note, in sentences without a final period.

use core::fmt::{self, Display, Formatter};

use crate::refusal::{Fault, Part, Refusal, WhitePlace};
use crate::suggest::spelled;
use crate::text::from_fn;
use crate::words::Words;
use crate::{DOMAINS, Entry, How, KINDS, Legacy, Quoted, Status, Suggestion};

impl Refusal {
    /// What is wrong with `text`, in one clause.
    #[must_use]
    pub fn problem<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        from_fn(move |f| self.write_problem(text, f))
    }

    /// What to write instead, in one clause; `None` when there is nothing to write instead.
    #[must_use]
    pub fn help<'a>(&'a self, text: &'a str) -> Option<impl Display + 'a> {
        self.has_help().then(|| from_fn(move |f| self.write_help(text, f)))
    }

    /// More about an unregistered name: the registered kinds of its domain, if its first word is
    /// one, or how a server names a kind of its own.
    #[must_use]
    pub fn note<'a>(&'a self, text: &'a str) -> Option<impl Display + 'a> {
        self.has_note().then(|| from_fn(move |f| self.write_note(text, f)))
    }

    /// Problem and help, for a message of one line.
    #[must_use]
    pub fn sentence<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        from_fn(move |f| {
            self.write_problem(text, f)?;
            if self.has_help() {
                f.write_str("; ")?;
                self.write_help(text, f)?;
            }
            Ok(())
        })
    }

    /// Problem, help and note, each on a line of its own.
    #[must_use]
    pub fn report<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        from_fn(move |f| {
            self.write_problem(text, f)?;
            if self.has_help() {
                f.write_str("\nhelp: ")?;
                self.write_help(text, f)?;
            }
            if self.has_note() {
                f.write_str("\nnote: ")?;
                self.write_note(text, f)?;
            }
            Ok(())
        })
    }

    fn write_problem(&self, text: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let quoted = Quoted(text);
        match self.fault {
            Fault::Empty => f.write_str("a failure kind cannot be empty"),
            Fault::WhiteSpace(WhitePlace::Only) => write!(f, "`{quoted}` is only white space"),
            Fault::WhiteSpace(WhitePlace::Start) => write!(f, "`{quoted}` starts with white space"),
            Fault::WhiteSpace(WhitePlace::End) => write!(f, "`{quoted}` ends with white space"),
            Fault::WhiteSpace(WhitePlace::Inside(before)) => {
                write!(f, "character {} of `{quoted}` is white space", before + 1)
            }
            Fault::Character(char, before) => {
                write!(f, "character {} of `{quoted}` is ", before + 1)?;
                if char.is_ascii_graphic() {
                    write!(f, "`{}`", Quoted(char.encode_utf8(&mut [0; 4])))?;
                } else {
                    write!(f, "U+{:04X}", u32::from(char))?;
                }
                f.write_str(", which no failure kind has")
            }
            Fault::Shape => {
                write!(
                    f,
                    "a failure kind is written in lower-case words joined by `_`, not as `{quoted}`"
                )
            }
            Fault::Colons => write!(f, "`{quoted}` has more than one colon"),
            Fault::EmptyPart(part) => write!(f, "{}`{quoted}` is empty", part.of()),
            Fault::First(part, char) => {
                let what = if char == '_' { "an underscore" } else { "a digit" };
                write!(f, "{}`{quoted}` starts with {what}, not with a letter", part.of())
            }
            Fault::Legacy(legacy) => write!(f, "`{quoted}` {}", state(legacy)),
            Fault::GateDerived(_) => write!(f, "`{quoted}` {DERIVED}"),
            Fault::Doubled(kind) => {
                write!(f, "`{quoted}` is a second label for the registered kind `{}`", kind.name)
            }
            Fault::Unregistered => write!(f, "`{quoted}` is not a registered failure kind"),
        }
    }

    const fn has_help(&self) -> bool {
        !matches!(self.fault, Fault::GateDerived(_))
    }

    fn write_help(&self, text: &str, f: &mut Formatter<'_>) -> fmt::Result {
        match self.fault {
            Fault::Doubled(kind) => return write!(f, "write `{}`", kind.name),
            Fault::Legacy(legacy) => return write_instead(legacy, f),
            _ => {}
        }
        match self.suggestion {
            Some(Suggestion { name, how: How::Shape }) => {
                write!(f, "the registered name is `{name}`")
            }
            Some(Suggestion { name, how: How::Order }) => {
                write!(f, "the same words are registered as `{name}`")
            }
            Some(Suggestion { name, how: How::Spelling }) => {
                write!(f, "a similar name is registered: `{name}`")
            }
            Some(Suggestion { name, how: How::Joined }) => {
                write!(f, "both parts joined are a registered name: `{name}`")
            }
            Some(Suggestion { name, how: How::WithoutServer }) => {
                write!(f, "the kind part is a registered name: `{name}`")
            }
            Some(Suggestion { how: How::Renamed, .. }) | None => write_normalized(text, f),
        }
    }

    const fn has_note(&self) -> bool {
        matches!(self.fault, Fault::Unregistered)
    }

    fn write_note(&self, text: &str, f: &mut Formatter<'_>) -> fmt::Result {
        if self.suggestion.is_some() {
            return f.write_str("a kind of one server only is written `<server>:<kind>`");
        }
        let first = text.split('_').next();
        let Some(domain) = DOMAINS.iter().find(|domain| first == Some(domain.as_str())) else {
            return f.write_str("`failure-kinds list` and the constants of `failure_kinds::kinds` show all registered kinds");
        };
        write!(f, "registered kinds of the domain `{}`: ", domain.as_str())?;
        let kinds = KINDS.iter().filter(|kind| kind.domain == *domain);
        kinds.enumerate().try_for_each(|(index, kind)| {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}`{}`", kind.name)
        })
    }
}

const DERIVED: &str = "is derived from saved rows by an acceptance gate; a producer never emits it";

/// What a text would be in the shape of a kind, and what to write then.
fn write_normalized(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    const FORM: &str = "write a registered name, or `<server>:<kind>` where both parts are \
                        lower-case words joined by `_`";

    let words = |text| Words::new(text).filter(Words::is_kind_name);
    let Some((server, name)) = text.split_once(':') else {
        let Some(words) = words(text) else { return f.write_str(FORM) };
        return match spelled(&words) {
            Entry::Legacy(legacy) => {
                write!(f, "`{words}` {}; ", state(legacy))?;
                write_instead(legacy, f)
            }
            Entry::GateDerived(_) => write!(f, "`{words}` {DERIVED}"),
            _ => write!(f, "a kind of one server only is written `<server>:{words}`"),
        };
    };
    match (words(server), words(name)) {
        (Some(server), Some(name)) => write!(f, "an extension is written `{server}:{name}`"),
        _ => f.write_str(FORM),
    }
}

const fn state(legacy: &Legacy) -> &'static str {
    match legacy.status {
        Status::Renamed(_) => "is a legacy label that was renamed",
        Status::Split(_) => "is a legacy label without a single successor",
    }
}

fn write_instead(legacy: &Legacy, f: &mut Formatter<'_>) -> fmt::Result {
    match legacy.status {
        Status::Renamed(successor) => write!(f, "write `{successor}`"),
        Status::Split(hint) => {
            f.write_str("write instead:")?;
            hint.split(' ').try_for_each(|word| {
                // Names and patterns of names are the words with an underscore.
                let name = word.trim_end_matches([',', ':']);
                if name.contains('_') {
                    write!(f, " `{name}`{}", &word[name.len()..])
                } else {
                    write!(f, " {word}")
                }
            })
        }
    }
}

impl Part {
    /// The words before the quoted text.
    const fn of(self) -> &'static str {
        match self {
            Self::Name => "",
            Self::Server => "the server part of ",
            Self::Kind => "the kind part of ",
        }
    }
}
