//! `failure_kind!`: a name is checked when the program is compiled.
//!
//! Written on `proc_macro` alone, so that no user waits for a parser of Rust: the one argument
//! is a string literal, and all knowledge of names is in the core crate.

mod argument;
mod error;
mod literal;

use failure_kinds_core::{Accepted, KINDS, check_producer};
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use argument::Argument;
use error::Error;

/// Expands `$crate` and the user's tokens to a constant of the runtime, or to one error.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let Some(krate) = tokens.next() else { return TokenStream::new() };
    try_expand(krate, tokens.collect()).unwrap_or_else(Error::into_tokens)
}

fn try_expand(krate: TokenTree, arguments: TokenStream) -> Result<TokenStream, Error> {
    let Argument { literal, name } = argument::parse(arguments)?;
    match check_producer(&name) {
        Ok(Accepted::Registered(index)) => Ok(path(krate, &["kinds", KINDS[index].constant])),
        Ok(Accepted::Extension { .. }) => Ok(extension(krate, literal)),
        Err(refusal) => Err(Error::at(literal.span(), refusal.report(&name).to_string())),
    }
}

/// `$crate::FailureKind::__extension_unchecked("…")`. The literal is the user's, with its span.
fn extension(krate: TokenTree, literal: Literal) -> TokenStream {
    let mut call = path(krate, &["FailureKind", "__extension_unchecked"]);
    let argument = TokenTree::from(literal).into();
    call.extend([TokenTree::from(Group::new(Delimiter::Parenthesis, argument))]);
    call
}

/// `$crate::a::b`. Only `$crate` needs to resolve; the names behind it are looked up in its crate.
fn path(krate: TokenTree, segments: &[&str]) -> TokenStream {
    let mut path = Vec::with_capacity(1 + 3 * segments.len());
    path.push(krate);
    for segment in segments {
        path.push(Punct::new(':', Spacing::Joint).into());
        path.push(Punct::new(':', Spacing::Alone).into());
        path.push(Ident::new(segment, Span::mixed_site()).into());
    }
    path.into_iter().collect()
}
