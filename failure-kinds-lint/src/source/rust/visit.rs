//! Where in a file positions are.

use std::collections::HashMap;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Expr, ExprLit, ExprMatch, ExprMethodCall, FieldPat, FieldValue, Item, Lit, LitStr,
    Local, Macro, Member, Pat,
};

use super::imports::Scope;
use super::{Finder, attributes, values};
use crate::keys::Keys;
use crate::position::{Form, Literal, Role};

/// Methods that take a key and its value, and keep the value.
const KEEPING_METHODS: [&str; 5] = ["insert", "set", "append", "set_attribute", "with_label"];

/// Methods that take a key and its value, and have read the value when they return.
const READING_METHODS: [&str; 3] = ["record", "serialize_field", "serialize_entry"];

/// Types whose `new` takes a key and its value.
const PAIRS: [&str; 5] = ["Attribute", "KeyValue", "Label", "Property", "Tag"];

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let test = attributes::of_item(item).is_some_and(attributes::are_test);
        self.within(test, |finder| visit::visit_item(finder, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.within(attributes::are_test(&item.attrs), |finder| {
            visit::visit_impl_item_fn(finder, item);
        });
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        match &item.content {
            Some((brace, items)) => {
                let open = brace.span.open().byte_range().end;
                let start = item
                    .attrs
                    .iter()
                    .map(|attr| attr.span().byte_range().end)
                    .filter(|end| *end > open)
                    .max()
                    .unwrap_or(open);
                self.scopes.push(Scope::of_module(items, start, self.text));
                visit::visit_item_mod(self, item);
                self.scopes.pop();
            }
            None => visit::visit_item_mod(self, item),
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.scan.declared.extend(attributes::declared(&item.attrs));
        visit::visit_item_struct(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(&item.ident.to_string(), &item.expr);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(&item.ident.to_string(), &item.expr);
        visit::visit_item_static(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(&item.ident.to_string(), &item.expr);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        // `#[instrument(fields(failure_kind = "…"))]`
        if attr.path().segments.last().is_some_and(|segment| segment.ident == "instrument")
            && let syn::Meta::List(list) = &attr.meta
        {
            let outside = std::mem::replace(&mut self.known_macro, true);
            self.tokens(list.tokens.clone());
            self.known_macro = outside;
        }
    }

    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        if let Member::Named(name) = &field.member
            && field.colon_token.is_some()
            && self.keys().is_key(&name.to_string())
        {
            self.assigned(Some(name.to_string()), &field.expr);
        }
        visit::visit_field_value(self, field);
    }

    fn visit_field_pat(&mut self, field: &'ast FieldPat) {
        if let Member::Named(name) = &field.member
            && self.keys().is_key(&name.to_string())
        {
            self.pattern(&name.to_string(), &field.pat);
        }
        visit::visit_field_pat(self, field);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            let mut pattern = &local.pat;
            while let Pat::Type(typed) = pattern {
                pattern = &typed.pat;
            }
            match pattern {
                Pat::Ident(name) if self.keys().is_key(&name.ident.to_string()) => {
                    self.assigned(Some(name.ident.to_string()), &init.expr);
                }
                pattern => self.matched(&init.expr, pattern),
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.assigned(self.place_of(&assign.left), &assign.right);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            self.compared(&binary.left, &binary.right);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_match(&mut self, matching: &'ast ExprMatch) {
        for arm in &matching.arms {
            self.matched(&matching.expr, &arm.pat);
        }
        visit::visit_expr_match(self, matching);
    }

    fn visit_expr_let(&mut self, condition: &'ast syn::ExprLet) {
        self.matched(&condition.expr, &condition.pat);
        visit::visit_expr_let(self, condition);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let method = call.method.to_string();
        let mut args = call.args.iter();
        match (method.as_str(), args.next(), args.next(), args.next()) {
            (method, Some(key), Some(value), None) if KEEPING_METHODS.contains(&method) => {
                self.entry(key, value, Form::Report);
            }
            (method, Some(key), Some(value), None) if READING_METHODS.contains(&method) => {
                self.entry(key, value, Form::Text);
            }
            ("eq" | "ne", Some(other), None, None) => self.compared(&call.receiver, other),
            // `["…", "…"].contains(&row.failure_kind)`
            ("contains", Some(value), None, None) if is_array(&call.receiver) => {
                self.compared(value, &call.receiver);
            }
            ("unwrap_or", Some(default), None, None) => {
                if let Some(key) = self.read_of(&call.receiver) {
                    self.value(&key, default, Role::Default, Form::Report);
                }
            }
            // A builder: `row.failure_kind("…")`
            (method, Some(value), None, None) if self.keys().is_key(method) => {
                self.value(method, value, Role::Written, Form::Report);
            }
            _ => {}
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Some(path) = values::path_of(&call.func) {
            let segments: Vec<_> =
                path.segments.iter().map(|part| part.ident.to_string()).collect();
            match segments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                // `KeyValue::new("failure_kind", "…")`
                [.., pair, "new"] if PAIRS.contains(&pair) && call.args.len() == 2 => {
                    self.entry(&call.args[0], &call.args[1], Form::Report);
                }
                // `HashMap::from([("failure_kind", "…")])`
                [.., map, "from" | "from_iter"] if map.ends_with("Map") => {
                    call.args.first().into_iter().for_each(|entries| self.entries(entries));
                }
                [.., "FailureKind", constructor @ "from_static"] => {
                    if let Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) = call.args.first()
                    {
                        self.push_text(constructor, text, Role::Written, None);
                    }
                }
                _ => {}
            }
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_for_loop(&mut self, each: &'ast syn::ExprForLoop) {
        if let Pat::Ident(name) = &*each.pat
            && self.keys().is_key(&name.ident.to_string())
            && is_array(&each.expr)
        {
            self.value(&name.ident.to_string(), &each.expr, Role::Written, Form::Report);
        }
        visit::visit_expr_for_loop(self, each);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.macro_call(call);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        self.macro_call(&item.mac);
    }

    fn visit_lit_str(&mut self, literal: &'ast LitStr) {
        if self.options.literals {
            self.scan.literals.push(Literal {
                span: literal.span().byte_range(),
                text: literal.value(),
                test: self.test,
            });
        }
    }
}

impl Finder<'_> {
    /// The pairs of a list that becomes a map.
    fn entries(&mut self, list: &Expr) {
        match list {
            Expr::Array(array) => {
                for pair in &array.elems {
                    if let Expr::Tuple(pair) = pair
                        && pair.elems.len() == 2
                    {
                        self.entry(&pair.elems[0], &pair.elems[1], Form::Report);
                    }
                }
            }
            Expr::Reference(reference) => self.entries(&reference.expr),
            _ => {}
        }
    }
}

fn is_array(expr: &Expr) -> bool {
    match expr {
        Expr::Array(_) => true,
        Expr::Reference(reference) => is_array(&reference.expr),
        _ => false,
    }
}

/// Finds the constants that are bound to the text of a key.
pub(super) struct KeyConstants<'a> {
    keys: &'a Keys,
    pub(super) found: HashMap<String, String>,
}

impl<'a> KeyConstants<'a> {
    pub(super) fn new(keys: &'a Keys) -> Self {
        Self { keys, found: HashMap::new() }
    }

    fn constant(&mut self, name: &syn::Ident, value: &Expr) {
        if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = value
            && self.keys.is_key(&text.value())
        {
            self.found.insert(name.to_string(), text.value());
        }
    }
}

impl<'ast> Visit<'ast> for KeyConstants<'_> {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(&item.ident, &item.expr);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(&item.ident, &item.expr);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(&item.ident, &item.expr);
    }
}
