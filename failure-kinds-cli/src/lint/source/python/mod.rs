//! Python, by ruff's own parser: an exact grammar with the place of every token, and it goes on
//! behind an error, so that the rest of a broken file is still checked.

use std::collections::HashSet;
use std::ops::Range;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    CmpOp, Expr, ExprCall, ExprCompare, ExprStringLiteral, InterpolatedStringElement, Keyword,
    Operator, Parameters, Pattern, PySourceType, Stmt,
};
use ruff_python_parser::parse_unchecked_source;
use ruff_text_size::{Ranged, TextRange};

use crate::lint::keys::{Keys, is_constant};
use crate::lint::position::{Ask, Comment, Literal, Position, Role, Scan, Unparsed, Value};

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

    /// The key that an expression names where keys stand: in a dict, in a subscript, in `get`.
    fn key_of(&self, expr: &Expr) -> Option<String> {
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
        let names_key =
            self.key_constants.contains(name) || (is_constant(name) && self.keys().names_key(name));
        names_key.then(|| name.to_owned())
    }

    /// The key whose value an expression reads or is assigned to.
    fn place_of(&self, expr: &Expr) -> Option<String> {
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
    fn read_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(method) if matches!(method.attr.as_str(), "get" | "pop") => {
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

    /// Takes note of what stands at a position: every value that it may take.
    fn value(&mut self, key: &str, expr: &'a Expr, role: Role) {
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
            Expr::BinOp(op) if is_text_operation(op.op, &op.left, &op.right) => {
                self.push(key, expr, Value::Formatted, role);
            }
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

    fn call_value(&mut self, key: &str, expr: &'a Expr, call: &'a ExprCall, role: Role) {
        let name = match &*call.func {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(method) => method.attr.as_str(),
            _ => "",
        };
        match (&*call.func, name) {
            (Expr::Attribute(method), "format") if method.value.is_string_literal_expr() => {
                self.push(key, expr, Value::Formatted, role);
            }
            // What holds the text without changing it: sets, the fields of models, validators.
            (
                _,
                "frozenset"
                | "set"
                | "tuple"
                | "list"
                | "sorted"
                | "Field"
                | "field"
                | "validate_failure_kind",
            ) => {
                let first = call.arguments.args.first();
                let default = call.arguments.find_keyword("default").map(|keyword| &keyword.value);
                match first.or(default) {
                    Some(value) => self.value(key, value, role),
                    None => self.push(key, expr, Value::Dynamic, role),
                }
            }
            _ => self.push(key, expr, Value::Dynamic, role),
        }
    }

    /// The bytes of a literal that spell its text.
    fn inside(&self, literal: &ExprStringLiteral) -> Option<Range<usize>> {
        let [part] = literal.value.as_slice() else { return None };
        let inside = range(part.content_range());
        (self.text.get(inside.clone()) == Some(part.as_str())).then_some(inside)
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

    fn pattern(&mut self, key: &str, pattern: &'a Pattern) {
        match pattern {
            Pattern::MatchValue(value) => self.value(key, &value.value, Role::Compared),
            Pattern::MatchOr(or) => {
                for pattern in &or.patterns {
                    self.pattern(key, pattern);
                }
            }
            Pattern::MatchAs(named) => {
                if let Some(pattern) = &named.pattern {
                    self.pattern(key, pattern);
                }
            }
            _ => {}
        }
    }

    /// Patterns inside of which a key stands: `{"failure_kind": "x"}`, `Row(failure_kind="x")`.
    fn keyed_patterns(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::MatchMapping(mapping) => {
                for (key, pattern) in mapping.keys.iter().zip(&mapping.patterns) {
                    match self.key_of(key) {
                        Some(key) => self.pattern(&key, pattern),
                        None => self.keyed_patterns(pattern),
                    }
                }
            }
            Pattern::MatchClass(class) => {
                for pattern in &class.arguments.patterns {
                    self.keyed_patterns(pattern);
                }
                for keyword in &class.arguments.keywords {
                    if self.keys().is_key(&keyword.attr) {
                        self.pattern(&keyword.attr, &keyword.pattern);
                    } else {
                        self.keyed_patterns(&keyword.pattern);
                    }
                }
            }
            Pattern::MatchSequence(sequence) => {
                for pattern in &sequence.patterns {
                    self.keyed_patterns(pattern);
                }
            }
            Pattern::MatchOr(or) => {
                for pattern in &or.patterns {
                    self.keyed_patterns(pattern);
                }
            }
            Pattern::MatchAs(named) => {
                if let Some(pattern) = &named.pattern {
                    self.keyed_patterns(pattern);
                }
            }
            _ => {}
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

/// Whether an operator puts a text together.
fn is_text_operation(op: Operator, left: &Expr, right: &Expr) -> bool {
    let is_text = |expr: &Expr| expr.is_string_literal_expr() || expr.is_f_string_expr();
    match op {
        Operator::Add => is_text(left) || is_text(right) || is_nested_sum(left),
        Operator::Mod => is_text(left),
        _ => false,
    }
}

/// `a + "b" + c` is `(a + "b") + c`.
fn is_nested_sum(expr: &Expr) -> bool {
    let Expr::BinOp(op) = expr else { return false };
    is_text_operation(op.op, &op.left, &op.right)
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
