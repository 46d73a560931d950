use failure_kinds::failure_kind;

fn main() {
    assert_eq!(failure_kind!("judge_failed").as_str(), "judge_failed");
}
