//! Rust, by syn: whole files and their expressions, and the blocks of code in documentation. The
//! inside of a macro call is read as expressions, or by its tokens if it is something else.
//!
//! Most files have no position. Those are only split into tokens.

mod attributes;
mod comments;
mod depth;
mod imports;
mod macros;
mod values;
mod visit;

use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr_iter, memmem};
use proc_macro2::{Delimiter, TokenStream};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprLit, Lit, LitStr, Pat};

use self::imports::Scope;
use self::visit::KeyConstants;
use super::markdown::{self, Pieces};
use crate::keys::Keys;
use crate::position::{Bare, Form, Position, Role, Scan, ScanOptions, Unparsed, Value};
use crate::suppress;

pub(super) fn scan(text: &str, options: ScanOptions<'_>) -> Scan {
    // The first line of a script is not Rust.
    let shebang = shebang_len(text);
    let text = &text[shebang..];
    let (mut scan, docs) = scan_tokens(text, options);
    // The locations of all texts that a thread has parsed are kept until this.
    proc_macro2::extra::invalidate_current_thread_spans();
    for docs in &docs {
        markdown::scan_rust_docs(docs, options, &mut scan);
    }
    scan.shift(shebang);
    scan
}

fn scan_tokens(text: &str, options: ScanOptions<'_>) -> (Scan, Vec<Pieces>) {
    let unparsed = |at, why: String| Scan::unparsed(Unparsed::new(at, why));
    let tokens: TokenStream = match text.parse() {
        Ok(tokens) => tokens,
        Err(error) => {
            return (unparsed(error.span().byte_range().start, error.to_string()), Vec::new());
        }
    };
    if !may_have_finding(text, options) {
        let unparsed = depth::too_deep(tokens).map(Unparsed::too_deep);
        return (Scan { unparsed, ..Scan::default() }, Vec::new());
    }
    if let Some(at) = depth::too_deep(tokens.clone()) {
        return (Scan::unparsed(Unparsed::too_deep(at)), Vec::new());
    }
    let (comments, docs) = comments::of(text, &tokens);
    // A block of documentation may hold statements instead of items.
    let body = syn::parse2::<syn::File>(tokens.clone()).map(Body::File).or_else(|error| {
        if options.fragment {
            syn::parse::Parser::parse2(syn::Block::parse_within, tokens)
                .map(Body::Statements)
                .map_err(|_| error)
        } else {
            Err(error)
        }
    });
    let mut scan = match body {
        Ok(body) => {
            let mut finder = Finder {
                text,
                options,
                key_constants: HashMap::new(),
                scopes: Vec::new(),
                known_macro: false,
                test: options.test,
                scan: Scan::default(),
            };
            finder.body(&body);
            finder.scan
        }
        Err(error) => unparsed(error.span().byte_range().start, error.to_string()),
    };
    scan.comments = comments;
    (scan, docs)
}

/// The words of positions without a key, of declarations and of directives.
const WORDS: [&str; 4] = ["failure_kind", "FailureKind", "stage_overrides", suppress::DIRECTIVE];

/// Whether a text may have a position or a directive: it has a word of one, or an escape that may
/// be a part of a name.
fn may_have_finding(text: &str, options: ScanOptions<'_>) -> bool {
    let bytes = text.as_bytes();
    let has = |word: &&str| memmem::find(bytes, word.as_bytes()).is_some();
    options.literals
        || options.keys.may_occur_in(text)
        || WORDS.iter().any(has)
        || memchr_iter(b'\\', bytes).any(|at| may_be_in_name(&bytes[..at], &bytes[at + 1..]))
}

/// Whether what follows a backslash spells an ASCII character, or joins a name that is split over
/// two lines.
fn may_be_in_name(before: &[u8], after: &[u8]) -> bool {
    match after {
        [b'x', b'2'..=b'7', ..] => true,
        [b'u', b'{', digits @ ..] => {
            let significant = digits.iter().skip_while(|digit| matches!(digit, b'0' | b'_'));
            significant.take_while(|digit| digit.is_ascii_hexdigit()).count() <= 2
        }
        [b'\r' | b'\n', ..] => {
            before.last().is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphanumeric())
        }
        _ => false,
    }
}

enum Body {
    File(syn::File),
    Statements(Vec<syn::Stmt>),
}

/// The length of a `#!` line that is not an inner attribute.
fn shebang_len(text: &str) -> usize {
    match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => text.find('\n').unwrap_or(text.len()),
        _ => 0,
    }
}

struct Finder<'a> {
    text: &'a str,
    options: ScanOptions<'a>,
    /// Constants that this file binds to the text of a key, with the key.
    key_constants: HashMap<String, String>,
    /// The enclosing modules, the file first.
    scopes: Vec<Scope>,
    /// Whether the enclosing macro call takes a string for a value.
    known_macro: bool,
    test: bool,
    scan: Scan,
}

impl Finder<'_> {
    fn keys(&self) -> &Keys {
        self.options.keys
    }

    fn body(&mut self, body: &Body) {
        match body {
            Body::File(file) => {
                let mut constants = KeyConstants::new(self.options.keys);
                constants.visit_file(file);
                self.key_constants = constants.found;
                let attrs = file.attrs.last().map(|attr| attr.span().byte_range().end);
                self.scopes.push(Scope::of_file(&file.items, attrs, self.text));
                self.visit_file(file);
            }
            Body::Statements(statements) => {
                self.scopes.push(Scope::of_file(&[], None, self.text));
                for statement in statements {
                    self.visit_stmt(statement);
                }
            }
        }
    }

    fn push(
        &mut self,
        key: &str,
        span: Range<usize>,
        value: Value,
        role: Role,
        bare: Option<Form>,
    ) {
        let import = self.scopes.last().and_then(Scope::import);
        self.scan.positions.push(Position {
            key: key.to_owned(),
            span,
            value,
            role,
            test: self.test,
            bare: bare.map(|form| Bare { form, import }),
        });
    }

    fn push_text(&mut self, key: &str, literal: &LitStr, role: Role, bare: Option<Form>) {
        let span = literal.span().byte_range();
        let value = Value::Text { text: literal.value(), inside: self.inside(literal, &span) };
        self.push(key, span, value, role, bare);
    }

    /// The bytes of a literal that spell its text.
    fn inside(&self, literal: &LitStr, span: &Range<usize>) -> Option<Range<usize>> {
        let source = self.text.get(span.clone())?;
        let (open, close) = (source.find('"')? + 1, source.rfind('"')?);
        let inside = span.start + open..span.start + close;
        (self.text.get(inside.clone()) == Some(literal.value().as_str())).then_some(inside)
    }

    /// Runs in test code.
    fn within(&mut self, test: bool, visit: impl FnOnce(&mut Self)) {
        let outside = self.test;
        self.test |= test;
        visit(self);
        self.test = outside;
    }

    /// Patterns that stand for what was matched.
    fn pattern(&mut self, key: &str, pattern: &Pat) {
        match pattern {
            Pat::Lit(ExprLit { lit: Lit::Str(literal), .. }) => {
                self.push_text(key, literal, Role::Compared, Some(Form::Report));
            }
            Pat::Or(or) => or.cases.iter().for_each(|case| self.pattern(key, case)),
            Pat::Paren(paren) => self.pattern(key, &paren.pat),
            Pat::Reference(reference) => self.pattern(key, &reference.pat),
            Pat::Ident(ident) => {
                if let Some((_, pattern)) = &ident.subpat {
                    self.pattern(key, pattern);
                }
            }
            Pat::TupleStruct(wrapper) if wrapper.elems.len() == 1 => {
                self.pattern(key, &wrapper.elems[0]);
            }
            _ => {}
        }
    }

    /// Patterns for a value, or for a tuple of values.
    fn matched(&mut self, value: &Expr, pattern: &Pat) {
        if let Some(key) = self.read_of(value) {
            self.pattern(&key, pattern);
        } else if let (Expr::Tuple(values), Pat::Tuple(patterns)) = (value, pattern) {
            for (value, pattern) in values.elems.iter().zip(&patterns.elems) {
                self.matched(value, pattern);
            }
        } else if let Pat::Or(or) = pattern {
            or.cases.iter().for_each(|case| self.matched(value, case));
        }
    }

    fn compared(&mut self, left: &Expr, right: &Expr) {
        if let Some(key) = self.read_of(left) {
            self.value(&key, right, Role::Compared, Form::Text);
        } else if let Some(key) = self.read_of(right) {
            self.value(&key, left, Role::Compared, Form::Text);
        }
    }

    fn assigned(&mut self, key: Option<String>, value: &Expr) {
        if let Some(key) = key {
            self.value(&key, value, Role::Written, Form::Kind);
        }
    }

    /// A constant or a static: its name may say that it holds a kind.
    fn constant(&mut self, name: &str, value: &Expr) {
        let is_key = matches!(value, Expr::Lit(ExprLit { lit: Lit::Str(text), .. })
            if self.keys().is_key(&text.value()));
        if !is_key && self.keys().holds_kind(name) {
            // Its type is written beside it.
            self.value(name, value, Role::Written, Form::Report);
        }
    }

    /// `map.insert("failure_kind", "…")` and its like.
    fn entry(&mut self, key: &Expr, value: &Expr, form: Form) {
        if let Some(key) = self.key_of(key) {
            self.value(&key, value, Role::Written, form);
        }
    }
}

/// Whether a group has no delimiters.
fn is_invisible(delimiter: Delimiter) -> bool {
    delimiter == Delimiter::None
}

#[cfg(test)]
mod tests;
