//! Python, by ruff's own parser: an exact grammar with the place of every token, and it goes on
//! behind an error, so that the rest of a broken file is still checked.

mod patterns;
mod values;

use std::collections::HashSet;
use std::ops::Range;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    CmpOp, Expr, ExprCall, ExprCompare, Keyword, Operator, Parameters, PySourceType, Stmt,
};
use ruff_python_parser::parse_unchecked_source;
use ruff_text_size::{Ranged, TextRange};

use crate::keys::{Keys, is_constant};
use crate::position::{Ask, Comment, Literal, Position, Role, Scan, Unparsed, Value};

pub(super) fn scan(text: &str, ask: Ask<'_>) -> Scan {
    let parsed = parse_unchecked_source(text, PySourceType::Python);
    let mut finder = Finder { text, ask, key_constants: HashSet::new(), scan: Scan::default() };
    finder.scan.unparsed = parsed.errors().first().map(|error| Unparsed {
        at: error.location.start().to_usize(),
        why: lower_first(&error.error.to_string()),
    });
    for token in parsed.tokens() {
        if token.kind() == TokenKind::Comment {
            let span = range(token.range());
            let text = text[span.clone()].trim_start_matches('#').to_owned();
            finder.scan.comments.push(Comment { span, text });
        }
    }
    let body = &parsed.syntax().body;
    finder.find_key_constants(body);
    finder.visit_body(body);
    finder.scan
}

/// `Expected an identifier` in the form of our messages.
fn lower_first(message: &str) -> String {
    let mut chars = message.chars();
    match chars.next() {
        Some(first) if chars.clone().next().is_some_and(char::is_lowercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => message.to_owned(),
    }
}

fn range(range: TextRange) -> Range<usize> {
    range.start().to_usize()..range.end().to_usize()
}

struct Finder<'a> {
    text: &'a str,
    ask: Ask<'a>,
    /// Constants that this file binds to a key's text.
    key_constants: HashSet<&'a str>,
    scan: Scan,
}

impl<'a> Finder<'a> {
    fn keys(&self) -> &'a Keys {
        self.ask.keys
    }

    fn find_key_constants(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            let (target, value) = match stmt {
                Stmt::Assign(assign) if assign.targets.len() == 1 => {
                    (&assign.targets[0], Some(&assign.value))
                }
                Stmt::AnnAssign(assign) => (&*assign.target, assign.value.as_ref()),
                Stmt::ClassDef(class) => {
                    self.find_key_constants(&class.body);
                    continue;
                }
                _ => continue,
            };
            if let (Expr::Name(name), Some(value)) = (target, value)
                && let Expr::StringLiteral(text) = &**value
                && self.keys().is_key(text.value.to_str())
            {
                // The text outlives the tree.
                self.key_constants.insert(&self.text[range(name.range)]);
            }
        }
    }

    fn assigned(&mut self, target: &Expr, value: &'a Expr) {
        if let Some(key) = self.place_of(target) {
            self.value(&key, value, Role::Written);
        } else if let Expr::Name(name) = target
            && is_constant(&name.id)
            && self.keys().holds_kind(&name.id)
            && !matches!(value, Expr::StringLiteral(text) if self.keys().is_key(text.value.to_str()))
        {
            self.value(&name.id, value, Role::Written);
        } else if let (Expr::Tuple(targets), Expr::Tuple(values)) = (target, value)
            && targets.elts.len() == values.elts.len()
        {
            for (target, value) in targets.elts.iter().zip(&values.elts) {
                self.assigned(target, value);
            }
        }
    }

    fn push(&mut self, key: &str, expr: &Expr, value: Value, role: Role) {
        self.scan.positions.push(Position {
            key: key.to_owned(),
            span: range(expr.range()),
            value,
            role,
            test: self.ask.test,
            bare: None,
        });
    }

    fn comparison(&mut self, compare: &'a ExprCompare) {
        let mut left = &*compare.left;
        for (op, right) in compare.ops.iter().zip(&compare.comparators) {
            match op {
                CmpOp::Eq | CmpOp::NotEq | CmpOp::Is | CmpOp::IsNot => {
                    if let Some(key) = self.read_of(left) {
                        self.value(&key, right, Role::Compared);
                    } else if let Some(key) = self.read_of(right) {
                        self.value(&key, left, Role::Compared);
                    }
                }
                // Membership in a text, `"timeout" in failure_kind`, names no kind.
                CmpOp::In | CmpOp::NotIn if !right.is_string_literal_expr() => {
                    if let Some(key) = self.read_of(left) {
                        self.value(&key, right, Role::Compared);
                    }
                }
                _ => {}
            }
            left = right;
        }
    }

    fn call(&mut self, call: &'a ExprCall) {
        let args = &call.arguments.args;
        match &*call.func {
            Expr::Attribute(method) if method.attr.as_str() == "setdefault" && args.len() == 2 => {
                if let Some(key) = self.key_of(&args[0]) {
                    self.value(&key, &args[1], Role::Written);
                }
            }
            Expr::Name(name) if name.id.as_str() == "setattr" && args.len() == 3 => {
                if let Some(key) = self.key_of(&args[1]) {
                    self.value(&key, &args[2], Role::Written);
                }
            }
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for Finder<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.assigned(target, &assign.value);
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.assigned(&assign.target, value);
                }
            }
            Stmt::AugAssign(assign) if assign.op == Operator::Add => {
                if let Some(key) = self.place_of(&assign.target) {
                    self.push(&key, &assign.value, Value::Formatted, Role::Written);
                }
            }
            Stmt::Match(matching) => {
                let key = self.read_of(&matching.subject);
                for case in &matching.cases {
                    match &key {
                        Some(key) => self.pattern(key, &case.pattern),
                        None => self.keyed_patterns(&case.pattern),
                    }
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Dict(dict) => {
                for item in &dict.items {
                    if let Some(key) = item.key.as_ref().and_then(|key| self.key_of(key)) {
                        self.value(&key, &item.value, Role::Written);
                    }
                }
            }
            Expr::Compare(compare) => self.comparison(compare),
            Expr::Named(named) => self.assigned(&named.target, &named.value),
            Expr::Call(call) => self.call(call),
            Expr::StringLiteral(text) if self.ask.literals => {
                self.scan.literals.push(Literal {
                    span: range(text.range),
                    text: text.value.to_str().to_owned(),
                    test: self.ask.test,
                });
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        if let Some(name) = keyword.arg.as_ref().filter(|name| self.keys().is_key(name)) {
            self.value(name, &keyword.value, Role::Written);
        }
        visitor::walk_keyword(self, keyword);
    }

    fn visit_parameters(&mut self, parameters: &'a Parameters) {
        for parameter in parameters.iter_non_variadic_params() {
            let name = &parameter.parameter.name;
            if let Some(default) = parameter.default.as_ref().filter(|_| self.keys().is_key(name)) {
                self.value(name, default, Role::Written);
            }
        }
        visitor::walk_parameters(self, parameters);
    }

    // A type says what may stand somewhere, and writes nothing.
    fn visit_annotation(&mut self, _: &'a Expr) {}
}

#[cfg(test)]
mod tests;
