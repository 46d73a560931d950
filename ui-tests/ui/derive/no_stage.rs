use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Env {
    port: u16,
    agent: StageClassificationConfig,
    name: String,
}

fn main() {}
