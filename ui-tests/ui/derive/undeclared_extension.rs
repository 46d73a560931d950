use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"))]
struct Near {
    #[stage("browser_env:tab_crash" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"))]
struct Far {
    #[stage("browser_env:page_gone" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env")]
struct Nothing {
    #[stage("browser_env:page_gone" = "model")]
    agent: StageClassificationConfig,
}

fn main() {}
