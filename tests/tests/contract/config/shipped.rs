//! Classifications that ship beside the default.

use failure_kinds::FailureClass::{Evaluation, Model, Unknown};
use failure_kinds::{Evidence, FailureClassificationConfig, FailureStage, ShippedConfig};

#[test]
fn every_shipped_file_is_read() {
    for shipped in ShippedConfig::ALL {
        let overrides = shipped.overrides();
        assert!(!overrides.is_empty(), "{shipped}");
        FailureClassificationConfig::default().with_overrides(overrides).unwrap();
        assert_eq!(shipped.as_str().parse(), Ok(*shipped));
        assert!(shipped.toml().starts_with(&format!("# {}\n", shipped.summary())), "{shipped}");
    }
}

#[test]
fn nemo_rl_splits_by_status_and_admits_no_stage() {
    let config = FailureClassificationConfig::default()
        .with_overrides(ShippedConfig::NemoRl.overrides())
        .unwrap();
    let failed = Evidence::new().kind("agent_run_error");
    for stage in FailureStage::ALL {
        let failed = failed.stage(*stage).admit_stage();
        for status in 400..=599_u16 {
            let class = config.classify(&failed.http_status(&status)).class;
            let expected = if matches!(status, 408 | 429 | 500..=599) { Evaluation } else { Model };
            assert_eq!(class, expected, "{stage} {status}");
        }
        assert_eq!(config.classify(&failed).class, Unknown, "{stage}");
        for kind in ["agent_timeout", "provider_oom_killed"] {
            assert_eq!(config.classify(&failed.kind(kind)).class, Unknown, "{stage} {kind}");
        }
    }
    // Without a status, the kind decides as in the default.
    assert_eq!(config.classify(&Evidence::new().kind("judge_failed")).class, Evaluation);
}
