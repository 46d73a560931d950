//! Classification without `std`.

use failure_kinds::FailureStage;
use failure_kinds_bare::classify::{line, quota_is_back};

#[test]
fn a_failure_is_put_on_a_side() {
    let line = |kind, stage, status| line(kind, stage, status).map_err(|error| error.to_string());
    assert_eq!(
        line("provider_oom_killed", FailureStage::Agent, 503),
        Ok("provider_oom_killed model (stage agent: provider_oom_killed)".into())
    );
    assert_eq!(
        line("my_server:odd_case", FailureStage::Agent, 429),
        Ok("my_server:odd_case evaluation (http evidence http_rate_limited)".into())
    );
    let refused = line("oom_killed", FailureStage::Agent, 503).unwrap_err();
    assert!(refused.contains("write `provider_oom_killed`"), "{refused}");
}

#[test]
fn c220_a_quota_has_a_reset_time() {
    assert_eq!(quota_is_back("spent; resets at 2026-10-12 05:00 UTC"), Some(1_791_781_200));
}
