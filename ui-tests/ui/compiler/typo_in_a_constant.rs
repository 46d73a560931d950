use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed"))]
struct Env {
    agent: StageClassificationConfig,
}

fn main() {
    let _ = Env::TAB_CRASHD;
}
