use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Near {
    agnt: StageClassificationConfig,
}

#[derive(StageOverrides)]
struct Far {
    grading: StageClassificationConfig,
}

#[derive(StageOverrides)]
struct Named {
    #[stage(verifcation, default = "model")]
    second: StageClassificationConfig,
}

fn main() {}
