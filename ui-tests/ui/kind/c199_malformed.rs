// The compiler's lexer reports these, and the macro adds nothing.
use failure_kinds::{FailureKind, failure_kind};

const CONST: FailureKind = failure_kind!("judge\_failed");

macro_rules! literal {
    ($name:literal) => {
        failure_kind!($name)
    };
}

fn pattern(kind: &FailureKind) -> bool {
    match *kind {
        failure_kind!('judge_failed') => true,
        _ => matches!(*kind, failure_kind!("judge\u{d800}")),
    }
}

fn main() {
    let inferred = failure_kind!(b'judge');
    println!("{inferred} {}", failure_kind!("judge\x80").as_str());
    assert_eq!(failure_kind!(b"jüdge"), CONST);
    failure_kind!(c"judge\0").as_str();
    literal!("\q").as_str();
    pattern(&CONST);
}
