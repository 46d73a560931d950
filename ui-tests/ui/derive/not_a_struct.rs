use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
struct Tuple(StageClassificationConfig);

#[derive(StageOverrides)]
struct Unit;

#[derive(StageOverrides)]
enum Enum {
    Agent(StageClassificationConfig),
}

#[derive(StageOverrides)]
union Union {
    agent: std::mem::ManuallyDrop<StageClassificationConfig>,
}

// The items are emitted anyway, so that their uses are not errors.
fn uses() {
    let _ = (Tuple::default(), Unit::default(), Enum::default(), Union::default());
    let _ = (TupleOverrides {}, UnitOverrides {}, EnumOverrides {}, UnionOverrides {});
}

fn main() {
    uses();
}
