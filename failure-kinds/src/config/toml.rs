//! TOML as a tree with places.

use std::format;
use std::ops::Range;
use std::string::{String, ToString};
use std::vec::Vec;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::node::{Key, KeyName, Node, Value};
use super::read::{MAX_DEPTH, NoTree};

/// What the parser says of a key that stands twice. It goes on after that.
const DUPLICATE: &str = "duplicate key";
/// What the parser says of a text that is nested beyond its own limit.
const TOO_DEEP: &str = "cannot recurse further; max recursion depth met";

pub(super) fn tree(text: &str) -> Result<Node, NoTree> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if let Some(error) = errors.iter().find(|error| error.message() != DUPLICATE) {
        return Err(refused(error));
    }
    let duplicates: Vec<_> = errors.iter().filter_map(Error::span).collect();
    if duplicates.is_empty() {
        return Reader { renamed: &Renamed::default() }.root(&table);
    }
    // The parser drops what stands under a key for the second time, and does not say under which
    // table. With another name in the place of each such key it keeps all.
    let renamed = Renamed::new(text, duplicates);
    let (table, errors) = DeTable::parse_recoverable(&renamed.text);
    match errors.first() {
        Some(error) => Err(refused(error)),
        None => Reader { renamed: &renamed }.root(&table),
    }
}

fn refused(error: &Error) -> NoTree {
    if error.message() == TOO_DEEP {
        NoTree::too_deep()
    } else {
        NoTree::syntax(error.message(), error.span())
    }
}

/// A text in which some keys were renamed.
#[derive(Default)]
struct Renamed {
    text: String,
    /// What every new name starts with; it occurs nowhere in the original.
    prefix: String,
    /// The renamed keys: where each stands in the original and in the new text, and its own name.
    keys: Vec<(Range<usize>, Range<usize>, String)>,
}

impl Renamed {
    fn new(original: &str, mut spans: Vec<Range<usize>>) -> Self {
        spans.sort_by_key(|span| span.start);
        spans.dedup();
        let mut prefix = String::from("twice");
        while original.contains(&prefix) {
            prefix.push('-');
        }
        let mut this = Self { prefix, ..Self::default() };
        let mut end = 0;
        for (index, span) in spans.into_iter().enumerate() {
            this.text.push_str(&original[end..span.start]);
            let start = this.text.len();
            this.text.push_str(&this.prefix);
            this.text.push_str(&index.to_string());
            end = span.end;
            let name = own_name(&original[span.clone()]);
            this.keys.push((span, start..this.text.len(), name));
        }
        this.text.push_str(&original[end..]);
        this
    }

    /// The name that a key had in the original.
    fn name<'a>(&'a self, key: &'a str) -> &'a str {
        let index = key.strip_prefix(&self.prefix).and_then(|index| index.parse().ok());
        let renamed: Option<&(_, _, String)> = index.and_then(|index: usize| self.keys.get(index));
        renamed.map_or(key, |(_, _, name)| name)
    }

    /// The place in the original of a place in the new text.
    fn span(&self, span: Range<usize>) -> Range<usize> {
        self.original(span.start)..self.original(span.end)
    }

    fn original(&self, offset: usize) -> usize {
        let before = self.keys.partition_point(|(_, new, _)| new.end <= offset);
        match before.checked_sub(1).and_then(|last| self.keys.get(last)) {
            Some((original, new, _)) => original.end + (offset - new.end),
            None => offset,
        }
    }
}

/// The name that a bare or quoted key stands for.
fn own_name(key: &str) -> String {
    let line = format!("{key} = 0");
    let name = DeTable::parse(&line).ok().and_then(|table| {
        table.get_ref().keys().next().map(|name| name.get_ref().clone().into_owned())
    });
    name.unwrap_or_else(|| key.into())
}

struct Reader<'a> {
    renamed: &'a Renamed,
}

impl Reader<'_> {
    fn root(&self, table: &Spanned<DeTable<'_>>) -> Result<Node, NoTree> {
        // A root that holds nothing has no place to point at.
        Ok(Node { value: self.map(table.get_ref(), 1)?, span: None })
    }

    fn map(&self, table: &DeTable<'_>, depth: usize) -> Result<Value, NoTree> {
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            let name = KeyName::Text(self.renamed.name(key.get_ref()).into());
            let key = Key { name, span: Some(self.renamed.span(key.span())) };
            entries.push((key, self.node(value, depth)?));
        }
        // The parser sorts by name; faults are told in the order of the file.
        entries.sort_by_key(|(key, _)| key.span.as_ref().map(|span| span.start));
        Ok(Value::Map(entries))
    }

    /// A value inside `depth` levels.
    fn node(&self, value: &Spanned<DeValue<'_>>, depth: usize) -> Result<Node, NoTree> {
        let span = Some(self.renamed.span(value.span()));
        let value = match value.get_ref() {
            DeValue::Table(_) | DeValue::Array(_) if depth >= MAX_DEPTH => {
                return Err(NoTree::too_deep());
            }
            DeValue::Table(table) => self.map(table, depth + 1)?,
            DeValue::Array(items) => {
                for item in items {
                    self.node(item, depth + 1)?;
                }
                Value::List
            }
            DeValue::String(text) => Value::Text(text.clone().into_owned()),
            DeValue::Integer(_) | DeValue::Float(_) => Value::Number,
            DeValue::Boolean(_) => Value::Bool,
            DeValue::Datetime(_) => Value::Time,
        };
        Ok(Node { value, span })
    }
}
