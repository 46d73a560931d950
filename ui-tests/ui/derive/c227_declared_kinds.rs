use failure_kinds::{StageClassificationConfig, StageOverrides};

#[derive(StageOverrides)]
#[stage_overrides(
    server = "judge",
    kinds(
        "tab_crashed",
        "tab_crashed",
        "judge_failed",
        "failed",
        "tab-crashed",
        "Tab",
        "",
        "2nd_tab",
        "judge:tab_lost",
        "browser_env:tab_lost",
        "t\u{430}b",
    )
)]
struct Env {
    agent: StageClassificationConfig,
}

fn main() {}
