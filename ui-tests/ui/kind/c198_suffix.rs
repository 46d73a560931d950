use failure_kinds::failure_kind;

fn main() {
    failure_kind!("judge_failed"x);
    failure_kind!("judge_failed"i32);
    failure_kind!(r"judge_failed"_kind);
}
