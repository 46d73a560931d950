use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Lifetime<'a> {
    agent: &'a StageClassificationConfig,
}

#[derive(StageOverrides)]
struct Param<T, const N: usize>
where
    T: Clone,
{
    agent: StageClassificationConfig,
    seed: [T; N],
}

#[derive(StageOverrides)]
struct Where
where
    u8: Clone,
{
    agent: StageClassificationConfig,
}

fn main() {}
