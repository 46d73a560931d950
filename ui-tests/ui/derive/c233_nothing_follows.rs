use failure_kinds::{StageClassificationConfig, StageOverrides};

// Each struct uses what its invalid attribute would declare, which is not reported again.

#[derive(StageOverrides)]
#[stage_overrides(sever = "browser_env", kinds("tab_crashed"))]
struct KeyMisspelt {
    #[stage("browser_env:tab_crashed" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kind("tab_crashed"))]
struct KindsMisspelt {
    #[stage("browser_env:tab_crashed" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = 5, kinds("tab_crashed"))]
struct ServerMalformed {
    #[stage("browser_env:tab_crashed" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed" 5, "captcha_wall"x))]
struct KindMalformed {
    #[stage("browser_env:tab_crashed" = "model", "browser_env:captcha_wall" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env", kinds = ["tab_crashed"])]
struct KindsMalformed {
    #[stage("browser_env:tab_crashed" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = "browser_env" kinds("tab-crashed"))]
struct CommaMissing {
    #[stage("browser_env:tab_crashed" = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(crate = failure_kinds)]
struct Fields {
    #[stage(seed default = "model")]
    first: StageClassificationConfig,
    #[stage("agent", default = "model")]
    second: StageClassificationConfig,
    #[stage(stage = "cleanup")]
    third: StageClassificationConfig,
    #[stage(5)]
    fourth: StageClassificationConfig,
}

fn main() {
    let _ = (KeyMisspelt::TAB_CRASHED, KindsMisspelt::TAB_CRASHED, ServerMalformed::TAB_CRASHED);
    let _ = (KindMalformed::TAB_CRASHED, KindsMalformed::TAB_CRASHED, CommaMissing::TAB_CRASHED);
    let _ = (Fields::STAGES, FieldsOverrides::default().first);
}
