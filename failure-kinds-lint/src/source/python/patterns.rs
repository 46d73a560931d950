//! The patterns of `match`.

use ruff_python_ast::Pattern;

use super::Finder;
use crate::position::Role;

impl<'a> Finder<'a> {
    pub(super) fn pattern(&mut self, key: &str, pattern: &'a Pattern) {
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

    /// Patterns with a key inside: `{"failure_kind": "x"}`, `Row(failure_kind="x")`.
    pub(super) fn keyed_patterns(&mut self, pattern: &'a Pattern) {
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
}
