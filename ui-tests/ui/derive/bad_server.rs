use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "Browser-Env", kinds("tab_crashed"))]
struct Env {
    #[stage("browser_env:tab_crashed" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = "")]
struct Empty {
    agent: StageClassificationConfig,
}

fn main() {}
