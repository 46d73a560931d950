use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", server = "other", kinds("a"), kinds("b"))]
#[stage_overrides(crate = "failure_kinds", crate = "failure_kinds")]
struct Env {
    #[stage(default = "model")]
    #[stage(default = "evaluation")]
    agent: StageClassificationConfig,
}

fn main() {}
