use failure_kinds::failure_kind;

fn main() {
    failure_kind!("JudgeFailed");
    failure_kind!("judge-failed");
    failure_kind!("JUDGE_FAILED");
    failure_kind!("PolicyFailed");
    failure_kind!("TimeoutExceeded");
    failure_kind!("Timeout");
    failure_kind!("AnswerEmpty");
}
