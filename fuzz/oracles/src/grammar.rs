//! The grammar of names and the state of a text, compared with a naive implementation.

use failure_kinds::{FAILURE_KINDS, FailureKind, GATE_DERIVED_KINDS, ObservedKind};
use failure_kinds_core::{LEGACY, check_producer, is_kind_name, split_extension};

use crate::assert_printable;

/// Any text is a registered name, an extension or neither, and says which.
pub fn grammar(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let parts: Vec<&str> = text.split(':').collect();
    let well_formed = parts.iter().all(|part| is_name(part));
    assert_eq!(is_kind_name(text), well_formed && parts.len() == 1, "{text:?}");
    let extension = match parts[..] {
        [server, name] if well_formed => Some((server, name)),
        _ => None,
    };
    assert_eq!(split_extension(text), extension, "{text:?}");
    assert_eq!(failure_kinds::is_namespaced(text), extension.is_some(), "{text:?}");

    let registered = FAILURE_KINDS.iter().any(|kind| kind.as_str() == text);
    assert_eq!(failure_kinds::is_registered(text), registered, "{text:?}");
    match text.parse::<FailureKind>() {
        Ok(kind) => {
            assert!(registered || extension.is_some(), "{text:?}");
            assert_eq!((kind.as_str(), kind.is_registered()), (text, registered));
            assert_eq!(kind.server().zip(Some(kind.name())), extension);
        }
        Err(error) => {
            assert!(!registered && extension.is_none(), "{text:?}");
            assert_printable(&error.to_string());
        }
    }

    let doubles = |(server, name): (&str, &str)| {
        let joined = format!("{server}_{name}");
        FAILURE_KINDS.iter().any(|kind| *kind == *name || *kind == *joined)
    };
    let produced = registered || extension.is_some_and(|parts| !doubles(parts));
    assert_eq!(check_producer(text).is_ok(), produced, "{text:?}");

    let observed = ObservedKind::new(text);
    assert_eq!(observed.as_str(), text);
    let registry = if registered {
        "registered"
    } else if extension.is_some() {
        "extension"
    } else if LEGACY.iter().any(|legacy| legacy.label == text) {
        "legacy"
    } else if GATE_DERIVED_KINDS.contains(&text) {
        "gate_derived"
    } else {
        "unregistered"
    };
    assert_eq!(observed.registry(), registry, "{text:?}");
    let label = match registry {
        "registered" => text,
        "extension" => "extension",
        _ => "unregistered",
    };
    assert_eq!(observed.metric_label(), label, "{text:?}");
}

/// `[a-z][a-z0-9_]*`
fn is_name(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_lowercase())
        && text.chars().all(|char| matches!(char, 'a'..='z' | '0'..='9' | '_'))
}
