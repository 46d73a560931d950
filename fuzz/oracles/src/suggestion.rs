//! Suggestions are never unregistered names.

use failure_kinds::{FailureKind, ObservedKind};
use failure_kinds_core::{How, LEGACY, STAGES, suggest, suggest_among};

/// The suggestion for any text is a registered name, the successor of a legacy label, or nothing.
pub fn suggestion(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    if let Some(suggestion) = suggest(text) {
        let name = suggestion.name;
        assert_ne!(name, text);
        if suggestion.how == How::Renamed {
            assert!(LEGACY.iter().any(|legacy| legacy.successor() == Some(name)), "{name}");
        } else {
            assert!(failure_kinds::is_registered(name), "{text:?}: {name}");
        }
    }
    let suggested = suggest(text).map(|suggestion| suggestion.name);
    match text.parse::<FailureKind>() {
        Ok(kind) if kind.is_registered() => assert_eq!(suggested, None),
        Ok(_) => {}
        Err(error) => assert_eq!(error.suggestion(), suggested, "{text:?}"),
    }
    match ObservedKind::new(text) {
        ObservedKind::Unregistered(name) => assert_eq!(name.suggestion(), suggested, "{text:?}"),
        ObservedKind::Legacy(label) => assert_eq!(label.successor(), suggested, "{text:?}"),
        ObservedKind::GateDerived(_) => assert_eq!(suggested, None, "{text:?}"),
        _ => {}
    }
    if let Some(stage) = suggest_among(text, &STAGES.iter().copied()) {
        assert!(STAGES.contains(&stage), "{text:?}: {stage}");
    }
}
