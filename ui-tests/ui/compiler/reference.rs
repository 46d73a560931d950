// A registered kind is a pattern for a place: write `match *kind`.
use failure_kinds::{FailureKind, failure_kind};

fn is_judge(kind: &FailureKind) -> bool {
    match kind {
        failure_kind!("judge_failed") => true,
        _ => false,
    }
}

fn main() {
    is_judge(&failure_kind!("shutdown"));
}
