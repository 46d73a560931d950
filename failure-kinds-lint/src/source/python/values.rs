//! Which expressions name a key, read the value of one, and what a value is.

use std::ops::Range;

use ruff_python_ast::{Expr, ExprStringLiteral, InterpolatedStringElement, Operator};

use super::{Finder, range};
use crate::keys::is_constant;
use crate::position::{Role, Value};

impl<'a> Finder<'a> {
    /// The key that an expression names where keys are: in a dict, in a subscript, in `get`.
    pub(super) fn key_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::StringLiteral(text) => {
                let text = text.value.to_str();
                self.keys().is_key(text).then(|| text.to_owned())
            }
            Expr::Name(name) => self.constant_key(&name.id),
            Expr::Attribute(attribute) => self.constant_key(&attribute.attr),
            _ => None,
        }
    }

    fn constant_key(&self, name: &str) -> Option<String> {
        let is_key = || is_constant(name) && self.keys().names_key(name);
        self.key_constants.get(name).cloned().or_else(|| is_key().then(|| name.to_owned()))
    }

    /// The key whose value an expression reads or is assigned to.
    pub(super) fn place_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Name(name) => self.keys().is_key(&name.id).then(|| name.id.to_string()),
            Expr::Attribute(attribute) => {
                self.keys().is_key(&attribute.attr).then(|| attribute.attr.to_string())
            }
            Expr::Subscript(subscript) => self.key_of(&subscript.slice),
            _ => None,
        }
    }

    /// The key whose value an expression holds, also through what does not change it.
    pub(super) fn read_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Call(call) => match &*call.func {
                // `pl.col("failure_kind")` is the column.
                Expr::Attribute(method)
                    if matches!(method.attr.as_str(), "get" | "pop" | "col") =>
                {
                    self.key_of(call.arguments.args.first()?)
                }
                Expr::Attribute(method)
                    if matches!(method.attr.as_str(), "strip" | "lower" | "casefold") =>
                {
                    self.read_of(&method.value)
                }
                Expr::Name(name) if matches!(name.id.as_str(), "str" | "cast") => {
                    self.read_of(call.arguments.args.last()?)
                }
                Expr::Name(name) if name.id.as_str() == "getattr" => {
                    self.key_of(call.arguments.args.get(1)?)
                }
                _ => None,
            },
            Expr::BoolOp(op) => self.read_of(op.values.first()?),
            Expr::Named(named) => {
                self.place_of(&named.target).or_else(|| self.read_of(&named.value))
            }
            _ => self.place_of(expr),
        }
    }

    /// Adds what is at a position: every value that it may take.
    pub(super) fn value(&mut self, key: &str, expr: &'a Expr, role: Role) {
        match expr {
            Expr::StringLiteral(text) => {
                let value =
                    Value::Text { text: text.value.to_str().to_owned(), inside: self.inside(text) };
                self.push(key, expr, value, role);
            }
            Expr::If(condition) => {
                self.value(key, &condition.body, role);
                self.value(key, &condition.orelse, role);
            }
            Expr::BoolOp(op) => {
                for value in &op.values {
                    self.value(key, value, role);
                }
            }
            Expr::Named(named) => self.value(key, &named.value, role),
            Expr::Starred(starred) => self.value(key, &starred.value, role),
            Expr::Tuple(tuple) => self.values(key, &tuple.elts, role),
            Expr::List(list) => self.values(key, &list.elts, role),
            Expr::Set(set) => self.values(key, &set.elts, role),
            Expr::FString(text)
                if text.value.elements().any(InterpolatedStringElement::is_interpolation) =>
            {
                self.push(key, expr, Value::Formatted, role);
            }
            Expr::TString(_) => self.push(key, expr, Value::Formatted, role),
            Expr::FString(text) => {
                let literal = text.value.elements().filter_map(|part| part.as_literal());
                let text = literal.map(|part| &*part.value).collect();
                self.push(key, expr, Value::Text { text, inside: None }, role);
            }
            Expr::BinOp(op) => match sum(expr) {
                Some(text) => self.push(key, expr, Value::Text { text, inside: None }, role),
                None if is_text_operation(op.op, &op.left, &op.right, role) => {
                    self.push(key, expr, Value::Formatted, role);
                }
                None => self.push(key, expr, Value::Dynamic, role),
            },
            Expr::Call(call) => self.call_value(key, expr, call, role),
            Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::Dict(_) => {}
            Expr::Name(name) if is_constant(&name.id) => {}
            Expr::Attribute(attribute) if is_constant(&attribute.attr) => {}
            _ => self.push(key, expr, Value::Dynamic, role),
        }
    }

    fn values(&mut self, key: &str, exprs: &'a [Expr], role: Role) {
        for expr in exprs {
            self.value(key, expr, role);
        }
    }

    /// The bytes of a literal that spell its text.
    fn inside(&self, literal: &ExprStringLiteral) -> Option<Range<usize>> {
        let [part] = literal.value.as_slice() else { return None };
        let inside = range(part.content_range());
        (self.text.get(inside.clone()) == Some(part.as_str())).then_some(inside)
    }
}

/// The text of literals that are added to each other, which is known before the program runs.
fn sum(expr: &Expr) -> Option<String> {
    match expr {
        Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
        Expr::BinOp(op) if op.op == Operator::Add => Some(sum(&op.left)? + &sum(&op.right)?),
        _ => None,
    }
}

/// Whether an operator builds a text when the program runs. In a comparison, lists may be added.
fn is_text_operation(op: Operator, left: &Expr, right: &Expr, role: Role) -> bool {
    let is_text = |expr: &Expr| expr.is_string_literal_expr() || expr.is_f_string_expr();
    match op {
        Operator::Add => role == Role::Written || is_text(left) || is_text(right),
        Operator::Mod => role == Role::Written || is_text(left),
        _ => false,
    }
}
