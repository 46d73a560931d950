//! Python, by ruff's own parser: an exact grammar with the location of every token. It recovers
//! from errors, so that the rest of a broken file is still checked.

mod calls;
mod depth;
mod patterns;
mod values;

use std::collections::HashMap;
use std::ops::Range;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    CmpOp, Comprehension, Expr, ExprCompare, ExprDict, Keyword, Operator, Parameters, PySourceType,
    Stmt,
};
use ruff_python_parser::parse_unchecked_source;
use ruff_text_size::{Ranged, TextRange};

use crate::keys::{Keys, is_column_table, is_constant};
use crate::position::{Comment, Literal, Position, Role, Scan, ScanOptions, Unparsed, Value};

pub(super) fn scan(text: &str, options: ScanOptions<'_>) -> Scan {
    if let Some(at) = depth::too_deep(text) {
        return Scan::unparsed(Unparsed::too_deep(at));
    }
    let parsed = parse_unchecked_source(text, PySourceType::Python);
    let mut finder = Finder {
        text,
        options,
        key_constants: HashMap::new(),
        tables: Vec::new(),
        scan: Scan::default(),
    };
    finder.scan.unparsed = parsed.errors().first().map(|error| {
        Unparsed::new(error.location.start().to_usize(), lower_first(&error.error.to_string()))
    });
    for token in parsed.tokens() {
        if token.kind() == TokenKind::Comment {
            let span = range(token.range());
            let comment = text[span.clone()].trim_start_matches('#');
            finder.scan.comments.push(Comment::new(span, comment));
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
    options: ScanOptions<'a>,
    /// Constants that this file binds to the text of a key, with the key.
    key_constants: HashMap<&'a str, String>,
    /// Where the dicts start that give columns a type or a title.
    tables: Vec<usize>,
    scan: Scan,
}

impl<'a> Finder<'a> {
    fn keys(&self) -> &'a Keys {
        self.options.keys
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
                let name = &self.text[range(name.range)];
                self.key_constants.insert(name, text.value.to_str().to_owned());
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
        } else if let Expr::Name(name) = target
            && is_column_table(&name.id)
        {
            self.table(value);
        } else if let (Expr::Tuple(targets), Expr::Tuple(values)) = (target, value)
            && targets.elts.len() == values.elts.len()
        {
            for (target, value) in targets.elts.iter().zip(&values.elts) {
                self.assigned(target, value);
            }
        }
    }

    /// A variable of a loop takes each value of a list.
    fn looped(&mut self, target: &Expr, values: &'a Expr) {
        let is_literal = matches!(values, Expr::List(_) | Expr::Tuple(_) | Expr::Set(_));
        if let (Expr::Name(name), true) = (target, is_literal)
            && self.keys().is_key(&name.id)
        {
            self.value(&name.id, values, Role::Written);
        }
    }

    /// A dict that gives columns a type or a title: its own entries are not positions.
    fn table(&mut self, value: &Expr) {
        if let Expr::Dict(dict) = value {
            self.tables.push(range(dict.range).start);
        }
    }

    fn push(&mut self, key: &str, expr: &Expr, value: Value, role: Role) {
        self.scan.positions.push(Position {
            key: key.to_owned(),
            span: range(expr.range()),
            value,
            role,
            test: self.options.test,
            bare: None,
        });
    }

    fn dict(&mut self, dict: &'a ExprDict) {
        if self.tables.contains(&range(dict.range).start) {
            return;
        }
        for item in &dict.items {
            if let Some(key) = item.key.as_ref().and_then(|key| self.key_of(key)) {
                self.value(&key, &item.value, Role::Written);
            }
            // `{"dtype": {"failure_kind": "category"}}`
            if let Some(Expr::StringLiteral(name)) = &item.key
                && is_column_table(name.value.to_str())
            {
                self.table(&item.value);
            }
        }
    }

    fn comparison(&mut self, compare: &'a ExprCompare) {
        let mut left = &*compare.left;
        for (op, right) in compare.ops.iter().zip(&compare.comparators) {
            match op {
                CmpOp::Eq | CmpOp::NotEq | CmpOp::Is | CmpOp::IsNot => self.compared(left, right),
                // Membership in a text, `"timeout" in failure_kind`, names no kind.
                CmpOp::In | CmpOp::NotIn => self.compared_with_each(left, right),
                _ => {}
            }
            left = right;
        }
    }

    fn compared(&mut self, left: &'a Expr, right: &'a Expr) {
        if let Some(key) = self.read_of(left) {
            self.value(&key, right, Role::Compared);
        } else if let Some(key) = self.read_of(right) {
            self.value(&key, left, Role::Compared);
        }
    }

    /// A value is compared with each element of what contains it.
    fn compared_with_each(&mut self, value: &'a Expr, container: &'a Expr) {
        if !container.is_string_literal_expr()
            && let Some(key) = self.read_of(value)
        {
            self.value(&key, container, Role::Compared);
        }
    }

    /// `Literal["…"]` in the annotation of a name that is a key.
    fn annotated(&mut self, name: &str, annotation: &'a Expr) {
        if self.keys().is_key(name) {
            self.literal_types(name, annotation);
        }
    }

    fn literal_types(&mut self, key: &str, annotation: &'a Expr) {
        match annotation {
            Expr::Subscript(subscript) => {
                let name = match &*subscript.value {
                    Expr::Name(name) => name.id.as_str(),
                    Expr::Attribute(attribute) => attribute.attr.as_str(),
                    _ => return,
                };
                match (name, &*subscript.slice) {
                    ("Literal", values) => self.value(key, values, Role::Written),
                    ("Annotated", Expr::Tuple(parts)) => {
                        if let Some(first) = parts.elts.first() {
                            self.literal_types(key, first);
                        }
                    }
                    (_, Expr::Tuple(parts)) => {
                        parts.elts.iter().for_each(|part| self.literal_types(key, part));
                    }
                    (_, part) => self.literal_types(key, part),
                }
            }
            Expr::BinOp(union) => {
                self.literal_types(key, &union.left);
                self.literal_types(key, &union.right);
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
                match &*assign.target {
                    Expr::Name(name) => self.annotated(&name.id, &assign.annotation),
                    Expr::Attribute(field) => self.annotated(&field.attr, &assign.annotation),
                    _ => {}
                }
                if let Some(value) = &assign.value {
                    self.assigned(&assign.target, value);
                }
            }
            Stmt::AugAssign(assign) if assign.op == Operator::Add => {
                if let Some(key) = self.place_of(&assign.target) {
                    self.push(&key, &assign.value, Value::Formatted, Role::Written);
                }
            }
            Stmt::For(each) => self.looped(&each.target, &each.iter),
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
            Expr::Dict(dict) => self.dict(dict),
            Expr::Compare(compare) => self.comparison(compare),
            Expr::Named(named) => self.assigned(&named.target, &named.value),
            Expr::Call(call) => self.call(call),
            Expr::StringLiteral(text) if self.options.literals => {
                self.scan.literals.push(Literal {
                    span: range(text.range),
                    text: text.value.to_str().to_owned(),
                    test: self.options.test,
                });
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.looped(&comprehension.target, &comprehension.iter);
        visitor::walk_comprehension(self, comprehension);
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        if let Some(name) = &keyword.arg {
            if self.keys().is_key(name) {
                self.value(name, &keyword.value, Role::Written);
            } else if is_column_table(name) || name.as_str() == "labels" {
                self.table(&keyword.value);
            }
        }
        visitor::walk_keyword(self, keyword);
    }

    fn visit_parameters(&mut self, parameters: &'a Parameters) {
        for parameter in parameters.iter_non_variadic_params() {
            let name = &parameter.parameter.name;
            if let Some(annotation) = &parameter.parameter.annotation {
                self.annotated(name, annotation);
            }
            if let Some(default) = parameter.default.as_ref().filter(|_| self.keys().is_key(name)) {
                self.value(name, default, Role::Written);
            }
        }
        visitor::walk_parameters(self, parameters);
    }

    // The types of names that are keys are read with the names.
    fn visit_annotation(&mut self, _: &'a Expr) {}
}

#[cfg(test)]
mod tests;
