use failure_kinds::{FailureKind, failure_kind};

const CONST: FailureKind = failure_kind!("judge_faild");
static STATIC: [FailureKind; 2] = [failure_kind!("judge_faild"), failure_kind!("shutdown")];

struct Row {
    kind: FailureKind,
}

trait Emits {
    const KIND: FailureKind = failure_kind!("judge_faild");

    fn kind(&self) -> FailureKind {
        failure_kind!("judge_faild")
    }
}

fn uncalled<T>(_: T) -> FailureKind {
    failure_kind!("judge_faild")
}

fn pattern(kind: &FailureKind) -> bool {
    match *kind {
        failure_kind!("judge_faild") | failure_kind!("shutdown") => true,
        CONST => false,
        _ => matches!(kind, failure_kind!("judge_faild")),
    }
}

async fn later() -> FailureKind {
    async { failure_kind!("judge_faild") }.await
}

fn main() {
    assert_eq!(failure_kind!("judge_faild"), STATIC[0]);
    let inferred = failure_kind!("judge_faild");
    println!("{inferred} {}", failure_kind!("judge_faild").as_str());
    let row = Row { kind: failure_kind!("judge_faild") };
    let closure = || failure_kind!("judge_faild");
    let kinds = vec![row.kind, closure(), failure_kind!("judge_faild")];
    if let Some(failure_kind!("judge_faild")) = kinds.first().cloned() {}
    failure_kind!["judge_faild"];
    failure_kind! { "judge_faild" }
}
