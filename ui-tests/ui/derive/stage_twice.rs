use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Env {
    agent: StageClassificationConfig,
    #[stage(agent)]
    other: StageClassificationConfig,
}

#[derive(StageOverrides)]
struct TwoNames {
    #[stage(agent, seed)]
    agent: StageClassificationConfig,
}

fn main() {}
