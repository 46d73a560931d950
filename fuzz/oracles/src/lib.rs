//! What must be true for any bytes. The functions panic if it is not.
//!
//! The targets in `fuzz/targets` call them, and the tests here replay the inputs in `fuzz/seeds`.

#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a wrong result panics")]

mod config;
mod grammar;
mod json;
mod lint;
mod quota;
mod rows;
mod skipper;
mod suggestion;

pub use self::config::config;
pub use self::grammar::grammar;
pub use self::lint::lint;
pub use self::quota::quota;
pub use self::rows::rows;
pub use self::skipper::skipper;
pub use self::suggestion::suggestion;

/// No character that a terminal acts on, except newlines.
#[track_caller]
fn assert_printable(text: &str) {
    let printable = |char: char| char == '\n' || failure_kinds_core::text::is_printable(char);
    assert_eq!(text.chars().find(|&char| !printable(char)), None, "{text:?}");
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// Checks every seed of a target.
    fn replay(target: &str, check: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds").join(target);
        let mut inputs: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "no seeds for {target}");
        for input in inputs {
            // Shown if the test fails here.
            println!("{}", input.display());
            check(&fs::read(input).unwrap());
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

    replay! { config grammar lint quota rows skipper suggestion }
}
