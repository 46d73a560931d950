use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed"))]
struct Env {
    #[stage("terminal_env:tab_crashed" = "model", "browser_env:judge_failed" = "model")]
    agent: StageClassificationConfig,
}

fn main() {}
