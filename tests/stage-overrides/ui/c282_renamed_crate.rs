//! The crate has another name in `Cargo.toml`, and the attribute does not give it.

use fk::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "desk_env", kinds("lost_window"))]
struct DeskEnv {
    #[stage(default = "model", "desk_env:lost_window" = "evaluation")]
    agent: StageClassificationConfig,
}

fn main() {
    let env = DeskEnv::default();
    let _ = (env.agent, DeskEnv::LOST_WINDOW, DeskEnvOverrides::default());
}
