//! TOML, by the tables of the crate toml, which keep their places; comments are its tokens.

use std::ops::Range;

use toml::de::{DeTable, DeValue};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use super::is_template;
use crate::position::{Ask, Comment, Literal, Position, Scan, Unparsed, Value};

pub(super) fn scan(text: &str, ask: Ask<'_>) -> Scan {
    let (table, faults) = DeTable::parse_recoverable(text);
    let mut finder = Finder { text, ask, scan: Scan::default() };
    finder.scan.unparsed = faults.first().map(|fault| Unparsed {
        at: fault.span().map_or(0, |span| span.start),
        why: fault.message().replace('\n', ", "),
    });
    finder.table(table.get_ref(), &mut Vec::new());
    for token in Source::new(text).lex() {
        if token.kind() == TokenKind::Comment {
            let span = token.span().start()..token.span().end();
            let text = text[span.clone()].trim_start_matches('#').to_owned();
            finder.scan.comments.push(Comment { span, text });
        }
    }
    finder.scan
}

struct Finder<'a> {
    text: &'a str,
    ask: Ask<'a>,
    scan: Scan,
}

// The parser limits the depth of what is walked here.
impl Finder<'_> {
    fn table(&mut self, table: &DeTable<'_>, path: &mut Vec<String>) {
        for (name, value) in table {
            path.push(name.get_ref().to_string());
            self.value(value.get_ref(), value.span(), path);
            path.pop();
        }
    }

    fn value(&mut self, value: &DeValue<'_>, span: Range<usize>, path: &mut Vec<String>) {
        let no_text = match value {
            DeValue::Table(table) => return self.table(table, path),
            DeValue::Array(array) => {
                for value in array {
                    self.value(value.get_ref(), value.span(), path);
                }
                return;
            }
            DeValue::String(text) => return self.text(text, span, path),
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
        };
        if self.is_key(path) {
            self.push(path, span, Value::NoText(no_text));
        }
    }

    fn text(&mut self, text: &str, span: Range<usize>, path: &[String]) {
        if self.is_key(path) {
            if !is_template(text) {
                let inside = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
                let inside = (self.text.get(inside.clone()) == Some(text)).then_some(inside);
                self.push(path, span, Value::Text { text: text.to_owned(), inside });
            }
        } else if self.ask.literals {
            self.scan.literals.push(Literal { span, text: text.to_owned(), test: false });
        }
    }

    fn is_key(&self, path: &[String]) -> bool {
        self.ask.keys.is_key_path(&path.iter().map(String::as_str), false)
    }

    fn push(&mut self, path: &[String], span: Range<usize>, value: Value) {
        let key = path.last().map(String::as_str).unwrap_or_default();
        self.scan.positions.push(Position::in_data(key, span, value));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::testing::{self, positions};

    fn toml(text: &str) -> Vec<String> {
        positions(Language::Toml, text)
    }

    #[test]
    fn values_of_keys() {
        assert_eq!(
            toml(
                "failure_kind = \"a\"\nkind = \"x\"\n[t]\nfailure_class = 'b'\n[[r]]\nq.failure_kind = \"c\"\n"
            ),
            ["failure_kind=a", "failure_class=b", "failure_kind=c"]
        );
        assert_eq!(toml("failure_kind = [\"a\", \"b\"]"), ["failure_kind=a", "failure_kind=b"]);
        assert_eq!(
            toml("failure_kind = 3\nfailure_class = true"),
            ["failure_kind=?a number", "failure_class=?a boolean"]
        );
        assert_eq!(toml("failure_kind = { type = \"string\" }"), [""; 0]);
    }

    #[test]
    fn comments() {
        let found = testing::scan(Language::Toml, "a = '# no' # yes\n# also\n");
        let comments: Vec<_> = found.comments.iter().map(|comment| comment.text.as_str()).collect();
        assert_eq!(comments, [" yes", " also"]);
    }

    #[test]
    fn the_rest_of_a_broken_file_is_checked() {
        let found = testing::scan(Language::Toml, "a = \nfailure_kind = \"a\"\n");
        assert!(found.unparsed.is_some());
        assert_eq!(found.positions.len(), 1);
    }
}
