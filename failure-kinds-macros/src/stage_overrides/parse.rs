//! What stands in the item and its attributes, whether it makes sense or not.

use failure_kinds_core::Unlisted;
use proc_macro2::Span;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, LitStr, Path, Token, Type, parenthesized};

use super::errors::Errors;

/// An item as it stands.
pub(super) struct Declared<'a> {
    pub(super) input: &'a DeriveInput,
    /// The path of the runtime.
    pub(super) krate: Option<Path>,
    pub(super) server: Option<LitStr>,
    /// The key `kinds`, where it stands.
    pub(super) kinds_key: Option<Span>,
    pub(super) kinds: Vec<LitStr>,
    pub(super) fields: Vec<DeclaredField<'a>>,
}

/// A field as it stands.
pub(super) struct DeclaredField<'a> {
    pub(super) ident: &'a Ident,
    pub(super) ty: &'a Type,
    pub(super) attrs: &'a [Attribute],
    /// Whether there is `#[stage(…)]`.
    pub(super) marked: bool,
    /// The stage's name, where it is not the field's.
    pub(super) stage: Option<Ident>,
    pub(super) default: Option<LitStr>,
    pub(super) entries: Vec<(LitStr, LitStr)>,
}

pub(super) fn parse<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Declared<'a> {
    let mut declared = Declared {
        input,
        krate: None,
        server: None,
        kinds_key: None,
        kinds: Vec::new(),
        fields: Vec::new(),
    };
    for attr in &input.attrs {
        if attr.path().is_ident("stage_overrides") {
            for setting in settings::<Setting>(attr, errors) {
                declared.set(setting, errors);
            }
        } else if attr.path().is_ident("stage") {
            errors.over(attr, "`#[stage(...)]` belongs on a field\nhelp: on the struct it is `#[stage_overrides(...)]`");
        }
    }
    refuse_serde(&input.attrs, errors);
    if !input.generics.params.is_empty() || input.generics.where_clause.is_some() {
        let tokens = match &input.generics.where_clause {
            Some(clause) if input.generics.params.is_empty() => clause.to_token_stream(),
            _ => input.generics.params.to_token_stream(),
        };
        errors.over(tokens, "a struct of stages has no generic parameters\nhelp: remove them");
    }
    for field in named_fields(input, errors).into_iter().flatten() {
        // A named field has a name.
        if let Some(ident) = &field.ident {
            declared.fields.push(parse_field(field, ident, errors));
        }
    }
    declared
}

/// The fields of a struct with named fields; of anything else none.
fn named_fields<'a>(
    input: &'a DeriveInput,
    errors: &mut Errors,
) -> Option<&'a Punctuated<syn::Field, Token![,]>> {
    const HELP: &str =
        "help: write a struct with one field a stage: `agent: StageClassificationConfig`";
    let (span, found) = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => return Some(&named.named),
            Fields::Unnamed(_) => (input.ident.span(), "fields without names"),
            Fields::Unit => (input.ident.span(), "a struct without fields"),
        },
        Data::Enum(data) => (data.enum_token.span, "an enum"),
        Data::Union(data) => (data.union_token.span, "a union"),
    };
    errors.at(span, format_args!("expected a struct with named fields, found {found}\n{HELP}"));
    None
}

fn parse_field<'a>(
    field: &'a syn::Field,
    ident: &'a Ident,
    errors: &mut Errors,
) -> DeclaredField<'a> {
    let mut declared = DeclaredField {
        ident,
        ty: &field.ty,
        attrs: &field.attrs,
        marked: false,
        stage: None,
        default: None,
        entries: Vec::new(),
    };
    refuse_serde(&field.attrs, errors);
    for attr in &field.attrs {
        if attr.path().is_ident("stage") {
            declared.marked = true;
            for setting in settings::<FieldSetting>(attr, errors) {
                declared.set(setting, errors);
            }
        } else if attr.path().is_ident("stage_overrides") {
            errors.over(attr, "`#[stage_overrides(...)]` belongs on the struct\nhelp: on a field it is `#[stage(...)]`");
        }
    }
    declared
}

/// Attributes of serde would promise other keys than those that are read.
fn refuse_serde(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        errors.over(
            attr,
            "an attribute of serde has no effect on the overrides: their keys are the names of the stages\n\
             help: remove it; to name the stage of a field, write `#[stage(agent)]`",
        );
    }
}

/// The comma-separated settings of an attribute. One that is no setting is an error, and the
/// search for errors goes on behind it.
fn settings<S: Parse>(attr: &Attribute, errors: &mut Errors) -> Vec<S> {
    let Ok(list) = attr.meta.require_list() else {
        let name = attr.path().to_token_stream();
        errors.over(attr, format_args!("expected `#[{name}(...)]`"));
        return Vec::new();
    };
    let parser = Punctuated::<Recovered<S>, Token![,]>::parse_terminated;
    match list.parse_args_with(parser) {
        Ok(settings) => settings
            .into_iter()
            .filter_map(|Recovered(setting)| setting.map_err(|error| errors.push(error)).ok())
            .collect(),
        Err(error) => {
            errors.push(error);
            Vec::new()
        }
    }
}

/// A setting, or the error of it, with the tokens up to the next comma passed over.
struct Recovered<S>(syn::Result<S>);

impl<S: Parse> Parse for Recovered<S> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let setting = S::parse(input);
        let setting = match setting {
            Ok(_) if !input.is_empty() && !input.peek(Token![,]) => {
                Err(input.error("expected a comma"))
            }
            other => other,
        };
        if setting.is_err() {
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
        }
        Ok(Self(setting))
    }
}

/// One setting of `#[stage_overrides(…)]`.
enum Setting {
    Server(Span, LitStr),
    Kinds(Span, Vec<LitStr>),
    Crate(Span, Path),
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if let Some(key) = input.parse::<Option<Token![crate]>>()? {
            equals(input, "crate = \"failure_kinds\"")?;
            let path: LitStr = string(input, "the path of the crate")?;
            let parsed = path.parse_with(Path::parse_mod_style).map_err(|_| {
                let help = "help: write it as in a `use`: `\"my_crate::failure_kinds\"`";
                syn::Error::new(path.span(), format_args!("expected the path of the crate\n{help}"))
            })?;
            return Ok(Self::Crate(key.span, parsed));
        }
        let key: Ident = input.parse().map_err(|_| {
            input.error("expected `server = \"...\"`, `kinds(\"...\")` or `crate = \"...\"`")
        })?;
        if key == "server" {
            equals(input, "server = \"browser_env\"")?;
            Ok(Self::Server(key.span(), string(input, "the name of the server")?))
        } else if key == "kinds" {
            if !input.peek(syn::token::Paren) {
                return Err(input.error("expected `(`\nhelp: write `kinds(\"tab_crashed\")`"));
            }
            let content;
            parenthesized!(content in input);
            let mut kinds = Vec::new();
            while !content.is_empty() {
                kinds.push(string(&content, "the name of a kind")?);
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
            }
            Ok(Self::Kinds(key.span(), kinds))
        } else {
            Err(unknown_key(&key, "keys here", &["server", "kinds", "crate"]))
        }
    }
}

impl Declared<'_> {
    fn set(&mut self, setting: Setting, errors: &mut Errors) {
        match setting {
            Setting::Server(key, _) if self.server.is_some() => twice("server", key, errors),
            Setting::Server(_, server) => self.server = Some(server),
            Setting::Kinds(key, _) if self.kinds_key.is_some() => twice("kinds", key, errors),
            Setting::Kinds(key, kinds) => {
                self.kinds_key = Some(key);
                self.kinds = kinds;
            }
            Setting::Crate(key, _) if self.krate.is_some() => {
                twice("crate", key, errors);
            }
            Setting::Crate(_, path) => self.krate = Some(path),
        }
    }
}

/// One setting of `#[stage(…)]`.
enum FieldSetting {
    Stage(Ident),
    Default(Span, LitStr),
    Entry(LitStr, LitStr),
}

impl Parse for FieldSetting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let kind = string(input, "the name of a kind")?;
            equals(input, &format!("\"{}\" = \"model\"", kind.value()))?;
            return Ok(Self::Entry(kind, string(input, "a class")?));
        }
        let key: Ident = input.parse().map_err(|_| {
            input.error("expected a stage, `default = \"...\"` or `\"<kind>\" = \"<class>\"`")
        })?;
        if !input.peek(Token![=]) {
            return Ok(Self::Stage(key));
        }
        input.parse::<Token![=]>()?;
        let class = string(input, "a class")?;
        if key == "default" {
            Ok(Self::Default(key.span(), class))
        } else if failure_kinds_core::is_kind_name(&key.to_string())
            && failure_kinds_core::position(&key.to_string()).is_some()
        {
            let message = format!(
                "expected a string literal\nhelp: put quotation marks around it: `\"{key}\"`"
            );
            Err(syn::Error::new(key.span(), message))
        } else {
            Err(unknown_key(&key, "keys here", &["default"]))
        }
    }
}

impl DeclaredField<'_> {
    fn set(&mut self, setting: FieldSetting, errors: &mut Errors) {
        match setting {
            FieldSetting::Stage(stage) if self.stage.is_some() => {
                errors.at(stage.span(), "a field is one stage\nhelp: remove one of the two names");
            }
            FieldSetting::Stage(stage) => self.stage = Some(stage),
            FieldSetting::Default(key, _) if self.default.is_some() => {
                twice("default", key, errors);
            }
            FieldSetting::Default(_, class) => self.default = Some(class),
            FieldSetting::Entry(kind, class) => self.entries.push((kind, class)),
        }
    }
}

fn equals(input: ParseStream<'_>, whole: &str) -> syn::Result<()> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>().map(drop)
    } else {
        Err(input.error(format_args!("expected `=`\nhelp: write `{whole}`")))
    }
}

fn string(input: ParseStream<'_>, what: &str) -> syn::Result<LitStr> {
    let literal: LitStr = input.parse().map_err(|error| {
        syn::Error::new(error.span(), format_args!("expected {what} as a string literal"))
    })?;
    if literal.suffix().is_empty() {
        Ok(literal)
    } else {
        let message = "expected a string literal without a suffix\nhelp: remove what stands behind the closing quote";
        Err(syn::Error::new(literal.span(), message))
    }
}

fn twice(key: &str, span: Span, errors: &mut Errors) {
    errors.at(span, format_args!("the key `{key}` stands twice\nhelp: keep one of the two"));
}

fn unknown_key(key: &Ident, many: &str, names: &[&str]) -> syn::Error {
    let text = key.to_string();
    let unlisted = Unlisted { text: &text, one: "a key here", many, names, also: None };
    syn::Error::new(key.span(), unlisted.report())
}
