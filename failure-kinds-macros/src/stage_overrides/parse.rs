//! The item and its attributes as they are written, before they are checked.

use failure_kinds_core::{STAGES, position, suggest_among};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{
    Attribute, Data, DeriveInput, Fields, Ident, Lit, LitStr, Path, Token, Type, parenthesized,
};

use super::errors::Errors;

/// An item as it is written.
pub(super) struct Declared<'a> {
    pub(super) input: &'a DeriveInput,
    /// The path of the runtime.
    pub(super) krate: Option<Path>,
    pub(super) server: Option<LitStr>,
    /// The key `kinds`, if it is there.
    pub(super) kinds_key: Option<Span>,
    pub(super) kinds: Vec<LitStr>,
    /// Whether a part of `#[stage_overrides(…)]` could not be read: perhaps the server or a kind.
    pub(super) flawed: bool,
    pub(super) fields: Vec<DeclaredField<'a>>,
}

/// A field as it is written.
pub(super) struct DeclaredField<'a> {
    pub(super) ident: &'a Ident,
    pub(super) ty: &'a Type,
    pub(super) attrs: &'a [Attribute],
    /// Whether there is `#[stage(…)]`.
    pub(super) marked: bool,
    /// Whether a part of it could not be read: perhaps the stage.
    pub(super) flawed: bool,
    /// The name of the stage, if it is not that of the field.
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
        flawed: false,
        fields: Vec::new(),
    };
    for attr in &input.attrs {
        if attr.path().is_ident("stage_overrides") {
            let read = settings(attr, errors, |input, errors| declared.setting(input, errors));
            declared.flawed |= read.is_err();
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

/// The fields of a struct with named fields; none of anything else.
fn named_fields<'a>(
    input: &'a DeriveInput,
    errors: &mut Errors,
) -> Option<&'a Punctuated<syn::Field, Token![,]>> {
    const HELP: &str =
        "help: write a struct with one field for each stage: `agent: StageClassificationConfig`";
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
        flawed: false,
        stage: None,
        default: None,
        entries: Vec::new(),
    };
    refuse_serde(&field.attrs, errors);
    for attr in &field.attrs {
        if attr.path().is_ident("stage") {
            declared.marked = true;
            let read = settings(attr, errors, |input, errors| declared.setting(input, errors));
            declared.flawed |= read.is_err();
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

/// Something could not be read, and an error was reported.
struct Flawed;

/// Reads the comma-separated settings of an attribute.
fn settings(
    attr: &Attribute,
    errors: &mut Errors,
    setting: impl FnMut(ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) -> Result<(), Flawed> {
    let Ok(list) = attr.meta.require_list() else {
        let name = attr.path().to_token_stream();
        errors.over(attr, format_args!("expected `#[{name}(...)]`"));
        return Err(Flawed);
    };
    let read = list.parse_args_with(|input: ParseStream<'_>| items(input, errors, setting));
    read.unwrap_or_else(|error| {
        errors.push(error);
        Err(Flawed)
    })
}

/// Reads comma-separated items. If one cannot be read, its error is reported, and reading goes on
/// after the next comma.
fn items(
    input: ParseStream<'_>,
    errors: &mut Errors,
    mut item: impl FnMut(ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) -> syn::Result<Result<(), Flawed>> {
    let (mut all, mut comma) = (Ok(()), true);
    while !input.is_empty() {
        if !comma {
            errors.push(input.error("expected a comma"));
        }
        let ahead = up_to_comma(&input.fork())?;
        if let Err(error) = item(input, errors) {
            all = Err(Flawed);
            if has_malformed_literal(ahead) {
                errors.reported();
            } else if comma {
                // A missing comma was reported; anything may follow it.
                errors.push(error);
            }
            up_to_comma(input)?;
        }
        comma = input.parse::<Option<Token![,]>>()?.is_some();
    }
    Ok(all)
}

/// The tokens before the next comma.
fn up_to_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

/// What can be in `#[stage_overrides(…)]`.
const SETTING: &str = "`server = \"...\"`, `kinds(\"...\")` or `crate = \"...\"`";

/// What can be in `#[stage(…)]`.
const FIELD_SETTING: &str = "a stage, `default = \"...\"` or `\"<kind>\" = \"<class>\"`";

/// Whether there is a literal that the compiler rejects.
fn has_malformed_literal(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Literal(literal) => matches!(Lit::new(literal), Lit::Verbatim(_)),
        _ => false,
    })
}

// If something is wrong and its meaning is clear, it is kept: else other errors would follow.

impl Declared<'_> {
    /// Reads one setting of `#[stage_overrides(…)]`.
    fn setting(&mut self, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<()> {
        let key = input
            .call(Ident::parse_any)
            .map_err(|_| input.error(format_args!("expected {SETTING}")))?;
        match meant(&key, &["server", "kinds", "crate"], SETTING, errors)? {
            "server" => {
                equals(input, "server = \"browser_env\"")?;
                once(&mut self.server, string(input, "the name of the server")?, &key, errors);
            }
            "kinds" => {
                once(&mut self.kinds_key, key.span(), &key, errors);
                self.kinds(input, errors)?;
            }
            _ => {
                equals(input, "crate = \"failure_kinds\"")?;
                once(&mut self.krate, path(input, errors)?, &key, errors);
            }
        }
        Ok(())
    }

    /// Reads what follows `kinds`.
    fn kinds(&mut self, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<()> {
        if !input.peek(Paren) {
            errors.push(input.error("expected `(`\nhelp: write `kinds(\"tab_crashed\")`"));
            strings(up_to_comma(input)?, &mut self.kinds);
            return Ok(());
        }
        let content;
        parenthesized!(content in input);
        let read = items(&content, errors, |content, _| {
            self.kinds.push(string(content, "the name of a kind")?);
            Ok(())
        })?;
        self.flawed |= read.is_err();
        Ok(())
    }
}

impl DeclaredField<'_> {
    /// Reads one setting of `#[stage(…)]`.
    fn setting(&mut self, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<()> {
        if input.peek(LitStr) {
            let name = string(input, "the name of a kind")?;
            let text = name.value();
            if STAGES.contains(&&*text) && !input.peek(Token![=]) {
                let help = format_args!("help: write `{text}`");
                errors.at(name.span(), format_args!("a stage is written without quotes\n{help}"));
                self.stage = Some(Ident::new(&text, name.span()));
                return Ok(());
            }
            return self.entry(name, input);
        }
        let key: Ident =
            input.parse().map_err(|_| input.error(format_args!("expected {FIELD_SETTING}")))?;
        let text = key.to_string();
        if input.peek(Token![:]) && input.peek2(Ident) {
            input.parse::<Token![:]>()?;
            let name: Ident = input.parse()?;
            let text = format!("{text}:{name}");
            return self.entry(unquoted(quote!(#key: #name), key.span(), &text, errors), input);
        }
        if key != "default" && !input.peek(Token![=]) {
            if self.stage.is_some() {
                errors.at(key.span(), "a field is one stage\nhelp: remove one of the two names");
            }
            self.stage.get_or_insert(key);
            return Ok(());
        }
        if position(&text).is_some() {
            return self.entry(unquoted(&key, key.span(), &text, errors), input);
        }
        meant(&key, &["default"], FIELD_SETTING, errors)?;
        equals(input, "default = \"model\"")?;
        once(&mut self.default, string(input, "a class")?, &key, errors);
        Ok(())
    }

    /// Reads the class of a kind.
    fn entry(&mut self, kind: LitStr, input: ParseStream<'_>) -> syn::Result<()> {
        equals(input, &format!("\"{}\" = \"model\"", kind.value()))?;
        self.entries.push((kind, string(input, "a class")?));
        Ok(())
    }
}

/// A name without quotes: an error, and read anyway.
fn unquoted(tokens: impl ToTokens, span: Span, text: &str, errors: &mut Errors) -> LitStr {
    let help = format_args!("help: put it in quotes: `\"{text}\"`");
    errors.over(tokens, format_args!("expected a string literal\n{help}"));
    LitStr::new(text, span)
}

/// The key that is meant. A misspelled one is an error, and read anyway.
fn meant(
    key: &Ident,
    keys: &[&'static str],
    write: &str,
    errors: &mut Errors,
) -> syn::Result<&'static str> {
    let text = key.to_string();
    if let Some(known) = keys.iter().find(|known| **known == text) {
        return Ok(known);
    }
    let similar = suggest_among(&text, &keys.iter().copied());
    let help = match similar {
        Some(similar) => format!("a similar one is `{similar}`"),
        None => format!("write {write}"),
    };
    let error =
        syn::Error::new(key.span(), format_args!("`{text}` is not a key here\nhelp: {help}"));
    match similar {
        Some(similar) => {
            errors.push(error);
            Ok(similar)
        }
        None => Err(error),
    }
}

/// Keeps the first value of a key. A second one is an error.
fn once<T>(slot: &mut Option<T>, value: T, key: &Ident, errors: &mut Errors) {
    if slot.is_some() {
        let message = format_args!("duplicate key `{key}`\nhelp: keep one of the two");
        errors.at(key.span(), message);
    } else {
        *slot = Some(value);
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
        let help = match input.fork().parse::<Ident>() {
            Ok(name) => format!("\nhelp: put it in quotes: `\"{name}\"`"),
            Err(_) => String::new(),
        };
        syn::Error::new(error.span(), format_args!("expected {what} as a string literal{help}"))
    })?;
    if literal.suffix().is_empty() {
        Ok(literal)
    } else {
        let message = "expected a string literal without a suffix\nhelp: remove what follows the closing quote";
        Err(syn::Error::new(literal.span(), message))
    }
}

/// The path of a crate, in quotes.
fn path(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Path> {
    const WHAT: &str = "the path of the crate";
    if let Ok(path) = input.fork().call(Path::parse_mod_style) {
        let help = format_args!("help: put it in quotes");
        errors.over(&path, format_args!("expected {WHAT} as a string literal\n{help}"));
        return input.call(Path::parse_mod_style);
    }
    let literal = string(input, WHAT)?;
    literal.parse_with(Path::parse_mod_style).map_err(|_| {
        let help = "help: write it as in a `use`: `\"my_crate::failure_kinds\"`";
        syn::Error::new(literal.span(), format_args!("expected {WHAT}\n{help}"))
    })
}

/// All string literals among the tokens.
fn strings(tokens: TokenStream, into: &mut Vec<LitStr>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => strings(group.stream(), into),
            other => into.extend(syn::parse2::<LitStr>(other.into()).ok()),
        }
    }
}
