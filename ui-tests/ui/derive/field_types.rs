use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Env {
    agent: Option<StageClassificationConfig>,
    #[stage(seed)]
    other: String,
    cleanup: (),
    verification: [StageClassificationConfig; 2],
}

fn main() {}
