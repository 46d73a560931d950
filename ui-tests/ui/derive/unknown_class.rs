use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Env {
    #[stage(default = "modle", "cancelled" = "environment", "shutdown" = "")]
    agent: StageClassificationConfig,
}

fn main() {}
