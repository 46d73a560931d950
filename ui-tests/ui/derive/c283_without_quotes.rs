//! An extension without quotes.

use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "desk_env", kinds("lost_window"))]
struct DeskEnv {
    #[stage(desk_env:lost_window = "evaluation", cancelled = "model")]
    agent: StageClassificationConfig,
}

#[derive(StageOverrides)]
#[stage_overrides(server = desk_env, kinds(lost_window))]
struct Unquoted {
    #[stage(default = model)]
    agent: StageClassificationConfig,
}

fn main() {
    let _ = DeskEnv::LOST_WINDOW;
}
