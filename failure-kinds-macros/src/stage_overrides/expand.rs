//! The generated items.

use failure_kinds_core::STAGES;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta};

use super::model::{Declaration, Field, Kind, Model, Setting, Stage};

/// All items of a valid struct.
pub(super) fn items(model: &Model<'_>) -> TokenStream {
    let fields = model.fields.iter().map(|field| {
        let Field { ident, cfgs, .. } = field;
        let value = field.stage.as_ref().map(|stage| default(model, stage));
        quote!(#(#cfgs)* #ident: #value,)
    });
    Items {
        default: quote!(Self { #(#fields)* }),
        stage: by_stage(model, |field| quote!(::core::option::Option::Some(&self.#field))),
        stage_mut: by_stage(model, |field| quote!(::core::option::Option::Some(&mut self.#field))),
    }
    .emit(model)
}

/// The same items for an item that is rejected, so that their uses give no further errors.
pub(super) fn skeleton(model: &Model<'_>) -> TokenStream {
    let none = quote!(match stage {
        _ => ::core::option::Option::None,
    });
    let default = quote!(::core::unreachable!("the derive rejected this item"));
    Items { default, stage: none.clone(), stage_mut: none }.emit(model)
}

/// The bodies that differ between a valid and a rejected item.
struct Items {
    default: TokenStream,
    stage: TokenStream,
    stage_mut: TokenStream,
}

impl Items {
    fn emit(self, model: &Model<'_>) -> TokenStream {
        let Model { ident, vis, generics, krate, server, kinds, .. } = model;
        let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
        let Self { default, stage, stage_mut } = self;
        let overrides = format_ident!("{ident}Overrides");
        let overrides_items = overrides_items(model, &overrides);
        let server = server.as_ref().map_or_else(
            || quote!(::core::option::Option::None),
            |server| quote!(::core::option::Option::Some(#server)),
        );
        let stages = stages(model);
        let names = kinds.iter().map(|kind| &kind.constant);
        let constants = kinds.iter().map(|Declaration { name, constant }| {
            let doc = format!("The extension `{name}`.");
            quote! {
                #[doc = #doc]
                #vis const #constant: #krate::FailureKind =
                    #krate::FailureKind::__extension_unchecked(#name);
            }
        });
        quote! {
            #[automatically_derived]
            impl #impl_generics ::core::default::Default for #ident #ty_generics #where_clause {
                fn default() -> Self {
                    #default
                }
            }

            #[automatically_derived]
            impl #impl_generics #ident #ty_generics #where_clause {
                #(#constants)*
            }

            #[automatically_derived]
            impl #impl_generics #krate::StageOverrides for #ident #ty_generics #where_clause {
                type Overrides = #overrides;

                const SERVER: ::core::option::Option<&'static str> = #server;

                const STAGES: &'static [#krate::FailureStage] = #stages;

                const KINDS: &'static [#krate::FailureKind] = &[#(Self::#names),*];

                fn __stage(
                    &self,
                    stage: #krate::FailureStage,
                ) -> ::core::option::Option<&#krate::StageClassificationConfig> {
                    #stage
                }

                fn __stage_mut(
                    &mut self,
                    stage: #krate::FailureStage,
                ) -> ::core::option::Option<&mut #krate::StageClassificationConfig> {
                    #stage_mut
                }
            }

            #overrides_items
        }
    }
}

/// The type of the partial form, and what it implements.
fn overrides_items(model: &Model<'_>, overrides: &Ident) -> TokenStream {
    let Model { ident, vis, krate, .. } = model;
    let doc = format!("Partial [`{ident}`]: what it does not name keeps its value.");
    let fields = model.fields.iter().map(|field| {
        let Field { ident, docs, cfgs, .. } = field;
        let documented = docs.iter().any(|doc| doc.meta.require_name_value().is_ok());
        let doc = (!documented).then(|| {
            let doc =
                format!("The stage `{}`.", field.stage.as_ref().map_or("", |stage| stage.name));
            quote!(#[doc = #doc])
        });
        quote! {
            #doc
            #(#docs)*
            #(#cfgs)*
            #vis #ident: ::core::option::Option<#krate::StageClassificationOverrides>,
        }
    });
    let stages = stages(model);
    let get = by_stage(model, |field| quote!(self.#field.as_ref()));
    let set = by_stage(model, |field| quote!(::core::option::Option::Some(&mut self.#field)));
    let described = model.fields.iter().filter_map(|field| {
        let Field { docs, cfgs, stage, .. } = field;
        let name = stage.as_ref()?.name;
        let doc = first_paragraph(docs);
        Some(quote!(#(#cfgs)* (#name, #doc)))
    });
    quote! {
        #[doc = #doc]
        #[derive(
            ::core::fmt::Debug,
            ::core::clone::Clone,
            ::core::default::Default,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
        )]
        #vis struct #overrides {
            #(#fields)*
        }

        #[automatically_derived]
        impl #krate::__private::StageSet for #overrides {
            const STAGES: &'static [#krate::FailureStage] = #stages;

            fn __stage(
                &self,
                stage: #krate::FailureStage,
            ) -> ::core::option::Option<&#krate::StageClassificationOverrides> {
                #get
            }

            fn __stage_mut(
                &mut self,
                stage: #krate::FailureStage,
            ) -> ::core::option::Option<
                &mut ::core::option::Option<#krate::StageClassificationOverrides>,
            > {
                #set
            }
        }

        #[automatically_derived]
        impl #krate::__private::serde::Serialize for #overrides {
            fn serialize<__S: #krate::__private::serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #krate::__private::serialize_stages(self, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> #krate::__private::serde::Deserialize<'de> for #overrides {
            fn deserialize<__D: #krate::__private::serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                #krate::__private::deserialize_stages(deserializer)
            }
        }

        #krate::__stage_overrides_schema! { #overrides [#(#described),*] }
    }
}

/// The configuration of one stage, from the attributes alone.
fn default(model: &Model<'_>, stage: &Stage) -> TokenStream {
    let krate = &model.krate;
    let default = setting(krate, stage.default);
    let entries = stage.entries.iter().map(|(kind, class)| {
        let kind = match kind {
            Kind::Registered(constant) => quote!(#krate::kinds::#constant),
            Kind::Declared(constant) => quote!(Self::#constant),
        };
        let class = setting(krate, *class);
        quote!((#kind, #class))
    });
    quote!(#krate::__private::stage(#default, [#(#entries),*]))
}

fn setting(krate: &TokenStream, setting: Setting) -> TokenStream {
    let variant = match setting {
        Setting::Cleared => return quote!(::core::option::Option::None),
        Setting::Class(class) => Ident::new(class.variant(), Span::call_site()),
    };
    quote!(::core::option::Option::Some(#krate::FailureClass::#variant))
}

/// The declared stages, as a slice. The conditions of fields stay, although the compiler has
/// evaluated them before a derive runs: an editor may not have.
fn stages(model: &Model<'_>) -> TokenStream {
    let krate = &model.krate;
    let stages = model.fields.iter().filter_map(|Field { cfgs, stage, .. }| {
        let variant = &stage.as_ref()?.variant;
        Some(quote!(#(#cfgs)* #krate::FailureStage::#variant))
    });
    quote!(&[#(#stages),*])
}

/// A match on `stage` with one arm for each declared stage, and one for the others.
fn by_stage(model: &Model<'_>, arm: impl Fn(&Ident) -> TokenStream) -> TokenStream {
    let krate = &model.krate;
    let arms = model.fields.iter().filter_map(|field| {
        let Field { ident, cfgs, stage, .. } = field;
        let variant = &stage.as_ref()?.variant;
        let value = arm(ident);
        Some(quote!(#(#cfgs)* #krate::FailureStage::#variant => #value,))
    });
    let arms: Vec<_> = arms.collect();
    // An `allow` of unreachable patterns would be an error if a crate forbids them.
    let others = (arms.len() < STAGES.len()).then(|| quote!(_ => ::core::option::Option::None,));
    quote!(match stage { #(#arms)* #others })
}

/// The first paragraph of the documentation, as it is; empty if a macro makes it.
fn first_paragraph(docs: &[&Attribute]) -> String {
    let mut paragraph = String::new();
    for attr in docs {
        let Meta::NameValue(meta) = &attr.meta else { return paragraph };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return paragraph };
        let text = text.value();
        for line in text.split('\n').map(str::trim) {
            match (line.is_empty(), paragraph.is_empty()) {
                (true, true) => {}
                (true, false) => return paragraph,
                (false, true) => paragraph.push_str(line),
                (false, false) => {
                    paragraph.push('\n');
                    paragraph.push_str(line);
                }
            }
        }
    }
    paragraph
}
