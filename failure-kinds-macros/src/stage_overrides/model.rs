//! A checked item.

use failure_kinds_core::Class;
use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Generics, Visibility};

/// Everything that the generated items need.
pub(super) struct Model<'a> {
    pub(super) ident: &'a Ident,
    pub(super) vis: &'a Visibility,
    /// Empty, except in an item that is rejected for them.
    pub(super) generics: &'a Generics,
    /// The path of the runtime.
    pub(super) krate: TokenStream,
    pub(super) server: Option<String>,
    pub(super) kinds: Vec<Declaration>,
    pub(super) fields: Vec<Field<'a>>,
}

/// A declared extension.
pub(super) struct Declaration {
    /// The whole name, with the server.
    pub(super) name: String,
    pub(super) constant: Ident,
}

/// A field of the struct.
pub(super) struct Field<'a> {
    pub(super) ident: &'a Ident,
    /// Documentation and conditions, as they are written.
    pub(super) docs: Vec<&'a Attribute>,
    pub(super) cfgs: Vec<&'a Attribute>,
    /// Which stage it is; none in an item that is rejected for it.
    pub(super) stage: Option<Stage>,
}

/// The settings of one stage.
pub(super) struct Stage {
    pub(super) name: &'static str,
    /// The variant of `FailureStage`.
    pub(super) variant: Ident,
    pub(super) default: Setting,
    pub(super) entries: Vec<(Kind, Setting)>,
}

/// What is given as a class.
#[derive(Clone, Copy)]
pub(super) enum Setting {
    Class(Class),
    Cleared,
}

/// A kind, by its constant.
pub(super) enum Kind {
    /// In `failure_kinds::kinds`.
    Registered(Ident),
    /// Of the struct.
    Declared(Ident),
}
