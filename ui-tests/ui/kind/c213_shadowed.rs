mod core {}
mod failure_kinds {}
mod std {}
struct FailureKind;

fn main() {
    ::failure_kinds::failure_kind!("judge_faild");
}
