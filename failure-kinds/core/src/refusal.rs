//! Why a text is not a failure kind. The wording is in `wording.rs`.

use crate::{
    GateDerived, Kind, Legacy, Suggestion, doubled, gate_derived, legacy, position,
    split_extension, suggest,
};

/// A text that is a failure kind.
#[derive(Clone, Copy, Debug)]
pub enum Accepted<'a> {
    /// A registered kind, by its index in the table.
    Registered(usize),
    /// A well-formed extension of a server.
    Extension {
        /// What is before the colon.
        server: &'a str,
        /// What is after it.
        name: &'a str,
    },
}

/// Why a text is not a failure kind, with what to write instead if that is known.
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
    /// A character that no kind has, and how many are before it.
    Character(char, usize),
    /// Upper-case letters or hyphens.
    Shape,
    /// More than one colon.
    Colons,
    /// Nothing before or after the colon.
    EmptyPart(Part),
    /// A part that starts with a digit or an underscore.
    First(Part, char),
    /// A legacy label.
    Legacy(&'static Legacy),
    /// A class that only an acceptance gate derives.
    GateDerived(&'static GateDerived),
    /// An extension that duplicates a registered name.
    Doubled(&'static Kind),
    /// Well-formed, but not registered.
    Unregistered,
}

/// Where the white space is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhitePlace {
    /// There is nothing else.
    Only,
    /// Before the first other character.
    Start,
    /// After the last other character.
    End,
    /// After this many characters.
    Inside(usize),
}

/// The part of a text that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A whole name without a colon.
    Name,
    /// What is before the colon.
    Server,
    /// What is after it.
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

/// Like [`accept`], but says why everything else is rejected.
///
/// # Errors
///
/// The first rule that the text breaks.
pub fn parse(text: &str) -> Result<Accepted<'_>, Refusal> {
    accept(text).ok_or_else(|| Refusal { fault: fault(text), suggestion: suggest(text) })
}

/// Like [`parse`], but also rejects an extension that duplicates a registered name.
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

/// The rule that a text breaks if it is neither registered nor an extension.
fn fault(text: &str) -> Fault {
    let white = |char: char| char.is_ascii_whitespace() || char == '\u{b}';
    if text.is_empty() {
        return Fault::Empty;
    }
    match (text.starts_with(white), text.ends_with(white)) {
        (true, true) if text.chars().all(white) => return Fault::WhiteSpace(WhitePlace::Only),
        (true, _) => return Fault::WhiteSpace(WhitePlace::Start),
        (_, true) => return Fault::WhiteSpace(WhitePlace::End),
        (false, false) => {}
    }
    let strange = |char: char| {
        !(char.is_ascii_alphanumeric() || white(char) || matches!(char, '_' | ':' | '-'))
    };
    if let Some((index, char)) = text.chars().enumerate().find(|&(_, char)| strange(char)) {
        return Fault::Character(char, index);
    }
    if let Some(index) = text.chars().position(white) {
        return Fault::WhiteSpace(WhitePlace::Inside(index));
    }
    if text.contains(|char: char| char.is_ascii_uppercase() || char == '-') {
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
