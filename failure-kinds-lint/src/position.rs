//! What a front end yields: the positions of a text where a kind is written or compared.
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
    /// Whether it is in test code.
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

/// What is at a position.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A text that is known.
    Text {
        text: String,
        /// The bytes that spell the text one by one, without quotes and escapes.
        inside: Option<Range<usize>>,
    },
    /// A string that is built when the program runs.
    Formatted,
    /// Something else that only the running program knows.
    Dynamic,
    /// A value of data that is not a string: what it is.
    NotText(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The value is given to the key.
    Written,
    /// The value is compared with that of the key.
    Compared,
    /// The value is what a reader gets if the key is absent.
    Default,
}

/// A string of Rust that the macro could replace.
#[derive(Clone, Debug)]
pub(crate) struct Bare {
    pub(crate) form: Form,
    /// Where the macro must be imported, and the text to insert; `None` if it is in scope.
    pub(crate) import: Option<(usize, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The kind itself is wanted.
    Kind,
    /// A string is wanted.
    Text,
    /// It changes only together with what is around it: a pattern, a constant of type `&str`.
    Report,
}

/// A comment, without the signs that open and close it.
#[derive(Clone, Debug)]
pub(crate) struct Comment {
    /// From the first sign to the end.
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
    /// The block of code below it, for a comment in Markdown.
    pub(crate) block: Option<Range<usize>>,
}

impl Comment {
    pub(crate) fn new(span: Range<usize>, text: impl Into<String>) -> Self {
        Self { span, text: text.into(), block: None }
    }
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
    /// Whether it was not even tried, because the text is nested too deeply.
    pub(crate) too_deep: bool,
}

impl Unparsed {
    pub(crate) fn new(at: usize, why: impl Into<String>) -> Self {
        Self { at, why: why.into(), too_deep: false }
    }

    pub(crate) fn too_deep(at: usize) -> Self {
        Self { at, why: "nested too deeply".to_owned(), too_deep: true }
    }
}

/// All that a front end found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) positions: Vec<Position>,
    pub(crate) comments: Vec<Comment>,
    /// Collected only if `near-miss` is on.
    pub(crate) literals: Vec<Literal>,
    /// Extensions that the text declares: server and kind.
    pub(crate) declared: Vec<(String, String)>,
    pub(crate) unparsed: Option<Unparsed>,
}

impl Scan {
    /// Nothing but a reason.
    pub(crate) fn unparsed(unparsed: Unparsed) -> Self {
        Self { unparsed: Some(unparsed), ..Self::default() }
    }

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
    /// whole. What it cannot turn, because the part is not in one piece there, cannot be edited.
    ///
    /// A part is an excerpt, so it need not parse. But it must not be nested too deeply, or
    /// nothing in it was checked.
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
        if let Some(mut unparsed) = part.unparsed.filter(|unparsed| unparsed.too_deep) {
            unparsed.at = map(&(unparsed.at..unparsed.at)).0.start;
            self.unparsed.get_or_insert(unparsed);
        }
    }
}

/// How a front end reads a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanOptions<'a> {
    pub(crate) keys: &'a super::keys::Keys,
    /// Whether the whole file is test code.
    pub(crate) test: bool,
    /// Whether strings outside of kind positions are wanted.
    pub(crate) literals: bool,
    /// Whether the text is an excerpt, such as a block of documentation.
    pub(crate) fragment: bool,
}
