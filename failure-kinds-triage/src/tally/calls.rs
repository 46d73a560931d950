//! The model calls that attempts ended on.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::number;
use crate::captures::{FailedCall, LastCall};

/// What is known of the last model call of an attempt, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct CallId(u32);

impl CallId {
    const UNOBSERVED: Self = Self(0);
    const SUCCEEDED: Self = Self(1);
    /// The number of the first failed call.
    const FAILED: usize = 2;

    pub(crate) fn is_observed(self) -> bool {
        self != Self::UNOBSERVED
    }

    /// The place among the failed calls.
    pub(super) const fn failed(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Self::FAILED)
    }
}

/// The distinct failed last calls. Unlike names there are few of them.
#[derive(Clone, Debug, Default)]
pub(super) struct FailedCalls {
    pub(super) list: Vec<FailedCall>,
    numbers: HashMap<FailedCall, CallId, RandomState>,
}

impl FailedCalls {
    pub(super) fn number(&mut self, last: &LastCall) -> CallId {
        match last {
            LastCall::Unobserved => CallId::UNOBSERVED,
            LastCall::Succeeded => CallId::SUCCEEDED,
            LastCall::Failed(call) => self.insert(call),
        }
    }

    fn insert(&mut self, call: &FailedCall) -> CallId {
        if let Some(known) = self.numbers.get(call) {
            return *known;
        }
        let new = CallId(number(self.list.len() + CallId::FAILED));
        self.list.push(call.clone());
        self.numbers.insert(call.clone(), new);
        new
    }

    /// Takes over other calls; returns their numbers here.
    pub(super) fn merge(&mut self, other: &Self) -> Vec<CallId> {
        other.list.iter().map(|call| self.insert(call)).collect()
    }
}

impl Serialize for FailedCalls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FailedCalls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut calls = Self::default();
        for call in Vec::deserialize(deserializer)? {
            calls.insert(&call);
        }
        Ok(calls)
    }
}
