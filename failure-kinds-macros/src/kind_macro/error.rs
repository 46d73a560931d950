//! One error at one place of the user's source.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// What is wrong, and the tokens it points at.
pub(super) struct Error {
    start: Span,
    end: Span,
    message: String,
}

impl Error {
    pub(super) fn at(span: Span, message: String) -> Self {
        Self { start: span, end: span, message }
    }

    /// Points at everything from the first token to the last.
    pub(super) fn over(tokens: &[TokenTree], message: String) -> Self {
        let span = |token: Option<&TokenTree>| token.map_or_else(Span::call_site, TokenTree::span);
        Self { start: span(tokens.first()), end: span(tokens.last()), message }
    }

    /// `::core::compile_error!("…")`.
    ///
    /// The compiler underlines from its first token to its last. Each has the span of one of the user's tokens: with any
    /// other, the compiler adds a note about the code of the macro.
    pub(super) fn into_tokens(self) -> TokenStream {
        let Self { start, end, message } = self;
        let mut message = Literal::string(&message);
        message.set_span(end);
        let mut group = Group::new(Delimiter::Parenthesis, TokenTree::from(message).into());
        group.set_span(end);
        let punct = |char, spacing| {
            let mut punct = Punct::new(char, spacing);
            punct.set_span(start);
            TokenTree::from(punct)
        };
        let ident = |name| TokenTree::from(Ident::new(name, start));
        let colons = || [punct(':', Spacing::Joint), punct(':', Spacing::Alone)];
        colons()
            .into_iter()
            .chain([ident("core")])
            .chain(colons())
            .chain([ident("compile_error"), punct('!', Spacing::Alone), group.into()])
            .collect()
    }
}
