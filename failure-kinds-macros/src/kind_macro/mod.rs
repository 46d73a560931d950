//! `failure_kind!`: a name is checked when the program is compiled.
//!
//! Written on `proc_macro` alone, so that no user waits for a parser of Rust: the one argument
//! is a string literal, and all knowledge of names is in the core crate.

mod argument;
mod error;
mod literal;

use failure_kinds_core::{Accepted, KINDS, check_producer};
use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use argument::Argument;
use error::Error;

/// Expands `$crate` and the user's tokens to a constant of the runtime, or to one error.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let Some(krate) = tokens.next() else { return TokenStream::new() };
    try_expand(krate, tokens.collect()).unwrap_or_else(Error::into_tokens)
}

fn try_expand(krate: TokenTree, arguments: Vec<TokenTree>) -> Result<TokenStream, Error> {
    let Argument { literal, name } = argument::parse(arguments)?;
    let Some(name) = name else {
        // The compiler has reported what is wrong with it, and reports nothing more if it stays.
        return Ok(TokenTree::from(literal).into());
    };
    // Everything points at the user's literal: advice of the compiler must never be about the
    // library.
    let at = literal.span();
    let mut krate = krate;
    krate.set_span(krate.span().located_at(at));
    let mut path = vec![krate];
    match check_producer(&name) {
        Ok(Accepted::Registered(index)) => {
            // `$crate::kinds::NAME`
            push_segment(&mut path, "kinds", at);
            push_segment(&mut path, KINDS[index].constant, at);
        }
        Ok(Accepted::Extension { .. }) => {
            // `$crate::FailureKind::__extension_unchecked("…")`, with the literal as the user
            // wrote it.
            push_segment(&mut path, "FailureKind", at);
            push_segment(&mut path, "__extension_unchecked", at);
            let argument = TokenTree::from(literal).into();
            let mut arguments = Group::new(Delimiter::Parenthesis, argument);
            arguments.set_span(at);
            path.push(arguments.into());
        }
        Err(refusal) => {
            return Err(Error::at(literal.span(), refusal.report(&name).to_string()));
        }
    }
    Ok(path.into_iter().collect())
}

/// `::name`. It is looked up in the crate of `$crate`, whatever is in scope where the user is.
fn push_segment(path: &mut Vec<TokenTree>, name: &str, at: Span) {
    let span = Span::mixed_site().located_at(at);
    for spacing in [Spacing::Joint, Spacing::Alone] {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        path.push(colon.into());
    }
    path.push(Ident::new(name, span).into());
}
