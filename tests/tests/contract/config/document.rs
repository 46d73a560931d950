//! The tree of JSON, TOML and YAML, compared with other readers of the same texts.

use std::collections::BTreeMap;

use failure_kinds::ConfigFormat;
use failure_kinds::document::{Document, Key, Node, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A value as another reader returns it, as far as the tree keeps it.
#[derive(Debug, PartialEq)]
enum Plain {
    Null,
    Boolean,
    Number,
    Text(String),
    List(Vec<Plain>),
    Map(BTreeMap<String, Plain>),
}

/// The value of a node; `None` if a map has a duplicate key.
fn plain(node: Node<'_>) -> Option<Plain> {
    Some(match node.target().value() {
        Value::Null => Plain::Null,
        Value::Boolean => Plain::Boolean,
        Value::Number => Plain::Number,
        Value::Text(text) => Plain::Text(text.to_owned()),
        Value::List => Plain::List(node.target().children().map(plain).collect::<Option<_>>()?),
        Value::Map => {
            let mut map = BTreeMap::new();
            for child in node.target().children() {
                let name = child.key().unwrap().name().unwrap().to_owned();
                if map.insert(name, plain(child)?).is_some() {
                    return None;
                }
            }
            Plain::Map(map)
        }
        other => panic!("{other:?}"),
    })
}

/// The one value of a text; `None` if it is not valid.
fn read(text: &str, format: ConfigFormat) -> Option<Plain> {
    let document = Document::parse(text, format, 64);
    for node in document.roots() {
        assert!(node.parent().is_none());
    }
    if document.error().is_some() {
        return None;
    }
    let mut roots = document.roots();
    let root = roots.next().expect("a root");
    assert!(roots.next().is_none());
    plain(root)
}

fn of_toml(value: toml::Value) -> Plain {
    match value {
        toml::Value::String(text) => Plain::Text(text),
        toml::Value::Integer(_) | toml::Value::Float(_) => Plain::Number,
        toml::Value::Boolean(_) => Plain::Boolean,
        toml::Value::Datetime(_) => panic!("not generated"),
        toml::Value::Array(items) => Plain::List(items.into_iter().map(of_toml).collect()),
        toml::Value::Table(table) => {
            Plain::Map(table.into_iter().map(|(key, value)| (key, of_toml(value))).collect())
        }
    }
}

fn of_json(value: serde_json::Value) -> Plain {
    match value {
        serde_json::Value::Null => Plain::Null,
        serde_json::Value::Bool(_) => Plain::Boolean,
        serde_json::Value::Number(_) => Plain::Number,
        serde_json::Value::String(text) => Plain::Text(text),
        serde_json::Value::Array(items) => Plain::List(items.into_iter().map(of_json).collect()),
        serde_json::Value::Object(map) => {
            Plain::Map(map.into_iter().map(|(key, value)| (key, of_json(value))).collect())
        }
    }
}

/// A path of one to three keys from a small set, so that they often meet.
fn path() -> impl Strategy<Value = String> {
    vec(select(&["a", "b", "\"a\"", "'c d'"][..]), 1..4).prop_map(|keys| keys.join("."))
}

fn toml_line() -> impl Strategy<Value = String> {
    let value =
        select(&["1", "\"x\"", "true", "[]", "{}", "{ a = 1, b.c = 2 }", "[{ a = 1 }, 2]"][..]);
    prop_oneof![
        (path(), value).prop_map(|(path, value)| format!("{path} = {value}")),
        path().prop_map(|path| format!("[{path}]")),
        path().prop_map(|path| format!("[[{path}]]")),
    ]
}

fn json_token() -> impl Strategy<Value = &'static str> {
    select(
        &[
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"b\\u0041\"",
            "1",
            "-0.5e-3",
            "null",
            "true",
            " ",
        ][..],
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn toml_that_is_accepted_is_read_as_by_its_own_crate(lines in vec(toml_line(), 1..6)) {
        let text = lines.join("\n");
        let expected = text.parse::<toml::Table>().ok();
        let expected = expected.map(|table| of_toml(toml::Value::Table(table)));
        let read = read(&text, ConfigFormat::Toml);
        // The crate lets dotted keys reach into an array of tables, which TOML forbids.
        let is_stricter = read.is_none() && text.contains("[[");
        prop_assert!(is_stricter || read == expected, "{}", text);
    }

    #[test]
    fn json_is_accepted_and_read_as_by_serde_json(tokens in vec(json_token(), 1..10)) {
        let text = tokens.concat();
        let read = read(&text, ConfigFormat::Json);
        match serde_json::from_str(&text) {
            // Serde takes the last of duplicate keys.
            Ok(value) => prop_assert!(read.is_none() || read == Some(of_json(value)), "{}", text),
            Err(_) => prop_assert_eq!(read, None, "{}", text),
        }
    }

    #[test]
    fn yaml_reads_json_as_json_is_read(tokens in vec(json_token(), 1..10)) {
        let text = tokens.concat();
        if let Some(json) = read(&text, ConfigFormat::Json) {
            prop_assert_eq!(read(&text, ConfigFormat::Yaml), Some(json), "{}", text);
        }
    }
}

/// The source of every key and value, in order.
fn sources(text: &str, format: ConfigFormat) -> Vec<String> {
    let document = Document::parse(text, format, 64);
    let mut open: Vec<_> = document.roots().collect();
    let mut sources = Vec::new();
    while let Some(node) = open.pop() {
        let key = node.key().and_then(Key::span).map(|span| format!("{}=", &text[span]));
        let value = node.span().map(|span| text[span].to_owned());
        sources.push(key.unwrap_or_default() + &value.unwrap_or_default());
        let first = open.len();
        open.extend(node.children());
        open[first..].reverse();
    }
    sources
}

#[test]
fn keys_and_values_have_their_locations() {
    assert_eq!(
        sources(" {\"a\" : [1, \"x\\n\"],\n\"b\":{}} ", ConfigFormat::Json),
        ["{\"a\" : [1, \"x\\n\"],\n\"b\":{}}", "\"a\"=[1, \"x\\n\"]", "1", "\"x\\n\"", "\"b\"={}"]
    );
    assert_eq!(
        sources("a.b = 'x' # c\n[t]\n\"k\" = [1, { z = 2 }]\n", ConfigFormat::Toml),
        ["", "a=a", "b='x'", "t=[t]", "\"k\"=[1, { z = 2 }]", "1", "{ z = 2 }", "z=2"]
    );
    assert_eq!(
        sources("a: &x [1, 'y']\nb: *x\n", ConfigFormat::Yaml)[1..],
        ["a=[1, 'y']", "1", "'y'", "b=*x"]
    );
}

#[test]
fn comments_are_kept_and_a_broken_text_gives_what_was_read() {
    let comments = |text: &str, format| -> Vec<String> {
        let document = Document::parse(text, format, 64);
        document.comments().iter().map(|comment| comment.text.clone()).collect()
    };
    assert_eq!(comments("a = '# no' # yes\n# also\n", ConfigFormat::Toml), [" yes", " also"]);
    assert_eq!(comments("a: '# no' # yes\n# also\n", ConfigFormat::Yaml), [" yes", " also"]);

    let document = Document::parse("a = \nb = 1\n", ConfigFormat::Toml, 64);
    assert_eq!(document.error().map(|error| error.span.start), Some(4));
    let keys = document.roots().next().unwrap().children();
    assert!(keys.filter_map(|node| node.key()?.name().ok()).any(|name| name == "b"));
}

#[test]
fn depth_is_limited_for_every_format() {
    for (format, deep) in [
        (ConfigFormat::Json, "[[[[]]]]"),
        (ConfigFormat::Toml, "a = [[[]]]"),
        (ConfigFormat::Toml, "a.b.c.d = 1"),
        (ConfigFormat::Toml, "[a.b.c]"),
        (ConfigFormat::Yaml, "[[[[]]]]"),
    ] {
        let depth = |max| Document::parse(deep, format, max).error().map(|error| error.too_deep);
        assert_eq!((depth(3), depth(4)), (Some(true), None), "{deep}");
    }
    // No stack grows with the depth of JSON.
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    assert!(Document::parse(&deep, ConfigFormat::Json, usize::MAX).error().is_none());
}
