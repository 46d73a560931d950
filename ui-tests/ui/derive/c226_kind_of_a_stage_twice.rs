use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Env {
    #[stage("cancelled" = "model", "cancelled" = "evaluation")]
    agent: StageClassificationConfig,
}

fn main() {}
