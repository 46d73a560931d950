//! What a front end yields: the places of a text where a kind is written or compared.
//!
//! All offsets are bytes of the text that the front end was given.

use std::ops::Range;

/// A place where a kind is written or compared.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    /// The key that makes it one, as written.
    pub(crate) key: String,
    /// The whole value.
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
    pub(crate) role: Role,
    /// Whether it stands in test code.
    pub(crate) test: bool,
    /// How to write a bare string of Rust with the macro.
    pub(crate) bare: Option<Bare>,
}

impl Position {
    /// A value that data gives to a key.
    pub(crate) fn in_data(key: &str, span: Range<usize>, value: Value) -> Self {
        let (key, role) = (key.to_owned(), Role::Written);
        Self { key, span, value, role, test: false, bare: None }
    }
}

/// What stands at a position.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A text that is known.
    Text {
        text: String,
        /// The bytes that spell the text one by one, without quotes and escapes.
        inside: Option<Range<usize>>,
    },
    /// A string that is put together when the program runs.
    Formatted,
    /// Something else that only the running program knows.
    Dynamic,
    /// A value of data that is no text: what it is.
    NoText(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The value is given to the key.
    Written,
    /// The value is compared with that of the key.
    Compared,
}

/// A string of Rust that the macro should stand for.
#[derive(Clone, Debug)]
pub(crate) struct Bare {
    pub(crate) form: Form,
    /// Where the macro must be imported, and the text to insert; `None` where it is in scope.
    pub(crate) import: Option<(usize, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The value itself is wanted.
    Kind,
    /// The place takes text.
    Text,
    /// It changes only together with what stands around it: a pattern, a constant of type `&str`.
    Report,
}

/// A comment, without the signs that open and close it.
#[derive(Clone, Debug)]
pub(crate) struct Comment {
    /// From the first sign to the end.
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
}

/// A string outside of kind positions.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
    pub(crate) test: bool,
}

/// Why a text could not be parsed, in one clause.
#[derive(Clone, Debug)]
pub(crate) struct Unparsed {
    pub(crate) at: usize,
    pub(crate) why: String,
}

/// All that a front end found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) positions: Vec<Position>,
    pub(crate) comments: Vec<Comment>,
    /// Collected only where `near-miss` is on.
    pub(crate) literals: Vec<Literal>,
    /// Extensions that the text declares: server and kind.
    pub(crate) declared: Vec<(String, String)>,
    pub(crate) unparsed: Option<Unparsed>,
}

impl Scan {
    /// Moves all offsets, for a text whose first bytes were left out.
    pub(crate) fn shift(&mut self, by: usize) {
        let shift = |span: &mut Range<usize>| *span = span.start + by..span.end + by;
        for position in &mut self.positions {
            shift(&mut position.span);
            if let Value::Text { inside: Some(inside), .. } = &mut position.value {
                shift(inside);
            }
            if let Some(Bare { import: Some((at, _)), .. }) = &mut position.bare {
                *at += by;
            }
        }
        self.comments.iter_mut().for_each(|comment| shift(&mut comment.span));
        self.literals.iter_mut().for_each(|literal| shift(&mut literal.span));
        if let Some(unparsed) = &mut self.unparsed {
            unparsed.at += by;
        }
    }

    /// Adds what was found in a part of the text, whose offsets `map` turns into those of the
    /// whole. What it cannot turn, because the part is not in one piece there, is no place for
    /// an edit.
    pub(crate) fn add_part(
        &mut self,
        part: Self,
        map: impl Fn(&Range<usize>) -> (Range<usize>, bool),
    ) {
        self.positions.extend(part.positions.into_iter().map(|mut position| {
            position.span = map(&position.span).0;
            if let Value::Text { inside, .. } = &mut position.value {
                *inside = inside.as_ref().and_then(|inside| {
                    let (inside, whole) = map(inside);
                    whole.then_some(inside)
                });
            }
            // The import would be added to the part, where its reader does not look for it.
            if let Some(bare) = &mut position.bare {
                bare.form = Form::Report;
            }
            position
        }));
        self.comments.extend(part.comments.into_iter().map(|mut comment| {
            comment.span = map(&comment.span).0;
            comment
        }));
        self.literals.extend(part.literals.into_iter().map(|mut literal| {
            literal.span = map(&literal.span).0;
            literal
        }));
    }
}

/// What a front end is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) keys: &'a super::keys::Keys,
    /// Whether the whole file is test code.
    pub(crate) test: bool,
    /// Whether strings outside of kind positions are wanted.
    pub(crate) literals: bool,
    /// Whether the text is an excerpt, such as a block of documentation.
    pub(crate) fragment: bool,
}
