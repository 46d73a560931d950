//! Whether `failure_kind!` is in scope in a module, and where to import it.

use syn::spanned::Spanned;
use syn::{Item, UseTree};

/// One module of a file, the file itself among them.
#[derive(Debug)]
pub(super) struct Scope {
    imported: bool,
    at: usize,
    insert: String,
}

const IMPORT: &str = "use failure_kinds::failure_kind;";

impl Scope {
    /// A file with these items, whose inner attributes end at `attrs`.
    pub(super) fn of_file(items: &[Item], attrs: Option<usize>, text: &str) -> Self {
        before_first_use(items, text).unwrap_or_else(|| match attrs {
            Some(at) => Self::new(items, at, format!("\n\n{IMPORT}")),
            None => Self::new(items, head_len(text), format!("{IMPORT}\n\n")),
        })
    }

    /// A module with these items, which start after `open`.
    pub(super) fn of_module(items: &[Item], open: usize, text: &str) -> Self {
        before_first_use(items, text).unwrap_or_else(|| {
            let indent = items.first().map_or("", |item| indent(item, text));
            Self::new(items, open, format!("\n{indent}{IMPORT}\n"))
        })
    }

    fn new(items: &[Item], at: usize, insert: String) -> Self {
        let imported = items.iter().any(|item| match item {
            Item::Use(import) => imports_macro(&import.tree, false),
            Item::ExternCrate(krate) => {
                krate.ident == "failure_kinds"
                    && krate.attrs.iter().any(|attr| attr.path().is_ident("macro_use"))
            }
            _ => false,
        });
        Self { imported, at, insert }
    }

    /// Where to import the macro, and the text to insert; `None` where it is in scope.
    pub(super) fn import(&self) -> Option<(usize, String)> {
        (!self.imported).then(|| (self.at, self.insert.clone()))
    }
}

/// The import as a line of its own before the first one that is there.
fn before_first_use(items: &[Item], text: &str) -> Option<Scope> {
    let first = items.iter().find(|item| matches!(item, Item::Use(_)))?;
    let at = first.span().byte_range().start;
    Some(Scope::new(items, at, format!("{IMPORT}\n{}", indent(first, text))))
}

/// The white space before an item on its line.
fn indent<'a>(item: &Item, text: &'a str) -> &'a str {
    let at = item.span().byte_range().start;
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[line..at];
    if before.trim().is_empty() { before } else { "" }
}

/// The length of the comments that head a file, with the empty line after them.
fn head_len(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("//") && !line.starts_with("///") {
            at += line.len();
        } else {
            let empty = line.trim().is_empty() && at > 0;
            // A comment that touches an item belongs to that item.
            return if empty { at + line.len() } else { 0 };
        }
    }
    at
}

/// Whether a `use` brings `failure_kind` of the crate into scope.
fn imports_macro(tree: &UseTree, of_crate: bool) -> bool {
    match tree {
        UseTree::Path(path) => imports_macro(&path.tree, of_crate || path.ident == "failure_kinds"),
        UseTree::Name(name) => name.ident == "failure_kind",
        UseTree::Rename(_) => false,
        UseTree::Glob(_) => of_crate,
        UseTree::Group(group) => group.items.iter().any(|tree| imports_macro(tree, of_crate)),
    }
}
