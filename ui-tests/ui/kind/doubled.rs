use failure_kinds::failure_kind;

fn main() {
    failure_kind!("my_server:judge_failed");
    failure_kind!("judge:failed");
}
