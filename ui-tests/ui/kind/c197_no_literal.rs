use failure_kinds::failure_kind;

const K: &str = "judge_failed";

fn main() {
    failure_kind!(K);
    failure_kind!(judge_failed);
    failure_kind!(self.kind);
    failure_kind!(failure_kinds::kinds::JUDGE_FAILED);
    failure_kind!(&K);
    failure_kind!(concat!("judge", "_failed"));
    failure_kind!(["judge_failed"]);
    failure_kind!({ "judge_failed" });
    failure_kind!(,);
    failure_kind!(-1);
}
