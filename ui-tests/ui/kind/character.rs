use failure_kinds::failure_kind;

fn main() {
    failure_kind!("judge_f\u{430}iled");
    failure_kind!("judge_fаiled");
    failure_kind!("judge\u{200b}_failed");
    failure_kind!("judge_failed\0");
    failure_kind!("judge.failed");
    failure_kind!("judge`failed");
    failure_kind!("🔥");
}
