//! What holds for any bytes at all, each as a function that panics where it does not.
//!
//! The fuzz targets of `fuzz/` call them, and a test replays the inputs that are kept there. No
//! part of the interface: it is there only where fuzzing is compiled.

#![allow(clippy::missing_panics_doc, reason = "what does not hold panics")]

mod grammar;
#[cfg(feature = "triage")]
mod quota;
mod suggestion;

pub use self::grammar::grammar;
#[cfg(feature = "triage")]
pub use self::quota::quota;
pub use self::suggestion::suggestion;
pub use crate::config::fuzzing::config;

/// No character that a terminal acts on, but for newlines.
#[track_caller]
pub(crate) fn assert_printable(text: &str) {
    let control = text.chars().find(|char| char.is_control() && *char != '\n');
    assert_eq!(control, None, "{text:?}");
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// Judges every input that is kept for a target.
    fn replay(target: &str, judge: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
        let mut inputs: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "nothing is kept for {target}");
        for input in inputs {
            // Shown with the failure of a test that stops here.
            println!("{}", input.display());
            judge(&fs::read(input).unwrap());
        }
    }

    macro_rules! replay {
        ($($target:ident)*) => {$(
            #[test]
            fn $target() {
                replay(stringify!($target), super::$target);
            }
        )*};
    }

    replay! { config grammar suggestion }
    #[cfg(feature = "triage")]
    replay! { quota }
}
