//! Why a text is no failure kind, and the words that say so.

use core::fmt::{self, Display, Formatter, from_fn};

use crate::{
    DOMAINS, Domain, Fate, GateDerived, How, Kind, Legacy, Quoted, Suggestion, doubled,
    gate_derived, legacy, position, split_extension, suggest,
};

/// A text that is a failure kind.
#[derive(Clone, Copy, Debug)]
pub enum Accepted<'a> {
    /// A registered kind, by its index in the table.
    Registered(usize),
    /// A well-formed extension of a server.
    Extension {
        /// What stands before the colon.
        server: &'a str,
        /// What stands behind it.
        name: &'a str,
    },
}

/// Why a text is no failure kind, with what to write instead where that is known.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// The rule that the text breaks.
    pub fault: Fault,
    /// The name that was most likely meant.
    pub suggestion: Option<Suggestion>,
}

/// The rule that a text breaks.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// There is no text.
    Empty,
    /// White space, and where.
    WhiteSpace(WhitePlace),
    /// A character outside ASCII, or a control character.
    Character(char),
    /// Upper-case letters or hyphens.
    Shape,
    /// A character of ASCII that no name has.
    Punctuation(char),
    /// More than one colon.
    Colons,
    /// Nothing before or behind the colon.
    EmptyPart(Part),
    /// A part that starts with a digit or an underscore.
    First(Part, char),
    /// A legacy label.
    Legacy(&'static Legacy),
    /// A class that only an acceptance gate derives.
    GateDerived(&'static GateDerived),
    /// An extension that doubles a registered name.
    Doubled(&'static Kind),
    /// Well-formed, and no registered name.
    Unregistered,
}

/// Where white space stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhitePlace {
    /// Before the first other character.
    Start,
    /// Behind the last other character.
    End,
    /// Behind this many characters.
    Inside(usize),
}

/// The part of a text that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A whole name without a colon.
    Name,
    /// What stands before the colon.
    Server,
    /// What stands behind it.
    Kind,
}

/// A registered kind or a well-formed extension; `None` for everything else.
#[must_use]
pub const fn accept(text: &str) -> Option<Accepted<'_>> {
    if let Some(index) = position(text) {
        return Some(Accepted::Registered(index));
    }
    match split_extension(text) {
        Some((server, name)) => Some(Accepted::Extension { server, name }),
        None => None,
    }
}

/// As [`accept`], and says of everything else why it is refused.
///
/// # Errors
///
/// The first rule that the text breaks.
pub fn parse(text: &str) -> Result<Accepted<'_>, Refusal> {
    accept(text).ok_or_else(|| Refusal { fault: fault(text), suggestion: suggest(text) })
}

/// As [`parse`], and refuses an extension that doubles a registered name.
///
/// # Errors
///
/// The first rule that the text breaks.
pub fn check_producer(text: &str) -> Result<Accepted<'_>, Refusal> {
    match parse(text)? {
        Accepted::Extension { server, name } => match doubled(server, name) {
            Some(kind) => Err(Refusal { fault: Fault::Doubled(kind), suggestion: suggest(text) }),
            None => Ok(Accepted::Extension { server, name }),
        },
        registered @ Accepted::Registered(_) => Ok(registered),
    }
}

/// The rule that a text breaks which is neither registered nor an extension.
fn fault(text: &str) -> Fault {
    let white = |char: char| char.is_ascii_whitespace() || char == '\u{b}';
    if text.is_empty() {
        return Fault::Empty;
    }
    if text.starts_with(white) {
        return Fault::WhiteSpace(WhitePlace::Start);
    }
    if text.ends_with(white) {
        return Fault::WhiteSpace(WhitePlace::End);
    }
    let find = |test: &dyn Fn(char) -> bool| text.chars().find(|&char| test(char));
    if let Some(char) = find(&|char| !char.is_ascii() || (char.is_control() && !white(char))) {
        return Fault::Character(char);
    }
    if let Some(index) = text.find(white) {
        // All of it is ASCII: bytes are characters.
        return Fault::WhiteSpace(WhitePlace::Inside(index));
    }
    if let Some(char) =
        find(&|char| char.is_ascii_punctuation() && !matches!(char, '_' | ':' | '-'))
    {
        return Fault::Punctuation(char);
    }
    if find(&|char| char.is_ascii_uppercase() || char == '-').is_some() {
        return Fault::Shape;
    }
    match text.split_once(':') {
        None => first(Part::Name, text).unwrap_or_else(|| {
            legacy(text)
                .map(Fault::Legacy)
                .or_else(|| gate_derived(text).map(Fault::GateDerived))
                .unwrap_or(Fault::Unregistered)
        }),
        Some((_, name)) if name.contains(':') => Fault::Colons,
        Some((server, name)) => first(Part::Server, server)
            .or_else(|| first(Part::Kind, name))
            .unwrap_or(Fault::Unregistered),
    }
}

fn first(part: Part, text: &str) -> Option<Fault> {
    match text.chars().next() {
        None => Some(Fault::EmptyPart(part)),
        Some('a'..='z') => None,
        Some(char) => Some(Fault::First(part, char)),
    }
}

impl Refusal {
    /// What is wrong with `text`, in one clause without a final period.
    #[must_use]
    pub fn problem<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        from_fn(move |f| self.write_problem(text, f))
    }

    /// What to write instead or to look at, in one clause; `None` when the problem says it all.
    #[must_use]
    pub fn help<'a>(&'a self, text: &'a str) -> Option<impl Display + 'a> {
        self.has_help().then(|| from_fn(move |f| self.write_help(text, f)))
    }

    /// Problem and help as one sentence, for a message of one line.
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

    /// Problem, help and notes, each on a line of its own, for a message of several lines.
    #[must_use]
    pub fn report<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        from_fn(move |f| {
            self.write_problem(text, f)?;
            if self.has_help() {
                f.write_str("\nhelp: ")?;
                self.write_help(text, f)?;
            }
            Ok(())
        })
    }

    /// The registered kinds that are worth a look: those of the domain that the text starts with.
    #[must_use]
    pub fn neighbours(&self, text: &str) -> Option<Domain> {
        let domain = || {
            DOMAINS.iter().copied().find(|domain| text.split('_').next() == Some(domain.as_str()))
        };
        (matches!(self.fault, Fault::Unregistered) && self.suggestion.is_none())
            .then(domain)
            .flatten()
    }

    fn write_problem(&self, text: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let quoted = Quoted(text);
        match self.fault {
            Fault::Empty => f.write_str("a failure kind cannot be empty"),
            Fault::WhiteSpace(WhitePlace::Start) => write!(f, "`{quoted}` starts with white space"),
            Fault::WhiteSpace(WhitePlace::End) => write!(f, "`{quoted}` ends with white space"),
            Fault::WhiteSpace(WhitePlace::Inside(index)) => {
                write!(f, "`{quoted}` has white space behind character {index}")
            }
            Fault::Character(char) => {
                write!(f, "`{quoted}` has the character U+{:04X}, and names are ASCII", char as u32)
            }
            Fault::Shape => {
                write!(
                    f,
                    "`{quoted}` is not written as a failure kind: lower-case words joined by `_`"
                )
            }
            Fault::Punctuation(char) => {
                write!(
                    f,
                    "`{quoted}` has the character `{}`, which no failure kind has",
                    Quoted(char.encode_utf8(&mut [0; 4]))
                )
            }
            Fault::Colons => write!(f, "`{quoted}` has more than one colon"),
            Fault::EmptyPart(part) => write!(f, "`{quoted}` has an empty {}", part.noun()),
            Fault::First(part, char) => {
                let what = if char == '_' { "an underscore" } else { "a digit" };
                match part {
                    Part::Name => write!(f, "`{quoted}` starts with {what}"),
                    Part::Server | Part::Kind => {
                        write!(f, "the {} of `{quoted}` starts with {what}", part.noun())
                    }
                }
            }
            Fault::Legacy(Legacy { fate: Fate::Renamed(_), .. }) => {
                write!(f, "`{quoted}` is a legacy label that was renamed")
            }
            Fault::Legacy(Legacy { fate: Fate::Split(_), .. }) => {
                write!(f, "`{quoted}` is a legacy label that meant several things")
            }
            Fault::GateDerived(_) => write!(
                f,
                "`{quoted}` is derived from saved rows by an acceptance gate: a producer never emits it"
            ),
            Fault::Doubled(_) => {
                write!(f, "`{quoted}` is a second label for a registered failure kind")
            }
            Fault::Unregistered => write!(f, "`{quoted}` is not a registered failure kind"),
        }
    }

    fn has_help(&self) -> bool {
        self.suggestion.is_some() || !matches!(self.fault, Fault::GateDerived(_))
    }

    fn write_help(&self, text: &str, f: &mut Formatter<'_>) -> fmt::Result {
        if let Fault::Doubled(kind) = self.fault {
            return write!(f, "write the registered name: `{}`", kind.name);
        }
        if let Some(Suggestion { name, how }) = self.suggestion {
            return match how {
                How::Shape => write!(f, "the registered name is `{name}`"),
                How::Renamed => write!(f, "write `{name}`"),
                How::Order => write!(f, "the same words are registered as `{name}`"),
                How::Spelling => write!(f, "a similar name is registered: `{name}`"),
                How::Joined => write!(f, "the two parts joined are registered: `{name}`"),
                How::WithoutServer => {
                    write!(f, "a registered name without the server part: `{name}`")
                }
            };
        }
        match self.fault {
            Fault::Legacy(Legacy { fate: Fate::Split(hint), .. }) => {
                write!(f, "look at: {hint}")
            }
            Fault::Unregistered if crate::is_kind_name(text) => {
                write!(f, "a kind of one server only is written `<server>:{}`", Quoted(text))
            }
            _ => f.write_str(
                "write a registered name, or `<server>:<kind>` with lower-case letters, digits and `_` \
                 on both sides, each starting with a letter",
            ),
        }
    }
}

impl Part {
    const fn noun(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Server => "server part",
            Self::Kind => "kind part",
        }
    }
}
