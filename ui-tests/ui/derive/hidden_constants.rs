use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("server", "stages", "kinds"))]
struct Env {
    agent: StageClassificationConfig,
}

fn main() {}
