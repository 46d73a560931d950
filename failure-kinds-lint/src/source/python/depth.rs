//! How deeply a source is nested, by its tokens, before anything recurses over it.
//!
//! Brackets are not all that nests: `not not a`, `a()()` and `lambda: lambda: a` recurse in a
//! visitor or when the tree is dropped. So every operator and keyword counts as a level until a
//! list or a statement goes on.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Mode;
use ruff_python_parser::lexer::lex;

/// Python itself gives up earlier.
const MAX_DEPTH: usize = 10_000;
/// The levels that an f-string counts for: the parser takes quadratic time for nested ones.
const F_STRING: usize = 100;

/// Where the source is nested too deeply, if it is: an offset in bytes.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    // Each level has a byte of its own.
    if text.len() <= MAX_DEPTH / F_STRING || !exceeds(text) {
        return None;
    }
    // The lexer keeps the offset to itself, so the shortest part that is too deep shows it.
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    Some(ends[ends.partition_point(|&end| !exceeds(&text[..end])).saturating_sub(1)])
}

fn exceeds(text: &str) -> bool {
    let mut lexer = lex(text, Mode::Module);
    let mut depth = Depth::default();
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return false,
            token => depth.take(token),
        }
        if depth.outside + depth.inside > MAX_DEPTH {
            return true;
        }
    }
}

#[derive(Default)]
struct Depth {
    /// The levels of blocks and of open brackets.
    outside: usize,
    blocks: usize,
    /// The levels since the last statement or element of a list.
    inside: usize,
    /// The lambdas whose parameters are open. A comma between parameters ends nothing.
    lambdas: usize,
    /// What was inside and open around each open bracket, and what the bracket counts for.
    brackets: Vec<(usize, usize, usize)>,
}

impl Depth {
    fn take(&mut self, token: TokenKind) {
        match token {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => self.open(1),
            TokenKind::FStringStart | TokenKind::TStringStart => self.open(F_STRING),
            TokenKind::Rpar
            | TokenKind::Rsqb
            | TokenKind::Rbrace
            | TokenKind::FStringEnd
            | TokenKind::TStringEnd => self.close(),
            TokenKind::Comma if self.lambdas == 0 => self.inside = 0,
            TokenKind::Newline | TokenKind::Semi => {
                *self = Self { outside: self.blocks, blocks: self.blocks, ..Self::default() };
            }
            TokenKind::Indent => {
                self.blocks += 1;
                self.outside += 1;
            }
            TokenKind::Dedent => {
                self.blocks = self.blocks.saturating_sub(1);
                self.outside = self.outside.saturating_sub(1);
            }
            TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringMiddle
            | TokenKind::TStringMiddle
            | TokenKind::Comment
            | TokenKind::NonLogicalNewline => {}
            _ => {
                match token {
                    TokenKind::Lambda => self.lambdas += 1,
                    TokenKind::Colon => self.lambdas = self.lambdas.saturating_sub(1),
                    _ => {}
                }
                self.inside += 1;
            }
        }
    }

    fn open(&mut self, levels: usize) {
        self.brackets.push((self.inside, self.lambdas, levels));
        self.outside += self.inside + levels;
        self.inside = 0;
        self.lambdas = 0;
    }

    fn close(&mut self) {
        let Some((inside, lambdas, levels)) = self.brackets.pop() else { return };
        self.outside -= inside + levels;
        self.inside = inside + 1;
        self.lambdas = lambdas;
    }
}
