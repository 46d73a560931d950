//! The collector of errors.

use proc_macro2::{Span, TokenStream};
use std::fmt::Display;

/// All errors of one item. They must be finished, so that none is lost.
#[derive(Default)]
pub(super) struct Errors {
    all: Option<syn::Error>,
    /// Whether the compiler has reported one.
    reported: bool,
}

impl Errors {
    pub(super) fn at(&mut self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    pub(super) fn over(&mut self, tokens: impl quote::ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    pub(super) fn push(&mut self, error: syn::Error) {
        match &mut self.all {
            Some(all) => all.combine(error),
            None => self.all = Some(error),
        }
    }

    /// One that the compiler has reported already.
    pub(super) fn reported(&mut self) {
        self.reported = true;
    }

    /// The errors as items; `None` if there are none.
    pub(super) fn finish(self) -> Option<TokenStream> {
        let reported = self.reported.then(TokenStream::new);
        self.all.map(|error| error.to_compile_error()).or(reported)
    }
}
