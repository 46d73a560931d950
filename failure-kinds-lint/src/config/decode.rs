//! Decodes the text of a file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use failure_kinds::ConfigFormat;
use failure_kinds::document::{Document, Key, Node, Value};
use failure_kinds_core::text::Escaped;
use failure_kinds_core::{Quoted, doubled, is_kind_name, suggest_among};

use super::glob::PathGlob;
use super::{DeclaredKind, File, Override, Source};
use crate::error::Error;
use crate::id::{Id, Level};
use crate::paths::normal;

/// More levels than any file of this form has.
const MAX_DEPTH: usize = 16;

/// What is wrong, and where.
type Result<T> = std::result::Result<T, (Range<usize>, String)>;

pub(super) fn file(source: Source) -> std::result::Result<File, Error> {
    let document = Document::parse(&source.text, ConfigFormat::Toml, MAX_DEPTH);
    let decoded = match document.error() {
        Some(error) => Err((error.span.clone(), Escaped(&error.message).to_string())),
        None => decode(&source.path, &document),
    };
    match decoded {
        Ok(file) => Ok(File { source, ..file }),
        Err((span, message)) => Err(Error::new(source.located(span.start, &message))),
    }
}

fn decode(path: &Path, document: &Document) -> Result<File> {
    let folder = path.parent().unwrap_or(path);
    let mut file = File {
        source: Source { path: path.to_owned(), text: String::new() },
        extends: None,
        exclude: Vec::new(),
        keys: None,
        constants: None,
        levels: Vec::new(),
        servers: BTreeMap::new(),
        empty: Vec::new(),
    };
    let Some(root) = document.roots().next() else { return Ok(file) };
    for (name, node) in table(root, &["extend", "lint", "servers"])? {
        match name {
            "extend" => file.extends = Some(normal(&folder.join(text(node)?))),
            "lint" => lint(node, folder, &mut file)?,
            _ => {
                for (server, node) in entries(node)? {
                    let kinds = server_kinds(server, node, &mut file)?;
                    file.servers.insert(server.to_owned(), kinds);
                }
            }
        }
    }
    Ok(file)
}

fn lint(node: Node<'_>, folder: &Path, file: &mut File) -> Result<()> {
    for (name, node) in table(node, &["constants", "exclude", "keys", "levels"])? {
        match name {
            "exclude" => file.exclude = globs(node, "exclude", folder, file)?,
            "keys" => {
                let keys = list(node, "keys", file)?;
                file.keys = Some(keys.into_iter().map(|(key, _)| key.to_owned()).collect());
            }
            "constants" => {
                let globs = list(node, "constants", file)?.into_iter();
                file.constants = Some(globs.map(|(glob, span)| (glob.to_owned(), span)).collect());
            }
            _ => file.levels = levels(node, folder, file)?,
        }
    }
    Ok(())
}

fn levels(node: Node<'_>, folder: &Path, file: &mut File) -> Result<Vec<Override>> {
    if node.value() != Value::List {
        return Err((location(node), level_tables(node)));
    }
    node.children().map(|node| level(node, folder, file)).collect()
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

fn level(node: Node<'_>, folder: &Path, file: &mut File) -> Result<Override> {
    let (mut ids, mut paths, mut level) = (None, None, None);
    for (name, node) in table(node, &["ids", "level", "paths"])? {
        match name {
            "ids" => {
                let names = list(node, "ids", file)?.into_iter();
                ids = Some(names.map(|(name, span)| id(name, span)).collect::<Result<_>>()?);
            }
            "paths" => paths = Some(globs(node, "paths", folder, file)?),
            _ => {
                let name = text(node)?;
                level = Some(Level::parse(name).ok_or_else(|| {
                    let name = Quoted(name);
                    let message =
                        format!("unknown level `{name}`; the levels are off, warning, error");
                    (location(node), message)
                })?);
            }
        }
    }
    let missing =
        |key: &str| (location(node), format!("this entry of `lint.levels` has no `{key}`"));
    Ok(Override {
        ids: ids.ok_or_else(|| missing("ids"))?,
        paths,
        level: level.ok_or_else(|| missing("level"))?,
    })
}

fn id(name: &str, span: Range<usize>) -> Result<Id> {
    Id::parse(name).ok_or_else(|| {
        let instead = Id::instead_of(name);
        (span, format!("unknown finding `{}`; {instead}", Quoted(name)))
    })
}

fn server_kinds(server: &str, node: Node<'_>, file: &mut File) -> Result<Vec<DeclaredKind>> {
    if !is_kind_name(server) {
        let message = format!("`{}` is not the name of a server", Quoted(server));
        return Err((key_location(node), message));
    }
    if node.value() != Value::Map {
        let message =
            format!("expected a table: write `[servers.{server}]`, and in it `kinds = […]`");
        return Err((location(node), message));
    }
    let mut kinds = Vec::new();
    for (_, node) in table(node, &["kinds"])? {
        for (name, span) in list(node, "kinds", file)? {
            if !is_kind_name(name) {
                let name = Quoted(name);
                let message =
                    format!("`{name}` is not a kind of `{server}`: write the part after the colon");
                return Err((span, message));
            }
            if let Some(kind) = doubled(server, name) {
                let message =
                    format!("`{server}:{name}` repeats the registered kind `{}`", kind.name);
                return Err((span, message));
            }
            let used = false.into();
            kinds.push(DeclaredKind { name: name.to_owned(), span, used });
        }
    }
    Ok(kinds)
}

fn globs(
    node: Node<'_>,
    name: &'static str,
    folder: &Path,
    file: &mut File,
) -> Result<Vec<PathGlob>> {
    let glob = |(text, span): (&str, Range<usize>)| {
        PathGlob::new(folder, text, span.clone())
            .map_err(|error| (span, Escaped(&error.to_string()).to_string()))
    };
    list(node, name, file)?.into_iter().map(glob).collect()
}

/// A list of strings, each with its location.
fn list<'d>(
    node: Node<'d>,
    name: &'static str,
    file: &mut File,
) -> Result<Vec<(&'d str, Range<usize>)>> {
    match node.value() {
        Value::List => {}
        Value::Text(text) => {
            let message = format!("expected a list: write `{name} = [\"{}\"]`", Quoted(text));
            return Err((location(node), message));
        }
        value => return Err((location(node), expected("a list of strings", value))),
    }
    let items: Vec<_> =
        node.children().map(|item| Ok((text(item)?, location(item)))).collect::<Result<_>>()?;
    if items.is_empty() {
        file.empty.push((location(node), name));
    }
    Ok(items)
}

fn text(node: Node<'_>) -> Result<&str> {
    match node.value() {
        Value::Text(text) => Ok(text),
        value => Err((location(node), expected("a string", value))),
    }
}

fn expected(what: &str, found: Value<'_>) -> String {
    format!("expected {what}, found {}", found.noun())
}

/// The entries of a table that has no other keys than these.
fn table<'d>(node: Node<'d>, keys: &[&'static str]) -> Result<Vec<(&'static str, Node<'d>)>> {
    let known = |(name, node): (&'d str, Node<'d>)| {
        let key = keys.iter().find(|key| **key == name);
        key.map(|key| (*key, node)).ok_or_else(|| (key_location(node), unknown_key(name, keys)))
    };
    entries(node)?.into_iter().map(known).collect()
}

fn unknown_key(name: &str, keys: &[&str]) -> String {
    let name_text = Quoted(name);
    match suggest_among(name, &keys.iter().copied()) {
        Some(key) => format!("unknown key `{name_text}`; a similar one is `{key}`"),
        None => format!("unknown key `{name_text}`; the keys here are {}", keys.join(", ")),
    }
}

/// The entries of a table.
fn entries(node: Node<'_>) -> Result<Vec<(&str, Node<'_>)>> {
    if node.value() != Value::Map {
        return Err((location(node), expected("a table", node.value())));
    }
    let mut entries: Vec<(&str, Node<'_>)> = Vec::new();
    for entry in node.children() {
        let name = entry.key().and_then(|key| key.name().ok()).unwrap_or_default();
        if entries.iter().any(|(other, _)| *other == name) {
            return Err((key_location(entry), format!("duplicate key `{}`", Quoted(name))));
        }
        entries.push((name, entry));
    }
    Ok(entries)
}

fn location(node: Node<'_>) -> Range<usize> {
    node.span().unwrap_or_else(|| key_location(node))
}

fn key_location(node: Node<'_>) -> Range<usize> {
    node.key().and_then(Key::span).unwrap_or_default()
}
