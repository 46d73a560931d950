//! Calls that give a key its value, or compare it.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall};

use super::Finder;
use crate::keys::is_column_table;
use crate::position::{Role, Value};

/// Methods that take a key and its value.
const WRITERS: [&str; 4] = ["set_attribute", "set_tag", "setdefault", "setattr"];

/// Methods and functions that take a key and a default value for it.
const READERS: [&str; 3] = ["get", "getattr", "pop"];

impl<'a> Finder<'a> {
    pub(super) fn call(&mut self, call: &'a ExprCall) {
        let args = &*call.arguments.args;
        match &*call.func {
            Expr::Attribute(method) => self.method(method, args),
            Expr::Name(name) => match (name.id.as_str(), args) {
                ("setattr", [_, key, value]) => self.entry(key, value, Role::Written),
                ("getattr", [_, key, default]) => self.entry(key, default, Role::Default),
                ("dict" | "OrderedDict", [Expr::List(pairs)]) => {
                    for pair in &pairs.elts {
                        if let Expr::Tuple(pair) = pair
                            && let [key, value] = &*pair.elts
                        {
                            self.entry(key, value, Role::Written);
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn method(&mut self, method: &'a ExprAttribute, args: &'a [Expr]) {
        let name = method.attr.as_str();
        match args {
            // `df.agg({…})`, `df.rename({…})`
            [Expr::Dict(_), ..]
                if is_column_table(name)
                    || matches!(name, "aggregate" | "astype" | "cast" | "transform") =>
            {
                self.table(&args[0]);
            }
            // `df.failure_kind.isin([…])`, `pl.col("failure_kind").eq("…")`
            [value] if matches!(name, "isin" | "is_in") => {
                self.compared_with_each(&method.value, value);
            }
            [value] if matches!(name, "eq" | "ne") => self.compared(&method.value, value),
            // A builder: `row.failure_kind("…")`
            [value] if self.keys().is_key(name) => self.value(name, value, Role::Written),
            [key, value] if WRITERS.contains(&name) => self.entry(key, value, Role::Written),
            [key, default] if READERS.contains(&name) => self.entry(key, default, Role::Default),
            // `self.assertEqual(row["failure_kind"], "…")`
            [left, right, ..] if is_assertion(name, &["equal", "equals", "is"]) => {
                self.compared(left, right);
            }
            [value, container, ..] if is_assertion(name, &["in"]) => {
                self.compared_with_each(value, container);
            }
            _ => {}
        }
    }

    fn entry(&mut self, key: &Expr, value: &'a Expr, role: Role) {
        if let Some(key) = self.key_of(key) {
            self.value(&key, value, role);
        }
    }

    /// A call whose value is at a position.
    pub(super) fn call_value(&mut self, key: &str, expr: &'a Expr, call: &'a ExprCall, role: Role) {
        let (name, is_method) = match &*call.func {
            Expr::Name(name) => (name.id.as_str(), false),
            Expr::Attribute(method) => (method.attr.as_str(), true),
            _ => ("", false),
        };
        match name {
            "format" | "format_map" | "join" | "safe_substitute" | "substitute" if is_method => {
                self.push(key, expr, Value::Formatted, role);
            }
            // What holds the text without changing it: sets, the fields of models, validators.
            "frozenset"
            | "set"
            | "tuple"
            | "list"
            | "sorted"
            | "Field"
            | "field"
            | "validate_failure_kind" => {
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
}

/// Whether a method is one of these assertions or the opposite: `assertEqual`, `assert_not_equal`,
/// `assertNotIn`.
fn is_assertion(name: &str, what: &[&str]) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "");
    name.strip_prefix("assert").is_some_and(|name| {
        let name = name.strip_prefix("not").or_else(|| name.strip_prefix("isnot")).unwrap_or(name);
        what.contains(&name)
    })
}
