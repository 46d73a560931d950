//! Which expressions name a key, read the value of one, and what a value is.

use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprMacro, ExprMethodCall, ExprPath, Lit, Member};

use super::{Finder, macros};
use crate::keys::is_constant;
use crate::position::{Form, Role, Value};

/// The path of an expression that is one.
pub(super) fn path_of(expr: &Expr) -> Option<&syn::Path> {
    match expr {
        Expr::Path(ExprPath { path, .. }) => Some(path),
        Expr::Paren(paren) => path_of(&paren.expr),
        Expr::Group(group) => path_of(&group.expr),
        _ => None,
    }
}

fn last_name(path: &syn::Path) -> Option<String> {
    path.segments.last().map(|segment| segment.ident.to_string())
}

/// Methods that return the value, perhaps as another type.
fn returns_value(method: &str) -> bool {
    matches!(
        method,
        "as_str"
            | "as_deref"
            | "as_ref"
            | "as_bytes"
            | "clone"
            | "cloned"
            | "copied"
            | "to_string"
            | "to_owned"
            | "into"
            | "unwrap"
            | "unwrap_or"
            | "unwrap_or_default"
            | "expect"
            | "and_then"
            | "map"
            | "trim"
            | "borrow"
            | "deref"
    )
}

impl Finder<'_> {
    /// The key that an expression names where keys are: in an entry, an index, in `get`.
    pub(super) fn key_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                let text = text.value();
                self.keys().is_key(&text).then_some(text)
            }
            Expr::Path(path) => self.constant_key(&last_name(&path.path)?),
            Expr::Reference(reference) => self.key_of(&reference.expr),
            Expr::Paren(paren) => self.key_of(&paren.expr),
            Expr::Group(group) => self.key_of(&group.expr),
            Expr::MethodCall(call) if returns_value(&call.method.to_string()) => {
                self.key_of(&call.receiver)
            }
            Expr::Call(call) if call.args.len() == 1 => self.key_of(call.args.first()?),
            _ => None,
        }
    }

    pub(super) fn constant_key(&self, name: &str) -> Option<String> {
        let is_key = || is_constant(name) && self.keys().names_key(name);
        self.key_constants.get(name).cloned().or_else(|| is_key().then(|| name.to_owned()))
    }

    /// The key whose value an expression is assigned to.
    pub(super) fn place_of(&self, expr: &Expr) -> Option<String> {
        let key = |name: String| self.keys().is_key(&name).then_some(name);
        match expr {
            Expr::Path(path) => key(last_name(&path.path)?),
            Expr::Field(field) => match &field.member {
                Member::Named(name) => key(name.to_string()),
                Member::Unnamed(_) => None,
            },
            Expr::Index(index) => self.key_of(&index.index),
            Expr::Unary(unary) => self.place_of(&unary.expr),
            Expr::Paren(paren) => self.place_of(&paren.expr),
            Expr::Group(group) => self.place_of(&group.expr),
            _ => None,
        }
    }

    /// The key whose value an expression holds, also through what does not change it.
    pub(super) fn read_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::MethodCall(call) => {
                let method = call.method.to_string();
                if self.keys().is_key(&method) {
                    return Some(method);
                }
                match method.as_str() {
                    "get" | "get_mut" | "remove" => self.key_of(call.args.first()?),
                    method if returns_value(method) => self.read_of(&call.receiver),
                    _ => None,
                }
            }
            Expr::Call(call) => {
                let name = last_name(path_of(&call.func)?)?;
                matches!(name.as_str(), "Some" | "Ok").then(|| self.read_of(call.args.first()?))?
            }
            Expr::Reference(reference) => self.read_of(&reference.expr),
            Expr::Try(attempt) => self.read_of(&attempt.expr),
            Expr::Await(future) => self.read_of(&future.base),
            Expr::Unary(unary) => self.read_of(&unary.expr),
            Expr::Paren(paren) => self.read_of(&paren.expr),
            Expr::Group(group) => self.read_of(&group.expr),
            _ => self.place_of(expr),
        }
    }

    /// Adds what is at a position: every value that it may take.
    pub(super) fn value(&mut self, key: &str, expr: &Expr, role: Role, form: Form) {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) => {
                self.push_text(key, literal, role, Some(form));
            }
            Expr::Paren(paren) => self.value(key, &paren.expr, role, form),
            Expr::Group(group) => self.value(key, &group.expr, role, form),
            // What is borrowed may outlive the statement, the text of the macro's value does not.
            Expr::Reference(reference) => self.value(key, &reference.expr, role, Form::Report),
            Expr::If(condition) => {
                self.block(key, &condition.then_branch, role, form);
                if let Some((_, otherwise)) = &condition.else_branch {
                    self.value(key, otherwise, role, form);
                }
            }
            Expr::Match(matching) => {
                for arm in &matching.arms {
                    self.value(key, &arm.body, role, form);
                }
            }
            Expr::Block(block) => self.block(key, &block.block, role, form),
            Expr::Array(array) => {
                array.elems.iter().for_each(|value| self.value(key, value, role, form));
            }
            Expr::Tuple(tuple) => {
                tuple.elems.iter().for_each(|value| self.value(key, value, role, form));
            }
            Expr::MethodCall(call) => self.method_value(key, expr, call, role),
            Expr::Call(call) => {
                let name = path_of(&call.func).and_then(last_name);
                match (name.as_deref(), call.args.first()) {
                    (Some("Some" | "Ok"), Some(value)) => self.value(key, value, role, form),
                    (Some("Borrowed"), Some(value)) => self.value(key, value, role, Form::Report),
                    (Some("from" | "Owned" | "String" | "new"), Some(value)) => {
                        self.value(key, value, role, Form::Text);
                    }
                    // The visitor of calls adds it.
                    (Some("from_static"), _) => {}
                    _ => self.dynamic(key, expr, role),
                }
            }
            Expr::Macro(call) => self.macro_value(key, expr, call, role),
            Expr::Binary(binary) if matches!(binary.op, syn::BinOp::Add(_)) => {
                self.push(key, expr.span().byte_range(), Value::Formatted, role, None);
            }
            Expr::Path(path) => match last_name(&path.path) {
                Some(name) if is_constant(&name) || name == "None" => {}
                _ => self.dynamic(key, expr, role),
            },
            Expr::Lit(_)
            | Expr::Struct(_)
            | Expr::Return(_)
            | Expr::Continue(_)
            | Expr::Break(_) => {}
            _ => self.dynamic(key, expr, role),
        }
    }

    fn dynamic(&mut self, key: &str, expr: &Expr, role: Role) {
        self.push(key, expr.span().byte_range(), Value::Dynamic, role, None);
    }

    /// The value of a block is its last expression.
    fn block(&mut self, key: &str, block: &syn::Block, role: Role, form: Form) {
        if let Some(syn::Stmt::Expr(expr, None)) = block.stmts.last() {
            self.value(key, expr, role, form);
        }
    }

    fn method_value(&mut self, key: &str, expr: &Expr, call: &ExprMethodCall, role: Role) {
        let method = call.method.to_string();
        match (method.as_str(), call.args.first()) {
            ("unwrap_or", Some(default)) => {
                self.value(key, &call.receiver, role, Form::Text);
                self.value(key, default, role, Form::Report);
            }
            ("join" | "concat", _) => {
                self.push(key, expr.span().byte_range(), Value::Formatted, role, None);
            }
            (method, _) if returns_value(method) => {
                self.value(key, &call.receiver, role, Form::Text);
            }
            _ => self.dynamic(key, expr, role),
        }
    }

    fn macro_value(&mut self, key: &str, expr: &Expr, call: &ExprMacro, role: Role) {
        let name = last_name(&call.mac.path);
        match name.as_deref() {
            Some("format" | "format_args" | "concat_string") => {
                self.push(key, expr.span().byte_range(), Value::Formatted, role, None);
            }
            // The compiler concatenates it.
            Some("concat") => match call.mac.parse_body_with(macros::texts) {
                Ok(parts) => {
                    let value = Value::Text { text: parts.concat(), inside: None };
                    self.push(key, expr.span().byte_range(), value, role, Some(Form::Report));
                }
                Err(_) => self.dynamic(key, expr, role),
            },
            // The visitor of macro calls adds it.
            Some("failure_kind") => {}
            Some("json" | "vec") => match call.mac.parse_body_with(macros::arguments) {
                Ok(values) => {
                    for value in &values {
                        self.value(key, value, role, Form::Text);
                    }
                }
                Err(_) => self.dynamic(key, expr, role),
            },
            _ => self.dynamic(key, expr, role),
        }
    }
}
