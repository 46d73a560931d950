use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(kinds("tab_crashed"))]
struct Declares {
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
struct Uses {
    #[stage("browser_env:tab_crashed" = "model")]
    agent: StageClassificationConfig,
}

fn main() {}
