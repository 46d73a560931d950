// The compiler's lexer reports these, and the derive adds nothing.
use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(server = "browser\_env", kinds("tab_crashed", "captcha\_wall", b'judge'))]
struct Env {
    #[stage(default = "mo\del", "browser_env:tab_crashed" = "model", "shut\down" = "model")]
    agent: StageClassificationConfig,
    #[stage("s\eed")]
    other: StageClassificationConfig,
}

fn main() {
    let env = Env::default().with_overrides(EnvOverrides::default());
    let _ = (Env::TAB_CRASHED, env.unwrap().other);
}
