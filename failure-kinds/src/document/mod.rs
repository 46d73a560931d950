//! JSON, TOML and YAML as one tree with locations.
//!
//! Configuration files are read through this tree, so that an error can point at a key or a value,
//! and so can a tool that looks for names in such files. Nothing is dropped on the way: duplicate
//! keys, comments and aliases stay, and a broken text gives what could be read and the first error.
//!
//! ```
//! use failure_kinds::ConfigFormat;
//! use failure_kinds::document::{Document, Value};
//!
//! let text = r#"{ "failure_kind": "judge_failed", "failure_kind": "cancelled" }"#;
//! let document = Document::parse(text, ConfigFormat::Json, 32);
//! assert!(document.error().is_none());
//!
//! let root = document.roots().next().unwrap();
//! let kinds: Vec<_> = root.children().map(|node| (node.span().unwrap(), node.value())).collect();
//! assert_eq!(
//!     kinds,
//!     [(18..32, Value::Text("judge_failed")), (50..61, Value::Text("cancelled"))]
//! );
//! ```

mod json;
mod serde;
#[cfg(feature = "toml")]
mod toml;
#[cfg(feature = "yaml")]
mod yaml;

use std::ops::Range;
use std::string::String;
use std::vec::Vec;

use crate::ConfigFormat;

/// What was read from a text.
#[derive(Debug, Default)]
pub struct Document {
    nodes: Vec<Data>,
    roots: Vec<usize>,
    comments: Vec<Comment>,
    error: Option<SyntaxError>,
}

/// A value of a [`Document`], with its key and its location.
#[derive(Clone, Copy, Debug)]
pub struct Node<'d> {
    document: &'d Document,
    index: usize,
}

/// What a [`Node`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'d> {
    /// `null`, or nothing in YAML.
    Null,
    /// `true` or `false`.
    Boolean,
    /// An integer or a float.
    Number,
    /// A date or a time.
    Time,
    /// A string.
    Text(&'d str),
    /// A list. [`Node::children`] gives its items.
    List,
    /// A map. [`Node::children`] gives its entries, duplicates included.
    Map,
    /// An alias of YAML. [`Node::target`] gives what it refers to.
    Alias,
}

/// The key of an entry of a map.
#[derive(Clone, Debug)]
pub struct Key {
    /// The text, or what else the key is.
    name: Result<String, &'static str>,
    span: Option<Range<usize>>,
}

/// A comment of TOML or YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment {
    /// The text after the leading `#`.
    pub text: String,
    /// Its bytes in the source, with the `#`.
    pub span: Range<usize>,
}

/// Why a text could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxError {
    /// What is wrong, in one clause.
    pub message: String,
    /// Where, in bytes of the source. Empty for a place between two bytes.
    pub span: Range<usize>,
    /// Whether the only problem is that the text is nested too deeply.
    pub too_deep: bool,
}

#[derive(Debug)]
struct Data {
    key: Option<Key>,
    kind: Kind,
    span: Option<Range<usize>>,
    parent: Option<usize>,
    /// The levels of maps and lists around it.
    depth: usize,
}

#[derive(Debug)]
enum Kind {
    Null,
    Boolean,
    Number,
    #[cfg(feature = "toml")]
    Time,
    Text(String),
    List(Vec<usize>),
    Map(Vec<usize>),
    #[cfg(feature = "yaml")]
    Alias(usize),
}

impl Document {
    /// Reads a text.
    ///
    /// Maps and lists more than `max_depth` levels deep are an error, and nothing after it is read. The parsers
    /// of TOML and YAML have limits of their own, 80 and 255 levels.
    #[must_use]
    pub fn parse(text: &str, format: ConfigFormat, max_depth: usize) -> Self {
        match format {
            ConfigFormat::Json => json::parse(text, max_depth),
            #[cfg(feature = "toml")]
            ConfigFormat::Toml => toml::parse(text, max_depth),
            #[cfg(feature = "yaml")]
            ConfigFormat::Yaml => yaml::parse(text, max_depth),
        }
    }

    /// The outermost values. YAML may have several, one for each document, or none.
    pub fn roots(&self) -> impl Iterator<Item = Node<'_>> {
        self.roots.iter().map(|&index| self.node(index))
    }

    /// The comments, in the order of the text. JSON has none.
    #[must_use]
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// The first error, if the text could not be read to its end.
    #[must_use]
    pub const fn error(&self) -> Option<&SyntaxError> {
        self.error.as_ref()
    }

    const fn node(&self, index: usize) -> Node<'_> {
        Node { document: self, index }
    }

    /// Adds a value below `parent`, or a root.
    fn add(
        &mut self,
        parent: Option<usize>,
        key: Option<Key>,
        kind: Kind,
        span: Option<Range<usize>>,
    ) -> usize {
        let index = self.nodes.len();
        let depth = parent.map_or(0, |parent| self.nodes[parent].depth + 1);
        self.nodes.push(Data { key, kind, span, parent, depth });
        match parent {
            None => self.roots.push(index),
            Some(parent) => {
                if let Kind::List(children) | Kind::Map(children) = &mut self.nodes[parent].kind {
                    children.push(index);
                }
            }
        }
        index
    }

    fn fail(&mut self, message: impl Into<String>, span: Range<usize>) {
        let message = message.into();
        self.error.get_or_insert(SyntaxError { message, span, too_deep: false });
    }

    fn fail_too_deep(&mut self, max_depth: usize, span: Range<usize>) {
        let message = std::format!("nested over {max_depth} levels");
        self.error.get_or_insert(SyntaxError { message, span, too_deep: true });
    }
}

impl<'d> Node<'d> {
    fn data(self) -> &'d Data {
        &self.document.nodes[self.index]
    }

    /// What it is.
    #[must_use]
    pub fn value(self) -> Value<'d> {
        match &self.data().kind {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Boolean,
            Kind::Number => Value::Number,
            #[cfg(feature = "toml")]
            Kind::Time => Value::Time,
            Kind::Text(text) => Value::Text(text),
            Kind::List(_) => Value::List,
            Kind::Map(_) => Value::Map,
            #[cfg(feature = "yaml")]
            Kind::Alias(_) => Value::Alias,
        }
    }

    /// Its key, for an entry of a map.
    #[must_use]
    pub fn key(self) -> Option<&'d Key> {
        self.data().key.as_ref()
    }

    /// Its bytes in the source. `None` for a value that was not read from a text, and for the root
    /// of TOML.
    #[must_use]
    pub fn span(self) -> Option<Range<usize>> {
        self.data().span.clone()
    }

    /// The map or list around it.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.data().parent.map(|parent| self.document.node(parent))
    }

    /// The items of a list or the entries of a map, in the order of the source.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let children: &[usize] = match &self.data().kind {
            Kind::List(children) | Kind::Map(children) => children,
            _ => &[],
        };
        children.iter().map(move |&index| self.document.node(index))
    }

    /// What an alias refers to, and every other value itself.
    #[must_use]
    pub fn target(self) -> Self {
        match self.data().kind {
            #[cfg(feature = "yaml")]
            Kind::Alias(target) => self.document.node(target),
            _ => self,
        }
    }
}

impl Value<'_> {
    /// The type, with its article, for messages.
    #[must_use]
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::Time => "a date or time",
            Self::Text(_) => "a string",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Alias => "an alias",
        }
    }
}

impl Key {
    const fn text(text: String, span: Range<usize>) -> Self {
        Self { name: Ok(text), span: Some(span) }
    }

    /// The text of the key. Integer keys of YAML are texts too, as they are written.
    ///
    /// # Errors
    ///
    /// The type of a key that is neither, with its article: `a list`.
    pub fn name(&self) -> Result<&str, &'static str> {
        self.name.as_deref().map_err(|&noun| noun)
    }

    /// Its bytes in the source. `None` for a key that was not read from a text.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }
}
