//! The one argument, and what to say about everything else.

use std::borrow::Cow;

use failure_kinds_core::position;
use proc_macro::{Delimiter, Literal, Span, TokenTree};

use super::error::Error;
use super::literal::{NotString, Other, string};

/// The user's literal and its value; no value if the compiler rejects the literal.
pub(super) struct Argument {
    pub(super) literal: Literal,
    pub(super) name: Option<String>,
}

/// One plain or raw string literal with an optional comma after it.
///
/// A literal that went through a `macro_rules!` comes in an invisible group. Some editors put
/// parentheses around an argument before they expand the macro; these are accepted too.
pub(super) fn parse(arguments: Vec<TokenTree>) -> Result<Argument, Error> {
    let tokens = visible(arguments);
    let [first, after @ ..] = &tokens[..] else {
        let message = unfit("a string literal, found nothing", WRITE_IT);
        return Err(Error::at(Span::call_site(), message));
    };
    let Some(literal) = sole_literal(first) else { return Err(no_literal(&tokens)) };
    match after {
        [] => {}
        [comma] if is_punct(comma, ',') => {}
        [comma, rest @ ..] if is_punct(comma, ',') => {
            let message = unfit("one string literal, found a second argument", "remove it");
            return Err(Error::over(rest, message));
        }
        _ => return Err(Error::over(&tokens, unfit(EXPRESSION, WRITE_IT))),
    }
    match string(&literal.to_string()) {
        Ok(name) => Ok(Argument { name: name.map(Cow::into_owned), literal }),
        Err(not_string) => Err(Error::at(literal.span(), wrong_literal(&not_string))),
    }
}

const EXPRESSION: &str = "a string literal, found an expression";
const WRITE_IT: &str = "write the name itself: `failure_kind!(\"judge_failed\")`";

fn no_literal(tokens: &[TokenTree]) -> Error {
    let (found, help) = match tokens {
        [TokenTree::Ident(name)] => {
            let name = name.to_string();
            let help = if position(&name).is_some() {
                Cow::Owned(format!("put it in quotes: `failure_kind!(\"{name}\")`"))
            } else {
                Cow::Borrowed(WRITE_IT)
            };
            (format!("a string literal, found the identifier `{name}`"), help)
        }
        [TokenTree::Ident(server), colon, TokenTree::Ident(name)] if is_punct(colon, ':') => (
            format!("a string literal, found `{server}:{name}`"),
            format!("put it in quotes: `failure_kind!(\"{server}:{name}\")`").into(),
        ),
        [comma, ..] if is_punct(comma, ',') => {
            ("a string literal, found `,`".into(), WRITE_IT.into())
        }
        [TokenTree::Ident(name), bang, TokenTree::Group(_)] if is_punct(bang, '!') => (
            format!("a string literal, found a call of `{name}!`"),
            "write the whole name as one literal; a macro in its place is not expanded".into(),
        ),
        _ => (EXPRESSION.into(), WRITE_IT.into()),
    };
    Error::over(tokens, unfit(&found, &help))
}

fn wrong_literal(not_string: &NotString<'_>) -> String {
    let (found, help) = match not_string {
        NotString::Suffix(suffix) => {
            return unfit(
                &format!("a string literal without a suffix, found the suffix `{suffix}`"),
                "remove what follows the closing quote",
            );
        }
        NotString::Quoted(Other::ByteString) => {
            ("a byte string", "remove the `b` before the quotes")
        }
        NotString::Quoted(Other::CString) => ("a C string", "remove the `c` before the quotes"),
        NotString::Quoted(Other::Byte) => ("a byte", WRITE_IT),
        NotString::Quoted(Other::Char) => {
            ("a character", "write double quotes: `failure_kind!(\"judge_failed\")`")
        }
        NotString::Number => ("a number", WRITE_IT),
    };
    unfit(&format!("a string literal, found {found}"), help)
}

fn unfit(expected: &str, help: &str) -> String {
    format!(
        "expected {expected}\n\
         help: {help}\n\
         note: a name known only at run time goes through `validate_event_kind` or `FailureKind::try_from`"
    )
}

/// The tokens without the invisible groups around all of them.
fn visible(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    match &tokens[..] {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            visible(group.stream().into_iter().collect())
        }
        _ => tokens,
    }
}

/// The token as a literal, also if it is alone inside groups.
fn sole_literal(token: &TokenTree) -> Option<Literal> {
    match token {
        TokenTree::Literal(literal) => Some(literal.clone()),
        TokenTree::Group(group)
            if matches!(group.delimiter(), Delimiter::None | Delimiter::Parenthesis) =>
        {
            let mut tokens = group.stream().into_iter();
            let first = tokens.next()?;
            tokens.next().is_none().then_some(())?;
            sole_literal(&first)
        }
        _ => None,
    }
}

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}
