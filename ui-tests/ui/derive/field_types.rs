use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Env {
    agent: Option<StageClassificationConfig>,
    #[stage(seed)]
    other: String,
    cleanup: (),
    verification: [StageClassificationConfig; 2],
}

type Alias = StageClassificationConfig;
use failure_kinds::StageClassificationConfig as Renamed;

#[derive(StageOverrides)]
struct OtherNames {
    agent: Alias,
    seed: Renamed,
}

fn main() {}
