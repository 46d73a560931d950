//! From the tree of a file to overrides.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::format;
use std::ops::Range;
use std::string::String;
use std::vec::Vec;

use failure_kinds_core::Quoted;

use super::faults::{Faults, Problem};
use super::names::{self, KEYS, NONE, STAGE_KEYS};
use super::node::{Key, KeyName, Node, Value};
use super::overrides::{FailureClassificationOverrides, StageClassificationOverrides};

/// Reads overrides out of a tree. Types and the fixed keys are always checked.
pub(super) struct Decoder {
    pub(super) faults: Faults,
    names: bool,
}

/// What a map of stages is, in an error.
pub(super) const STAGES: &str = "a map from stages to maps";

/// Whether a name is right.
type Check = fn(&str) -> Result<(), Problem>;

impl Decoder {
    /// For a whole file: the names of stages, kinds, classes, labels and statuses are checked too.
    pub(super) fn strict() -> Self {
        Self { faults: Faults::default(), names: true }
    }

    /// For a part that is merged first: names stay texts, and are checked with the whole.
    pub(super) fn lenient() -> Self {
        Self { faults: Faults::default(), names: false }
    }

    pub(super) fn overrides(&mut self, node: &Node) -> FailureClassificationOverrides {
        let mut overrides = FailureClassificationOverrides::default();
        for (name, key, node) in self.entries(node, "a map of settings") {
            match name {
                "class_by_http_status" => {
                    overrides.class_by_http_status =
                        self.classes(name, node, |text| names::status(text).map(drop));
                }
                "stages" => overrides.stages = self.stages(name, node),
                "http_evidence" => {
                    overrides.http_evidence =
                        self.classes(name, node, |text| names::label(text).map(drop));
                }
                "kinds" => overrides.kinds = self.kinds(name, node),
                "unknown" => {
                    let check: Check = |text| names::class(text).map(drop);
                    overrides.unknown = self.under(name, |this| this.class(node, check, false));
                }
                _ => self.unknown_key(name, key, &KEYS),
            }
        }
        overrides
    }

    fn stages(
        &mut self,
        name: &str,
        node: &Node,
    ) -> BTreeMap<String, StageClassificationOverrides> {
        self.under(name, |this| {
            let mut stages = BTreeMap::new();
            for (name, key, node) in this.entries(node, STAGES) {
                let stage = this.under(name, |this| {
                    this.check(names::stage(name).map(drop), key);
                    this.stage(node)
                });
                stages.insert(name.into(), stage);
            }
            stages
        })
    }

    /// What is said of one stage.
    pub(super) fn stage(&mut self, node: &Node) -> StageClassificationOverrides {
        let mut overrides = StageClassificationOverrides::default();
        for (name, key, node) in self.entries(node, "a map with `default` and `kinds`") {
            match name {
                "default" => {
                    let check: Check = |text| names::setting(text).map(drop);
                    overrides.default = self.under(name, |this| this.class(node, check, true));
                }
                "kinds" => overrides.kinds = self.kinds(name, node),
                _ => self.unknown_key(name, key, &STAGE_KEYS),
            }
        }
        overrides
    }

    fn kinds(&mut self, name: &str, node: &Node) -> BTreeMap<String, String> {
        self.classes(name, node, |text| names::kind(text).map(drop))
    }

    /// A map from names of one sort to classes.
    fn classes(&mut self, name: &str, node: &Node, check: Check) -> BTreeMap<String, String> {
        self.under(name, |this| {
            let mut classes = BTreeMap::new();
            for (name, key, node) in this.entries(node, "a map from names to classes") {
                let class = this.under(name, |this| {
                    this.check(check(name), key);
                    this.class(node, |text| names::setting(text).map(drop), true)
                });
                if let (Some(class), Entry::Vacant(vacant)) = (class, classes.entry(name.into())) {
                    vacant.insert(class);
                }
            }
            classes
        })
    }

    /// The text of a class; that of a cleared entry where there is null.
    fn class(&mut self, node: &Node, check: Check, clears: bool) -> Option<String> {
        match &node.value {
            Value::Text(text) => {
                if self.names {
                    self.faults.take(check(text), node.span.as_ref());
                }
                Some(text.clone())
            }
            Value::Null if clears => Some(NONE.into()),
            other => {
                self.wrong_type("a class", other, node.span.as_ref());
                None
            }
        }
    }

    /// The entries of a map, the repeated ones included; what is wrong with its keys is reported.
    pub(super) fn entries<'n>(
        &mut self,
        node: &'n Node,
        expected: &str,
    ) -> Vec<(&'n str, &'n Key, &'n Node)> {
        let Value::Map(map) = &node.value else {
            self.wrong_type(expected, &node.value, node.span.as_ref());
            return Vec::new();
        };
        let mut seen: BTreeMap<&str, &Key> = BTreeMap::new();
        let mut entries = Vec::with_capacity(map.len());
        for (key, node) in map {
            match &key.name {
                KeyName::Text(name) => {
                    if let Some(first) = seen.get(name.as_str()) {
                        let first = first.span.as_ref();
                        let problem =
                            Problem::new(format!("the key `{}` stands twice", Quoted(name)));
                        self.under(name, |this| {
                            this.faults.push_twice(problem, key.span.as_ref(), first);
                        });
                    } else {
                        seen.insert(name, key);
                    }
                    entries.push((name.as_str(), key, node));
                }
                KeyName::Other(noun) => {
                    let problem = Problem::new(format!("expected a text as key, found {noun}"))
                        .help("put quotation marks around it");
                    self.faults.push(problem, key.span.as_ref());
                }
            }
        }
        entries
    }

    fn check(&mut self, result: Result<(), Problem>, key: &Key) {
        if self.names {
            self.faults.take(result, key.span.as_ref());
        }
    }

    fn wrong_type(&mut self, expected: &str, found: &Value, span: Option<&Range<usize>>) {
        let problem = Problem::new(format!("expected {expected}, found {}", found.noun()));
        let problem = match found {
            Value::Null => problem.help("leave the key out to keep what is there"),
            _ => problem,
        };
        self.faults.push(problem, span);
    }

    fn unknown_key(&mut self, name: &str, key: &Key, known: &[&'static str]) {
        let problem = names::unknown_key(name, known);
        self.under(name, |this| this.faults.push(problem, key.span.as_ref()));
    }

    pub(super) fn under<T>(&mut self, key: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        self.faults.enter(key);
        let result = work(self);
        self.faults.leave();
        result
    }
}
