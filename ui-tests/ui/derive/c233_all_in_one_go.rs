use failure_kinds::{StageClassificationConfig, StageOverrides};

// Only the faults of the item itself are reported, although everything is used.
#[derive(Debug, Clone, PartialEq, StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed", "judge_failed"))]
pub struct Env {
    #[stage(default = "modle", "browser_env:tab_crash" = "evaluation")]
    agent: StageClassificationConfig,
    verifcation: StageClassificationConfig,
    retries: u32,
}

fn uses() {
    let env = Env::default();
    let overrides = EnvOverrides { agent: None, ..Default::default() };
    let _ = (Env::TAB_CRASHED, Env::JUDGE_FAILED, Env::STAGES, Env::KINDS, Env::SERVER);
    let env = env.with_overrides(overrides).unwrap();
    let _ = env.classification(&Default::default());
    let _ = (env.agent, env.verifcation, env.retries);
}

fn main() {
    uses();
}
