//! How the environment attributes its failures, stated once in the source.

use failure_kinds::{StageClassificationConfig, StageOverrides};

/// On whose side the failures of the browser environment are.
#[derive(Debug, Clone, PartialEq, StageOverrides)]
#[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"))]
pub(crate) struct BrowserEnv {
    /// The browser is started and the page loaded.
    #[stage(default = "evaluation")]
    seed: StageClassificationConfig,
    /// The episode proper: the model drives the browser.
    #[stage(
        default = "model",
        "browser_env:tab_crashed" = "evaluation",
        "browser_env:captcha_wall" = "evaluation",
        "transport_timeout" = "evaluation"
    )]
    agent: StageClassificationConfig,
}
