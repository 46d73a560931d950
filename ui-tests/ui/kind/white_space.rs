use failure_kinds::failure_kind;

fn main() {
    failure_kind!(" judge_failed");
    failure_kind!("judge_failed ");
    failure_kind!("judge_failed\n");
    failure_kind!("judge failed");
    failure_kind!("judge_\tfailed");
    failure_kind!("  ");
    failure_kind!(
        "judge_failed
"
    );
}
