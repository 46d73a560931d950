//! Classes that an acceptance gate derives from saved rows. No producer emits one.

use crate::Class;

/// One gate-derived class.
#[derive(Debug)]
pub struct GateDerived {
    /// The name, as an acceptance gate writes it.
    pub name: &'static str,
    /// Its side in saved rows, if it decides one.
    pub class: Option<Class>,
    /// What the gate saw, in one sentence.
    pub summary: &'static str,
}

const fn row(name: &'static str, class: Option<Class>, summary: &'static str) -> GateDerived {
    GateDerived { name, class, summary }
}

/// Every gate-derived class.
pub static GATE_DERIVED: [GateDerived; 8] = [
    row("answer_cut_off", Some(Class::Model), "The answer ends in the middle."),
    row("answer_incomplete", Some(Class::Model), "The answer is marked as not complete."),
    row("answer_empty", Some(Class::Model), "The answer is there, but it is empty."),
    row(
        "context_window_exceeded",
        Some(Class::Model),
        "The conversation outgrew the model's context window.",
    ),
    row("final_request_failed", None, "The last model request of the episode failed."),
    row("judge_reply_cut_off", Some(Class::Evaluation), "The judge's reply ends in the middle."),
    row(
        "grading_sandbox_failed",
        Some(Class::Evaluation),
        "The sandbox that graded the answer failed.",
    ),
    row("grading_unrecorded", Some(Class::Evaluation), "No record says how the answer was graded."),
];

/// The gate-derived class of exactly this name.
#[must_use]
pub fn gate_derived(name: &str) -> Option<&'static GateDerived> {
    GATE_DERIVED.iter().find(|class| class.name == name)
}
