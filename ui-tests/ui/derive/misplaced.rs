use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage(default = "model")]
struct Env {
    #[stage_overrides(server = "browser_env")]
    agent: StageClassificationConfig,
}

fn main() {}
