use failure_kinds::{
    FailureClass, has_evaluation_default, is_gate_derived, is_namespaced, is_provider_kind,
    is_registered, is_rejudged, is_server_subcategory,
};

#[test]
fn predicates_look_at_the_given_name_only() {
    assert!(is_rejudged("judge_invalid") && !is_registered("judge_invalid"));
    // The successor of `oom_killed` is a provider kind; the label itself is not.
    assert!(!is_provider_kind("oom_killed"));
    assert!(!has_evaluation_default("judge_invalid"));
    assert!(has_evaluation_default("judge_failed"));
    assert!(!has_evaluation_default("provider_oom_killed"));
    assert!(!has_evaluation_default("agent_command_not_allowed"));
    assert!(!has_evaluation_default("judge_reply_cut_off"));
    assert!(is_gate_derived("answer_empty") && !is_gate_derived("answer_empty "));
    assert!(is_namespaced("my_server:judge_failed") && !is_registered("my_server:judge_failed"));
}

#[test]
fn the_server_subcategory_never_decides_a_class() {
    assert!(is_server_subcategory(FailureClass::Evaluation, "provider_oom_killed"));
    assert!(!is_server_subcategory(FailureClass::Model, "provider_oom_killed"));
    assert!(!is_server_subcategory(FailureClass::Unknown, "session_lost"));
    assert!(!is_server_subcategory(FailureClass::Evaluation, "judge_failed"));
    assert!(!is_server_subcategory(FailureClass::Evaluation, "my_server:session_lost"));
}
