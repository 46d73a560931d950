use failure_kinds::failure_kind;

fn main() {
    failure_kind!("policy_failed");
    failure_kind!("judge_broken");
}
