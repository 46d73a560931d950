use failure_kinds_core::Class;

use crate::closed::closed_set;

/// The side that a report puts a failure on.
///
/// A configurable label and nothing more: no class implies an action, and none is a verdict on
/// anyone's health.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FailureClass {
    /// The model or its policy.
    Model,
    /// The machinery that runs and grades it.
    Evaluation,
    /// Not settled by the evidence.
    Unknown,
}

impl FailureClass {
    /// Every class.
    pub const ALL: &[Self] = &[Self::Model, Self::Evaluation, Self::Unknown];

    /// The word in files and reports: `model`, `evaluation` or `unknown`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Model => Class::Model.as_str(),
            Self::Evaluation => Class::Evaluation.as_str(),
            Self::Unknown => Class::Unknown.as_str(),
        }
    }

    pub(crate) const fn of(class: Class) -> Self {
        match class {
            Class::Model => Self::Model,
            Class::Evaluation => Self::Evaluation,
            Class::Unknown => Self::Unknown,
        }
    }
}

closed_set!(FailureClass, ClassError, "class", "classes");
