use failure_kinds::{StageClassificationConfig, StageOverrides};

use serde::Serialize;

#[derive(Serialize, StageOverrides)]
#[serde(rename_all = "camelCase")]
struct Env {
    #[serde(rename = "Agent")]
    agent: StageClassificationConfig,
}

fn main() {}
