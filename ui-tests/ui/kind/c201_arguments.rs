use failure_kinds::failure_kind;

fn main() {
    failure_kind!("judge_failed", "x");
    failure_kind!("judge_failed", kind = 1, "x");
    failure_kind!("judge_failed",,);
    failure_kind!("judge_" "failed");
    failure_kind!("judge_" + "failed");
    failure_kind!(("judge_failed", "x"));
}
