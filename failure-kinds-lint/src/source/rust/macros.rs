//! The inside of macro calls. If it is not a list of expressions, its tokens are searched:
//! `json!({"failure_kind": "…"})`, `warn!(failure_kind = %kind, …)`,
//! `counter!("failures", "failure_kind" => "…")`.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, Lit, LitStr, Macro, Pat, Token};

use super::{Finder, is_invisible};
use crate::position::{Form, Literal, Role};

/// Expressions between commas.
pub(super) fn arguments(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    Ok(Punctuated::<Expr, Token![,]>::parse_terminated(input)?.into_iter().collect())
}

/// String literals between commas.
pub(super) fn texts(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(input)?;
    Ok(texts.iter().map(LitStr::value).collect())
}

/// Macros that take a string for the value of a key: JSON, and events of `tracing` and `log`.
fn is_known(name: &str) -> bool {
    matches!(name, "debug" | "error" | "event" | "info" | "json" | "span" | "trace" | "warn")
        || name.ends_with("_span")
}

/// The arguments of `matches!`: a value, a pattern, perhaps a guard.
fn matches_arguments(input: ParseStream<'_>) -> syn::Result<(Expr, Pat, Option<Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let guard =
        if input.parse::<Option<Token![if]>>()?.is_some() { Some(input.parse()?) } else { None };
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pattern, guard))
}

/// The one literal that tokens are, perhaps with a comma after it.
fn only_text(tokens: TokenStream) -> Option<LitStr> {
    let parse = |input: ParseStream<'_>| {
        let literal = input.parse::<LitStr>()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(literal)
    };
    parse.parse2(tokens).ok()
}

/// What is between a key and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// An entry or a field, which the macro may read.
    Read,
    /// An entry or a field, which the macro keeps.
    Kept,
    Compared,
}

impl Finder<'_> {
    /// The inside of a macro call: expressions, or tokens if it is something else.
    pub(super) fn macro_call(&mut self, call: &Macro) {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string());
        let outside = self.known_macro;
        self.known_macro = name.as_deref().is_some_and(is_known);
        self.macro_body(call, name.as_deref().unwrap_or_default());
        self.known_macro = outside;
    }

    /// How a string is written that a macro gets for a key.
    const fn macro_form(&self) -> Form {
        // Another macro may compare its tokens.
        if self.known_macro { Form::Text } else { Form::Report }
    }

    fn macro_body(&mut self, call: &Macro, name: &str) {
        if name == "failure_kind" {
            self.kind_macro(call.tokens.clone());
            return;
        }
        if name == "matches"
            && let Ok((value, pattern, guard)) = call.parse_body_with(matches_arguments)
        {
            self.matched(&value, &pattern);
            self.visit_expr(&value);
            self.visit_pat(&pattern);
            if let Some(guard) = guard {
                self.visit_expr(&guard);
            }
            return;
        }
        match call.parse_body_with(arguments) {
            Ok(arguments) => {
                if (name.contains("assert_eq") || name.contains("assert_ne"))
                    && let [left, right, ..] = &arguments[..]
                {
                    self.compared(left, right);
                }
                for argument in &arguments {
                    // A field of an event, not an assignment: it takes text.
                    if let Expr::Assign(assign) = argument
                        && let Some(key) = self.place_of(&assign.left)
                    {
                        let form = self.macro_form();
                        self.value(&key, &assign.right, Role::Written, form);
                        self.visit_expr(&assign.right);
                    } else {
                        self.visit_expr(argument);
                    }
                }
            }
            Err(_) => self.tokens(call.tokens.clone()),
        }
    }

    /// The argument of `failure_kind!`. The compiler rejects a wrong one. Here it counts as a use of
    /// an extension, and is compared with those that the project declares.
    fn kind_macro(&mut self, tokens: TokenStream) {
        if let Some(literal) = only_text(tokens) {
            self.push_text("failure_kind!", &literal, Role::Written, None);
        }
    }

    /// Searches tokens for keys, and reads the values after them.
    pub(super) fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if let Some(group) = kind_macro(&tokens[at..]) {
                self.kind_macro(group);
                at += 3;
                continue;
            }
            if let Some(key) = self.key_token(&tokens[at])
                && let Some((link, length)) = link(&tokens[at + 1..], is_name(&tokens[at]))
            {
                at += 1 + length;
                let end = value_len(&tokens[at..]);
                self.token_value(&key, &tokens[at..at + end], link);
                // Keys inside the value count too.
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) if self.options.literals => {
                    if let Lit::Str(text) = Lit::new(literal.clone()) {
                        let span = literal.span().byte_range();
                        let test = self.test;
                        self.scan.literals.push(Literal { span, text: text.value(), test });
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The key that a token names.
    fn key_token(&self, token: &TokenTree) -> Option<String> {
        match token {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if self.keys().is_key(&name) { Some(name) } else { self.constant_key(&name) }
            }
            TokenTree::Literal(literal) => match Lit::new(literal.clone()) {
                Lit::Str(text) => Some(text.value()).filter(|text| self.keys().is_key(text)),
                _ => None,
            },
            TokenTree::Group(group) if is_invisible(group.delimiter()) => {
                self.key_token(&group.stream().into_iter().next()?)
            }
            _ => None,
        }
    }

    fn token_value(&mut self, key: &str, tokens: &[TokenTree], link: Link) {
        // `%kind` and `?kind` say how an event shows it.
        let tokens = match tokens {
            [TokenTree::Punct(sign), rest @ ..] if matches!(sign.as_char(), '%' | '?') => rest,
            tokens => tokens,
        };
        let (role, form) = match link {
            Link::Read => (Role::Written, self.macro_form()),
            Link::Kept => (Role::Written, Form::Report),
            Link::Compared => (Role::Compared, self.macro_form()),
        };
        if let Ok(value) = syn::parse2::<Expr>(tokens.iter().cloned().collect()) {
            self.value(key, &value, role, form);
        }
    }
}

/// The argument of `failure_kind!(…)`.
fn kind_macro(tokens: &[TokenTree]) -> Option<TokenStream> {
    match tokens {
        [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group), ..]
            if name == "failure_kind" && bang.as_char() == '!' =>
        {
            Some(group.stream())
        }
        _ => None,
    }
}

fn is_name(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_))
}

/// `:`, `=`, `=>`, `==` or `!=` after a key, and how many tokens it takes. `name => …` is an
/// arm, not an entry.
fn link(tokens: &[TokenTree], name: bool) -> Option<(Link, usize)> {
    let sign = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) => Some((punct.as_char(), punct.spacing())),
        _ => None,
    };
    match (sign(0)?, sign(1).map(|(char, _)| char)) {
        (('=' | '!', Spacing::Joint), Some('=')) => Some((Link::Compared, 2)),
        (('=', Spacing::Joint), Some('>')) if !name => Some((Link::Kept, 2)),
        // A field of a struct.
        ((':', Spacing::Alone), _) if name => Some((Link::Kept, 1)),
        // `=%kind` has a sign that is joined.
        (('=' | ':', Spacing::Alone), _) | (('=', Spacing::Joint), Some('%' | '?' | '&')) => {
            Some((Link::Read, 1))
        }
        _ => None,
    }
}

/// How many tokens a value takes: to the next comma or semicolon, or to what joins conditions.
fn value_len(tokens: &[TokenTree]) -> usize {
    let ends = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';' | '|'));
    tokens.iter().position(ends).unwrap_or(tokens.len())
}
