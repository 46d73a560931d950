use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Env {
    #[stage(
        "judge_faild" = "model",
        "policy_failed" = "model",
        "answer_cut_off" = "model",
        "timeout_exceeded" = "model",
        "timeout" = "model",
        "JudgeFailed" = "model",
        "" = "model",
    )]
    agent: StageClassificationConfig,
}

fn main() {}
