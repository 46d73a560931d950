//! Checks an item, and makes the model from it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use failure_kinds_core::{
    Accepted, Class, Fault, KINDS, Quoted, Refusal, STAGES, Unlisted, check_producer, is_kind_name,
    listed, split_extension, suggest_among,
};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Ident, LitStr, Type};

use super::errors::Errors;
use super::model::{Declaration, Field, Kind, Model, Setting, Stage};
use super::parse::{Declared, DeclaredField};

/// The type of every field.
const FIELD_TYPE: &str = "StageClassificationConfig";

/// The constants of the trait. One of the struct of the same name would hide it.
const TRAIT_CONSTANTS: [&str; 3] = ["SERVER", "STAGES", "KINDS"];

/// What the name of a server and of its kind are made of.
const PART: &str = "write lower-case letters, digits and `_`, starting with a letter";

/// The word that clears an entry.
const NONE: &str = "none";

pub(super) fn validate<'a>(declared: &Declared<'a>, errors: &mut Errors) -> Model<'a> {
    let krate = krate(declared, errors);
    let server = server(declared, errors);
    let known = !declared.flawed && server.is_some() == declared.server.is_some();
    let mut check = Check { server, kinds: Vec::new(), known, errors };
    check.declarations(declared);
    let mut seen = HashMap::new();
    let fields = declared.fields.iter().map(|field| check.field(field, &mut seen)).collect();
    let Check { server, kinds, .. } = check;
    Model {
        ident: &declared.input.ident,
        vis: &declared.input.vis,
        generics: &declared.input.generics,
        krate,
        server,
        kinds,
        fields,
    }
}

/// The path of the runtime: from the attribute, or under its own name.
fn krate(declared: &Declared<'_>, errors: &mut Errors) -> TokenStream {
    if let Some(krate) = &declared.krate {
        return krate.to_token_stream();
    }
    let Some(name) = renamed(std::env::args()) else { return quote!(::failure_kinds) };
    errors.at(
        declared.input.ident.span(),
        format_args!(
            "the crate `failure-kinds` has the name `{name}` here\n\
             help: write `#[stage_overrides(crate = \"{name}\")]`"
        ),
    );
    let name = Ident::new(&name, Span::call_site());
    quote!(::#name)
}

/// The other name under which the compiler was given the runtime, from its arguments
/// (`--extern name=…/libfailure_kinds-….rmeta`). `None` if it has its own name, or is not there.
pub(super) fn renamed(arguments: impl Iterator<Item = String>) -> Option<String> {
    let mut other = None;
    let mut is_extern = false;
    for argument in arguments {
        let was_extern = std::mem::replace(&mut is_extern, argument == "--extern");
        let given = if was_extern { Some(&*argument) } else { argument.strip_prefix("--extern=") };
        let Some((name, path)) = given.and_then(|given| given.split_once('=')) else { continue };
        let name = name.rsplit(':').next().unwrap_or(name);
        if name == "failure_kinds" {
            return None;
        }
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if file.starts_with("libfailure_kinds-") && syn::parse_str::<Ident>(name).is_ok() {
            other = Some(name.to_owned());
        }
    }
    other
}

/// The name of the server, if it is valid.
fn server(declared: &Declared<'_>, errors: &mut Errors) -> Option<String> {
    let Some(literal) = &declared.server else {
        if let (Some(kinds), false) = (declared.kinds_key, declared.flawed) {
            let help = "help: name it: `server = \"browser_env\"`";
            errors.at(kinds, format_args!("`kinds` needs the server that they belong to\n{help}"));
        }
        return None;
    };
    let name = literal.value();
    if is_kind_name(&name) {
        return Some(name);
    }
    let problem = match &*name {
        "" => "the name of a server cannot be empty".to_owned(),
        _ => format!("`{}` is not the name of a server", Quoted(&name)),
    };
    errors.at(literal.span(), format_args!("{problem}\nhelp: {PART}"));
    None
}

struct Check<'e> {
    server: Option<String>,
    kinds: Vec<Declaration>,
    /// Whether the list is complete. If not, nothing is known about a server or kind that is not
    /// in it.
    known: bool,
    errors: &'e mut Errors,
}

impl Check<'_> {
    fn declarations(&mut self, declared: &Declared<'_>) {
        for literal in &declared.kinds {
            let text = literal.value();
            self.declaration(literal, &text);
            // Also for one that is rejected, so that uses of its constant are not errors.
            let name = text.rsplit(':').next().unwrap_or_default();
            let constant = name.to_ascii_uppercase().replace(['-', ' '], "_");
            let taken = TRAIT_CONSTANTS.contains(&&*constant)
                || self.kinds.iter().any(|kind| kind.constant == constant);
            if let (false, Ok(mut constant)) = (taken, syn::parse_str::<Ident>(&constant)) {
                constant.set_span(literal.span());
                let server = self.server.as_deref().unwrap_or("server");
                self.kinds.push(Declaration { name: format!("{server}:{text}"), constant });
            }
        }
    }

    fn declaration(&mut self, literal: &LitStr, text: &str) {
        let constant = text.to_ascii_uppercase();
        if let Some((server, name)) = split_extension(text) {
            let of = match &self.server {
                Some(own) if own != server => format!("; this is the server `{own}`"),
                _ => String::new(),
            };
            self.errors.at(
                literal.span(),
                format_args!(
                    "a declared kind is named without its server{of}\nhelp: write `\"{name}\"`"
                ),
            );
            return;
        }
        let server = self.server.as_deref().unwrap_or("server");
        let full = format!("{server}:{text}");
        if let Err(refusal) = check_producer(&full) {
            match refusal {
                Refusal { fault: Fault::Doubled(_), .. } | Refusal { suggestion: Some(_), .. } => {
                    self.errors.at(literal.span(), refusal.report(&full));
                }
                _ => {
                    let problem = refusal.problem(&full);
                    self.errors.at(literal.span(), format_args!("{problem}\nhelp: {PART}"));
                }
            }
        } else if TRAIT_CONSTANTS.contains(&&*constant) {
            self.errors.at(
                literal.span(),
                format_args!(
                    "the constant of the kind `{text}` would hide `StageOverrides::{constant}`\n\
                     help: give the kind another name"
                ),
            );
        } else if self.kinds.iter().any(|kind| kind.constant == constant) {
            self.errors.at(
                literal.span(),
                format_args!("duplicate kind `{text}`\nhelp: keep one of the two"),
            );
        }
    }

    fn field<'a>(
        &mut self,
        field: &DeclaredField<'a>,
        seen: &mut HashMap<&'static str, &'a Ident>,
    ) -> Field<'a> {
        let attrs = |name| field.attrs.iter().filter(|attr| attr.path().is_ident(name)).collect();
        Field {
            ident: field.ident,
            docs: attrs("doc"),
            cfgs: attrs("cfg"),
            stage: self.stage(field, seen),
        }
    }

    fn stage<'a>(
        &mut self,
        field: &DeclaredField<'a>,
        seen: &mut HashMap<&'static str, &'a Ident>,
    ) -> Option<Stage> {
        let ident = field.stage.as_ref().unwrap_or(field.ident);
        let text = ident.unraw().to_string();
        let index = STAGES.iter().position(|stage| *stage == text);
        let right_type = is_field_type(field.ty);
        if index.is_none() && !right_type && !field.marked {
            self.errors.at(
                ident.span(),
                format_args!(
                    "the field `{text}` is not a stage\n\
                     help: give the stages their own struct, and make that a field next to this one"
                ),
            );
            return None;
        }
        if !right_type {
            self.errors.over(
                field.ty,
                format_args!(
                    "expected the type `{FIELD_TYPE}`\n\
                     help: every field is one stage\n\
                     note: the derive reads names as they are written, so an alias or another name from a `use` does not work"
                ),
            );
        }
        let default =
            field.default.as_ref().and_then(|class| self.class(class)).unwrap_or(Setting::Cleared);
        let entries = self.entries(field);
        let Some(index) = index else {
            if field.flawed && field.stage.is_none() {
                return None;
            }
            let unlisted = Unlisted {
                text: &text,
                one: "a stage",
                many: "stages",
                names: &STAGES,
                also: None,
            };
            let note = match &field.stage {
                Some(_) => "",
                None => "\nnote: if the field has another name, give the stage: `#[stage(agent)]`",
            };
            self.errors.at(ident.span(), format_args!("{}{note}", unlisted.report()));
            return None;
        };
        let name = STAGES[index];
        match seen.entry(name) {
            Entry::Occupied(first) => {
                self.errors.at(
                    ident.span(),
                    format_args!(
                        "duplicate stage `{name}`\nhelp: the field `{}` is that stage already",
                        first.get().unraw()
                    ),
                );
                return None;
            }
            Entry::Vacant(vacant) => vacant.insert(field.ident),
        };
        let variant =
            Ident::new(failure_kinds_core::Stage::ALL[index].variant(), Span::call_site());
        Some(Stage { name, variant, default, entries })
    }

    fn entries(&mut self, field: &DeclaredField<'_>) -> Vec<(Kind, Setting)> {
        let mut seen = Vec::new();
        let mut entries = Vec::new();
        for (literal, class) in &field.entries {
            let text = literal.value();
            let kind = self.kind(literal, &text);
            let class = self.class(class);
            if seen.contains(&text) {
                self.errors.at(
                    literal.span(),
                    format_args!(
                        "duplicate kind `{}` in this stage\nhelp: keep one of the two",
                        Quoted(&text)
                    ),
                );
            } else {
                entries.extend(kind.zip(class));
            }
            seen.push(text);
        }
        entries
    }

    fn kind(&mut self, literal: &LitStr, text: &str) -> Option<Kind> {
        match check_producer(text) {
            Ok(Accepted::Registered(index)) => {
                let constant = KINDS[index].constant;
                Some(Kind::Registered(Ident::new(constant, Span::call_site())))
            }
            Ok(Accepted::Extension { server, name }) => self.extension(literal, server, name),
            Err(refusal) => {
                self.errors.at(literal.span(), refusal.report(text));
                None
            }
        }
    }

    fn extension(&mut self, literal: &LitStr, server: &str, name: &str) -> Option<Kind> {
        let Some(own) = self.server.as_deref() else {
            if self.known {
                let help = format_args!(
                    "help: on the struct, write `#[stage_overrides(server = \"{server}\", kinds(\"{name}\"))]`"
                );
                self.errors.at(
                    literal.span(),
                    format_args!(
                        "`{server}:{name}` is an extension, and no server is named\n{help}"
                    ),
                );
            }
            return None;
        };
        if own != server {
            self.errors.at(
                literal.span(),
                format_args!(
                    "`{server}:{name}` belongs to the server `{server}`, and this is `{own}`\n\
                     help: configure it in the environment of that server"
                ),
            );
            return None;
        }
        let declared: Vec<_> =
            self.kinds.iter().map(|kind| kind.constant.to_string().to_ascii_lowercase()).collect();
        if let Some(index) = declared.iter().position(|declared| declared == name) {
            return Some(Kind::Declared(self.kinds[index].constant.clone()));
        }
        if !self.known {
            return None;
        }
        let names = || declared.iter().map(String::as_str);
        let help = match suggest_among(name, &names()) {
            Some(similar) => format!("a similar kind is declared: `{own}:{similar}`"),
            None if declared.is_empty() => format!("declare it: `kinds(\"{name}\")`"),
            None => format!("declare it in `kinds`, next to {}", listed(names())),
        };
        self.errors
            .at(literal.span(), format_args!("`{own}:{name}` is not declared\nhelp: {help}"));
        None
    }

    /// A class, or what clears an entry.
    fn class(&mut self, literal: &LitStr) -> Option<Setting> {
        let text = literal.value();
        if text == NONE {
            return Some(Setting::Cleared);
        }
        let class = Class::ALL.into_iter().find(|class| class.as_str() == text);
        if class.is_none() {
            let names = Class::ALL.map(Class::as_str);
            let also = Some((NONE, "clears the entry"));
            let unlisted =
                Unlisted { text: &text, one: "a class", many: "classes", names: &names, also };
            self.errors.at(literal.span(), unlisted.report());
        }
        class.map(Setting::Class)
    }
}

/// By the last part of its path, because a derive sees names only.
fn is_field_type(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == FIELD_TYPE && last.arguments.is_none()),
        // A type that came through a `macro_rules!`.
        Type::Group(group) => is_field_type(&group.elem),
        _ => false,
    }
}
