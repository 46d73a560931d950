//! What attributes say: which code is test code, and which extensions a server declares.

use syn::{Attribute, Item, LitStr, Meta};

/// The attributes of an item that may be test code.
pub(super) fn of_item(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Fn(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        _ => return None,
    })
}

/// Whether an item is test code: `#[test]` in all its forms, `#[cfg(test)]`, `#[bench]`.
pub(super) fn are_test(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let name = attr.path().segments.last().map(|segment| segment.ident.to_string());
        match name.as_deref() {
            Some("test" | "rstest" | "test_case" | "bench") => true,
            Some("cfg") => matches!(&attr.meta, Meta::List(list) if needs_test(list)),
            _ => false,
        }
    })
}

/// `test`, or `all(…)` with it; not `not(test)`.
fn needs_test(list: &syn::MetaList) -> bool {
    let mut found = false;
    // Something else than a list of conditions is not about tests.
    let _ = list.parse_nested_meta(|meta| {
        if meta.path.is_ident("test") {
            found = true;
        } else if meta.path.is_ident("all") {
            meta.parse_nested_meta(|inner| {
                found |= inner.path.is_ident("test");
                skip(&inner)
            })?;
        } else {
            skip(&meta)?;
        }
        Ok(())
    });
    found
}

/// Skips the value or the list after a path.
fn skip(meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<()> {
    while !meta.input.is_empty() && !meta.input.peek(syn::Token![,]) {
        meta.input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// The extensions of `#[stage_overrides(server = "…", kinds("…", …))]`: server and kind.
pub(super) fn declared(attrs: &[Attribute]) -> Vec<(String, String)> {
    let mut server = None;
    let mut kinds = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("stage_overrides")) {
        // The derive itself rejects what cannot be read.
        let _ = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("server") {
                server = Some(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("kinds") {
                let content;
                syn::parenthesized!(content in meta.input);
                let names = content.parse_terminated(
                    |input: syn::parse::ParseStream<'_>| input.parse::<LitStr>(),
                    syn::Token![,],
                )?;
                kinds.extend(names.iter().map(LitStr::value));
            } else {
                skip(&meta)?;
            }
            Ok(())
        });
    }
    match server {
        Some(server) => kinds.into_iter().map(|kind| (server.clone(), kind)).collect(),
        None => Vec::new(),
    }
}
