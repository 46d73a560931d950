use failure_kinds::failure_kind;

fn main() {
    failure_kind!("judge_faild");
    failure_kind!("failed_judge");
    failure_kind!("judge__failed");
}
