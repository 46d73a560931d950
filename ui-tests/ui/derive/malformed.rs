use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server, kinds = "a", crate = "a b", 5)]
#[stage_overrides]
struct Env {
    #[stage(default = Model, "cancelled", "shutdown" = 5, "kill_shaped"x = "model", default "x")]
    agent: StageClassificationConfig,
    #[stage = "seed"]
    seed: StageClassificationConfig,
    #[stage("cancelled" = "model" "shutdown" = "model", b"x" = "model")]
    cleanup: StageClassificationConfig,
}

fn main() {}
