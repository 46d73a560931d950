//! Seeded failures to classify, and a large configuration.

use failure_kinds::{
    Evidence, FAILURE_KINDS, FailureClass, FailureClassificationConfig, FailureKind, FailureStage,
    HttpStatusKey,
};

/// The number of failures: more than a branch predictor learns.
pub const EVENTS: usize = 16_384;

/// Mostly registered names, some extensions, legacy labels and unknown names, as in rows; half of them
/// with a stage, half with a status.
#[must_use]
pub fn events() -> Vec<Evidence<'static>> {
    const OTHERS: [&str; 4] = ["env_3:kind_5", "env_30:kind_1", "timeout_exceeded", "judge_faild"];
    let mut random = fastrand::Rng::with_seed(11);
    std::iter::repeat_with(|| {
        let registered = random.choice(FAILURE_KINDS).map_or("", FailureKind::as_str);
        let others = random.choice(OTHERS).unwrap_or_default();
        let mut evidence =
            Evidence::new().kind(if random.u8(..4) > 0 { registered } else { others });
        if let Some(stage) = random.choice(FailureStage::ALL).filter(|_| random.bool()) {
            evidence = evidence.stage(*stage);
            evidence = if random.bool() { evidence.admit_stage() } else { evidence };
        }
        if random.bool() {
            evidence = evidence.http_status(&i64::from(random.u16(400..600)));
        }
        evidence
    })
    .take(EVENTS)
    .collect()
}

/// A configuration with 200 entries in addition to the default: statuses, kinds, and kinds of each
/// stage.
///
/// # Panics
///
/// Never: its names are well-formed.
#[must_use]
pub fn large_config() -> FailureClassificationConfig {
    let mut config = FailureClassificationConfig::default();
    for status in 400..440 {
        let key = HttpStatusKey::exact(status).expect("a status");
        config.set_http_status(key, FailureClass::Evaluation);
    }
    for number in 0..160 {
        let (server, kind) = (number / 4, number % 4);
        let name = format!("env_{server}:kind_{kind}");
        let kind = FailureKind::try_from(name).expect("a well-formed extension");
        match FailureStage::ALL.get(server % (FailureStage::ALL.len() + 1)) {
            Some(stage) => {
                config.stage_mut(*stage).set_kind(kind, FailureClass::Model);
            }
            None => {
                config.set_kind(kind, FailureClass::Model);
            }
        }
    }
    config
}
