use failure_kinds::{FailureKind, failure_kind};

const JUDGE: FailureKind = failure_kind!("judge_faild");

fn main() {}
