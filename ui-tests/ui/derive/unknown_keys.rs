use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(sever = "browser_env", kind("tab_crashed"), name = "x")]
struct Env {
    #[stage(defualt = "model", agent_timeout = "model", class = "model")]
    agent: StageClassificationConfig,
}

fn main() {}
