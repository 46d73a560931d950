//! `#[derive(StageOverrides)]`: how the stages of an environment attribute failures.
//!
//! The attributes are read ([`parse`]), checked into a model ([`validate`], [`model`]), and the
//! model becomes items ([`expand`]). All errors of an item are reported together, and the items are
//! emitted anyway, so that code which uses them gives no further errors.

mod errors;
mod expand;
mod model;
mod parse;
#[cfg(test)]
mod tests;
mod validate;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use errors::Errors;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let declared = parse::parse(input, &mut errors);
    let model = validate::validate(&declared, &mut errors);
    match errors.finish() {
        None => expand::items(&model),
        Some(errors) => {
            let skeleton = expand::skeleton(&model);
            quote::quote!(#errors #skeleton)
        }
    }
}
