// An extension is not a pattern: compare it with `==`.
use failure_kinds::{FailureKind, failure_kind};

fn is_ours(kind: &FailureKind) -> bool {
    matches!(*kind, failure_kind!("my_server:odd_case"))
}

fn main() {
    is_ours(&failure_kind!("shutdown"));
}
