//! Decodes the text of a file, and finds every fault in it.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use failure_kinds::ConfigFormat;
use failure_kinds::document::{Document, Key, Node, Value};
use failure_kinds_core::text::{Escaped, EscapedPath};
use failure_kinds_core::{Quoted, doubled, is_kind_name, suggest_among};
use globset::Glob;

use super::glob::PathGlob;
use super::{DeclaredKind, File, Override, Source};
use crate::error::Error;
use crate::id::{Id, Level};
use crate::paths::normal;

/// More levels than any file of this form has.
const MAX_DEPTH: usize = 16;
/// How many faults are reported one by one.
const MOST: usize = 50;

/// Decodes the text of a file.
///
/// # Errors
///
/// The faults, each with its location, in the order of the text.
pub(super) fn file(source: Source) -> Result<File, Error> {
    let document = Document::parse(&source.text, ConfigFormat::Toml, MAX_DEPTH);
    if let Some(error) = document.error() {
        let message = Escaped(&error.message).to_string();
        return Err(Error::new(source.located(error.span.start, &message)));
    }
    let folder = source.path.parent().unwrap_or(&source.path);
    let mut decoder = Decoder { folder, faults: Vec::new(), empty: Vec::new() };
    let file = decoder.file(&document);
    let Decoder { mut faults, empty, .. } = decoder;
    if faults.is_empty() {
        return Ok(File { source, empty, ..file });
    }
    faults.sort_by_key(|(span, _)| span.start);
    let more = faults.split_off(faults.len().min(MOST)).len();
    let first = faults.iter().map(|(span, message)| source.located(span.start, message));
    let rest = (more > 0).then(|| format!("`{}`: {more} more mistakes", EscapedPath(&source.path)));
    Err(Error::of_each(first.chain(rest)))
}

/// Keeps every fault, and leaves what is wrong out of what it decodes.
struct Decoder<'p> {
    folder: &'p Path,
    /// What is wrong, and where.
    faults: Vec<(Range<usize>, String)>,
    empty: Vec<(Range<usize>, &'static str)>,
}

impl Decoder<'_> {
    fn file(&mut self, document: &Document) -> File {
        let mut file = File::default();
        let Some(root) = document.roots().next() else { return file };
        for (name, node) in self.table(root, &["extend", "lint", "servers"]) {
            match name {
                "extend" => {
                    let path = self.text(node).map(|path| normal(&self.folder.join(path)));
                    file.extends = path;
                }
                "lint" => self.lint(node, &mut file),
                _ => {
                    for (server, node) in self.entries(node) {
                        let kinds = self.server_kinds(server, node);
                        file.servers.insert(server.to_owned(), kinds);
                    }
                }
            }
        }
        file
    }

    fn lint(&mut self, node: Node<'_>, file: &mut File) {
        for (name, node) in self.table(node, &["constants", "exclude", "keys", "levels"]) {
            match name {
                "exclude" => file.exclude = self.globs(node, "exclude"),
                "keys" => {
                    let keys = self.list(node, "keys").into_iter();
                    file.keys = Some(keys.map(|(key, _)| key.to_owned()).collect());
                }
                "constants" => {
                    let globs = self.list(node, "constants").into_iter();
                    let globs = globs.filter_map(|(text, span)| {
                        let glob = Glob::new(text);
                        Some((self.glob(glob, span.clone())?, span))
                    });
                    file.constants = Some(globs.collect());
                }
                _ => file.levels = self.levels(node),
            }
        }
    }

    fn levels(&mut self, node: Node<'_>) -> Vec<Override> {
        if node.value() != Value::List {
            self.fault(location(node), level_tables(node));
            return Vec::new();
        }
        node.children().filter_map(|node| self.level(node)).collect()
    }

    fn level(&mut self, node: Node<'_>) -> Option<Override> {
        let (mut ids, mut paths, mut level) = (None, None, None);
        let entries = self.table(node, &["ids", "level", "paths"]);
        for key in ["ids", "level"] {
            if node.value() == Value::Map && entries.iter().all(|(name, _)| *name != key) {
                let message = format!("this entry of `lint.levels` has no `{key}`");
                self.fault(location(node), message);
            }
        }
        for (name, node) in entries {
            match name {
                "ids" => {
                    let names = self.list(node, "ids").into_iter();
                    ids = Some(names.filter_map(|(name, span)| self.id(name, span)).collect());
                }
                "paths" => paths = Some(self.globs(node, "paths")),
                _ => level = self.text(node).and_then(|name| self.level_name(name, location(node))),
            }
        }
        Some(Override { ids: ids?, paths, level: level? })
    }

    fn level_name(&mut self, name: &str, span: Range<usize>) -> Option<Level> {
        let level = Level::parse(name);
        if level.is_none() {
            let name = Quoted(name);
            self.fault(span, format!("unknown level `{name}`; the levels are off, warning, error"));
        }
        level
    }

    fn id(&mut self, name: &str, span: Range<usize>) -> Option<Id> {
        let id = Id::parse(name);
        if id.is_none() {
            let instead = Id::instead_of(name);
            self.fault(span, format!("unknown finding `{}`; {instead}", Quoted(name)));
        }
        id
    }

    fn server_kinds(&mut self, server: &str, node: Node<'_>) -> Vec<DeclaredKind> {
        if !is_kind_name(server) {
            let message = format!("`{}` is not the name of a server", Quoted(server));
            self.fault(key_location(node), message);
        }
        if node.value() != Value::Map {
            let message = format!(
                "expected a table: write `[servers.{}]`, and in it `kinds = […]`",
                Quoted(server)
            );
            self.fault(location(node), message);
            return Vec::new();
        }
        let mut kinds = Vec::new();
        for (_, node) in self.table(node, &["kinds"]) {
            for (name, span) in self.list(node, "kinds") {
                if !is_kind_name(name) {
                    let (name, server) = (Quoted(name), Quoted(server));
                    let message = format!(
                        "`{name}` is not a kind of `{server}`: write the part after the colon"
                    );
                    self.fault(span, message);
                } else if let Some(kind) = doubled(server, name) {
                    let message =
                        format!("`{server}:{name}` repeats the registered kind `{}`", kind.name);
                    self.fault(span, message);
                } else {
                    let used = false.into();
                    kinds.push(DeclaredKind { name: name.to_owned(), span, used });
                }
            }
        }
        kinds
    }

    fn globs(&mut self, node: Node<'_>, name: &'static str) -> Vec<PathGlob> {
        let list = self.list(node, name).into_iter();
        let globs = list.filter_map(|(text, span)| {
            let glob = PathGlob::new(self.folder, text, span.clone());
            self.glob(glob, span)
        });
        globs.collect()
    }

    fn glob<G>(&mut self, glob: Result<G, globset::Error>, span: Range<usize>) -> Option<G> {
        glob.map_err(|error| self.fault(span, Escaped(&error.to_string()).to_string())).ok()
    }

    /// A list of strings, each with its location.
    fn list<'d>(&mut self, node: Node<'d>, name: &'static str) -> Vec<(&'d str, Range<usize>)> {
        if node.value() != Value::List {
            let message = match node.value() {
                Value::Text(text) => {
                    format!("expected a list: write `{name} = [\"{}\"]`", Quoted(text))
                }
                value => expected("a list of strings", value),
            };
            self.fault(location(node), message);
            return Vec::new();
        }
        if node.children().next().is_none() {
            self.empty.push((location(node), name));
        }
        let items = node.children().filter_map(|item| Some((self.text(item)?, location(item))));
        items.collect()
    }

    fn text<'d>(&mut self, node: Node<'d>) -> Option<&'d str> {
        match node.value() {
            Value::Text(text) => Some(text),
            value => {
                self.fault(location(node), expected("a string", value));
                None
            }
        }
    }

    /// The entries of a table that has no other keys than these.
    fn table<'d>(
        &mut self,
        node: Node<'d>,
        keys: &[&'static str],
    ) -> Vec<(&'static str, Node<'d>)> {
        let entries = self.entries(node).into_iter();
        let known = entries.filter_map(|(name, node)| {
            let key = keys.iter().find(|key| **key == name);
            if key.is_none() {
                self.fault(key_location(node), unknown_key(name, keys));
            }
            Some((*key?, node))
        });
        known.collect()
    }

    /// The entries of a table.
    fn entries<'d>(&mut self, node: Node<'d>) -> Vec<(&'d str, Node<'d>)> {
        if node.value() != Value::Map {
            self.fault(location(node), expected("a table", node.value()));
            return Vec::new();
        }
        let (mut names, mut entries) = (HashSet::new(), Vec::new());
        for entry in node.children() {
            let name = entry.key().and_then(|key| key.name().ok()).unwrap_or_default();
            if names.insert(name) {
                entries.push((name, entry));
            } else {
                self.fault(key_location(entry), format!("duplicate key `{}`", Quoted(name)));
            }
        }
        entries
    }

    fn fault(&mut self, span: Range<usize>, message: String) {
        self.faults.push((span, message));
    }
}

/// What to write instead of `[lint.levels]`.
fn level_tables(node: Node<'_>) -> String {
    let entry = node.children().find_map(|entry| {
        let id = entry.key()?.name().ok().filter(|name| Id::parse(name).is_some())?;
        let Value::Text(level) = entry.value() else { return None };
        Some((id, Level::parse(level)?))
    });
    let (id, level) = entry.unwrap_or((Id::LegacyKind.as_str(), Level::Off));
    format!(
        "`levels` is a list of tables: write `[[lint.levels]]`, and in it `ids = [\"{id}\"]` and \
         `level = \"{level}\"`"
    )
}

fn expected(what: &str, found: Value<'_>) -> String {
    format!("expected {what}, found {}", found.noun())
}

fn unknown_key(name: &str, keys: &[&str]) -> String {
    let name_text = Quoted(name);
    match suggest_among(name, &keys.iter().copied()) {
        Some(key) => format!("unknown key `{name_text}`; a similar one is `{key}`"),
        None => format!("unknown key `{name_text}`; the keys here are {}", keys.join(", ")),
    }
}

fn location(node: Node<'_>) -> Range<usize> {
    node.span().unwrap_or_else(|| key_location(node))
}

fn key_location(node: Node<'_>) -> Range<usize> {
    node.key().and_then(Key::span).unwrap_or_default()
}
