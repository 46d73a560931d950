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
        // The compiler has told what is wrong with it, and tells nothing more where it stands.
        return Ok(TokenTree::from(literal).into());
    };
    let mut path = vec![krate];
    match check_producer(&name) {
        Ok(Accepted::Registered(index)) => {
            // `$crate::kinds::NAME`
            push_segment(&mut path, "kinds");
            push_segment(&mut path, KINDS[index].constant);
        }
        Ok(Accepted::Extension { .. }) => {
            // `$crate::FailureKind::__extension_unchecked("…")`, with the literal as the user
            // wrote it.
            push_segment(&mut path, "FailureKind");
            push_segment(&mut path, "__extension_unchecked");
            let argument = TokenTree::from(literal).into();
            path.push(Group::new(Delimiter::Parenthesis, argument).into());
        }
        Err(refusal) => {
            return Err(Error::at(literal.span(), refusal.report(&name).to_string()));
        }
    }
    Ok(path.into_iter().collect())
}

/// `::name`. It is looked up in the crate of `$crate`, whatever is in scope where the user is.
fn push_segment(path: &mut Vec<TokenTree>, name: &str) {
    path.push(Punct::new(':', Spacing::Joint).into());
    path.push(Punct::new(':', Spacing::Alone).into());
    path.push(Ident::new(name, Span::mixed_site()).into());
}
