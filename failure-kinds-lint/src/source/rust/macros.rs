//! The inside of macro calls. Where it is no list of expressions, its tokens are looked through: `json!({"failure_kind": "…"})`,
//! `warn!(failure_kind = %kind, …)`, `counter!("failures", "failure_kind" => "…")`.

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

/// The one literal that tokens are, perhaps with a comma behind it.
fn only_text(tokens: TokenStream) -> Option<LitStr> {
    let parse = |input: ParseStream<'_>| {
        let literal = input.parse::<LitStr>()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(literal)
    };
    parse.parse2(tokens).ok()
}

/// What stands between a key and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// A field of a struct.
    Field,
    /// An entry or a field of an event, which the macro reads.
    Read,
    /// An entry that the macro keeps.
    Kept,
    Compared,
}

impl Finder<'_> {
    /// The inside of a macro call: expressions where it is some, tokens where it is not.
    pub(super) fn macro_call(&mut self, call: &Macro) {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string());
        let name = name.as_deref().unwrap_or_default();
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
                        self.value(&key, &assign.right, Role::Written, Form::Text);
                        self.visit_expr(&assign.right);
                    } else {
                        self.visit_expr(argument);
                    }
                }
            }
            Err(_) => self.tokens(call.tokens.clone()),
        }
    }

    /// The argument of `failure_kind!`. The compiler refuses a wrong one; here it counts as a
    /// use of an extension, and is held against those that the project declares.
    fn kind_macro(&mut self, tokens: TokenStream) {
        if let Some(literal) = only_text(tokens) {
            self.push_text("failure_kind!", &literal, Role::Written, None);
        }
    }

    /// Looks through tokens for keys, and at what follows them.
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
                // Keys inside of the value are looked at too.
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) if self.ask.literals => {
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
                (self.keys().is_key(&name) || self.constant_key(&name)).then_some(name)
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
            Link::Field => (Role::Written, Form::Kind),
            Link::Read => (Role::Written, Form::Text),
            Link::Kept => (Role::Written, Form::Report),
            Link::Compared => (Role::Compared, Form::Text),
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

/// `:`, `=`, `=>`, `==` or `!=` behind a key, and how many tokens it takes. `name => …` is an
/// arm, not an entry.
fn link(tokens: &[TokenTree], name: bool) -> Option<(Link, usize)> {
    let sign = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) => Some((punct.as_char(), punct.spacing())),
        _ => None,
    };
    match (sign(0)?, sign(1).map(|(char, _)| char)) {
        (('=' | '!', Spacing::Joint), Some('=')) => Some((Link::Compared, 2)),
        (('=', Spacing::Joint), Some('>')) if !name => Some((Link::Kept, 2)),
        ((':', Spacing::Alone), _) if name => Some((Link::Field, 1)),
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
