//! How deeply a source is nested, by its tokens, before anything recurses over it.
//!
//! Brackets are not all that nests: `!!a`, `Box<Box<u8>>`, `|a| |b| a` and `a.b().c()` recurse in
//! the parser, in a visitor, or when the tree is dropped. So each token has a cost, the stack that
//! it may take, and what counts is the sum on the way to a token. Where a list or a statement goes
//! on, nothing is nested, and the sum is reset.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The most stack that a source may need, in KiB. Threads have four times as much.
const LIMIT: usize = 64 << 10;

// KiB of stack for one level, measured without optimization and rounded up.
const GROUP: usize = 45;
const ANGLE: usize = 58;
const ARROW: usize = 46;
const PREFIX: usize = 40;
const CLOSURE: usize = 18;
const KEYWORD: usize = 13;
const BINDING: usize = 12;
const ASSIGNMENT: usize = 9;
const DOT: usize = 6;
/// What nests to the left: an operator, a call, an index, a part of a path.
const CHAIN: usize = 3;

/// Where the tokens are nested too deeply, if they are: an offset in bytes.
pub(super) fn too_deep(tokens: TokenStream) -> Option<usize> {
    let mut levels = vec![Level::new(0, tokens)];
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.tokens.next() else {
            levels.pop();
            continue;
        };
        level.take(&token);
        let sum = level.sum();
        if sum > LIMIT {
            return Some(token.span().byte_range().start);
        }
        if let TokenTree::Group(group) = token {
            let inside = group.stream();
            // Tokens that nothing else holds are not copied.
            drop(group);
            levels.push(Level::new(sum + GROUP, inside));
        }
    }
    None
}

/// What came before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The start, an operator or a keyword: an expression or a type comes next.
    Operator,
    Name,
    /// A literal, or brackets other than braces.
    Value,
    Braces,
    /// The `#` of an attribute.
    Hash,
}

/// The tokens between two brackets.
struct Level {
    tokens: proc_macro2::token_stream::IntoIter,
    /// The sum on the way to the bracket.
    outside: usize,
    /// The sum since the last statement or element of a list.
    inside: usize,
    /// The `<` that are open. In a list of arguments, a comma does not reset the sum.
    angles: usize,
    /// Whether the parameters of a closure are open.
    closure: bool,
    before: Before,
    /// The operator that the token before it belongs to.
    joint: Option<char>,
}

impl Level {
    fn new(outside: usize, tokens: TokenStream) -> Self {
        Self {
            tokens: tokens.into_iter(),
            outside,
            inside: 0,
            angles: 0,
            closure: false,
            before: Before::Operator,
            joint: None,
        }
    }

    const fn sum(&self) -> usize {
        self.outside + self.inside + self.angles * ANGLE
    }

    const fn reset(&mut self) {
        self.inside = 0;
        self.angles = 0;
        self.closure = false;
    }

    fn take(&mut self, token: &TokenTree) {
        if self.before == Before::Braces && ends_block(token) {
            self.reset();
        }
        let joint = self.joint.take();
        self.before = match token {
            TokenTree::Group(group) => {
                // There may be any number of attributes, one after the other.
                if self.before != Before::Hash {
                    self.inside += CHAIN;
                }
                match group.delimiter() {
                    Delimiter::Brace => Before::Braces,
                    _ => Before::Value,
                }
            }
            TokenTree::Ident(name) if is_keyword(&name.to_string()) => {
                self.inside += KEYWORD;
                Before::Operator
            }
            TokenTree::Ident(_) => Before::Name,
            TokenTree::Literal(_) => Before::Value,
            TokenTree::Punct(punct) => {
                let char = punct.as_char();
                if punct.spacing() == Spacing::Joint {
                    self.joint = Some(char);
                }
                self.punct(char, joint)
            }
        };
    }

    /// Takes a character of an operator, after the one that it is joined to.
    fn punct(&mut self, char: char, joint: Option<char>) -> Before {
        let is_prefix = self.before == Before::Operator;
        match char {
            ';' => self.reset(),
            ',' if self.angles == 0 && !self.closure => self.inside = 0,
            '#' => return Before::Hash,
            '!' if self.before == Before::Hash => return Before::Hash,
            '>' if joint == Some('=') => self.reset(),
            '>' if joint == Some('-') => self.inside += ARROW,
            '>' if self.angles > 0 => {
                self.angles -= 1;
                return Before::Name;
            }
            // A shift has a literal or brackets before it more often than a type has.
            '<' if self.before == Before::Value => {
                self.inside += CHAIN;
                return Before::Value;
            }
            '<' => self.angles += 1,
            '|' if self.closure => {
                self.closure = false;
                // What follows is the body, which may be another closure.
                self.joint = None;
            }
            '|' if joint == Some('|') => {}
            '|' if is_prefix => {
                self.inside += CLOSURE;
                self.closure = true;
            }
            '&' | '*' | '-' | '!' if is_prefix => self.inside += PREFIX,
            '=' => self.inside += ASSIGNMENT,
            '@' => self.inside += BINDING,
            '.' => self.inside += DOT,
            '?' => {
                self.inside += CHAIN;
                return Before::Value;
            }
            '\'' => {}
            _ => self.inside += CHAIN,
        }
        Before::Operator
    }
}

/// Whether a token after braces starts a statement, an item or an arm.
fn ends_block(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(name) => name != "else" && name != "as",
        TokenTree::Literal(_) => true,
        TokenTree::Punct(punct) => matches!(punct.as_char(), '#' | '\''),
        TokenTree::Group(_) => false,
    }
}

/// The keywords after which an expression, a type or a pattern comes.
fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "as" | "async"
            | "await"
            | "box"
            | "break"
            | "const"
            | "do"
            | "dyn"
            | "else"
            | "fn"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "move"
            | "mut"
            | "raw"
            | "ref"
            | "return"
            | "static"
            | "unsafe"
            | "where"
            | "while"
            | "yield"
    )
}
