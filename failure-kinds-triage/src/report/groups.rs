//! The groups of failure rows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use failure_kinds::{FailureClass, FailureStage, HttpEvidence};
use failure_kinds_core::resolve;
use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};

use super::LISTED;
use super::runs::Decided;
use crate::best::Best;
use crate::seen::{Failure, Seen, Terms};
use crate::tally::{Cell, Evidence, NameId};

/// Failure rows of one class, kind, stage, HTTP label and rule.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The side.
    pub class: &'static str,
    /// The name, as observed.
    pub kind: Option<String>,
    /// What the name is to the vocabulary.
    pub registry: &'static str,
    /// The recorded stage.
    pub stage: Option<&'static str>,
    /// The label of the rows' own HTTP status.
    pub http_label: Option<&'static str>,
    /// The rule that decided the class.
    pub rule: &'static str,
    /// Whether it belongs to the server subcategory.
    pub server: bool,
    /// How many rows; deciding ones with `latest`.
    pub count: u64,
    /// How many rollouts one of its rows decides; a row without identity is one of its own.
    pub rollouts: u64,
    /// How many of the rows are terminal.
    pub terminal: u64,
    /// How many of the rows are the model's own scored zeros.
    #[serde(rename = "final")]
    pub is_final: u64,
    /// How many of the rows have an answer that can be judged again.
    pub rejudgeable: u64,
    /// How many of the rows have each status.
    pub http_statuses: BTreeMap<u16, u64>,
    /// What model calls the rows ended on; `None` if captures were not looked for.
    pub last_call: Option<LastCallReport>,
    /// How many rollouts its rows decide in each run, by the place of the run among all runs.
    #[serde(skip)]
    pub runs: BTreeMap<usize, u64>,
    /// How many of the rollouts that its rows decide are degraded.
    #[serde(skip)]
    pub degraded: u64,
    /// A row to look at.
    #[serde(skip)]
    pub example: Option<Example>,
}

/// What model calls the rows of a group ended on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LastCallReport {
    /// Rows of which a last call was read.
    pub observed: u64,
    /// The other rows, which says nothing about their calls.
    pub unobserved: u64,
    /// Rows that ended on a failed call.
    pub failed: u64,
    /// The statuses of these calls.
    pub statuses: BTreeMap<u16, u64>,
    /// Why these calls failed.
    pub categories: BTreeMap<&'static str, u64>,
    /// The models of these calls, as recorded.
    pub models: BTreeMap<String, u64>,
    /// Statuses and categories together.
    #[serde(skip)]
    pub causes: BTreeMap<(Option<u16>, &'static str), u64>,
}

impl LastCallReport {
    /// Counts rows of one failure.
    fn add(&mut self, failure: &Failure<'_>, count: u64) {
        *if failure.call_observed { &mut self.observed } else { &mut self.unobserved } += count;
        let Some(call) = failure.failed_call else { return };
        let category = call.category.as_str();
        self.failed += count;
        if let Some(status) = call.status {
            *self.statuses.entry(status).or_default() += count;
        }
        *self.categories.entry(category).or_default() += count;
        if let Some(model) = &call.model {
            *self.models.entry(model.to_string()).or_default() += count;
        }
        *self.causes.entry((call.status, category)).or_default() += count;
    }

    /// Takes over the counts of other rows.
    pub fn merge(&mut self, other: &Self) {
        self.observed += other.observed;
        self.unobserved += other.unobserved;
        self.failed += other.failed;
        add(&mut self.statuses, &other.statuses);
        add(&mut self.categories, &other.categories);
        add(&mut self.models, &other.models);
        add(&mut self.causes, &other.causes);
    }
}

/// Adds counts to others.
fn add<K: Clone + Ord>(here: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, count) in other {
        *here.entry(key.clone()).or_default() += count;
    }
}

/// The sum of the groups that are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoreGroups {
    /// How many groups.
    pub groups: u64,
    /// How many rows.
    pub count: u64,
    /// How many rollouts.
    pub rollouts: u64,
}

/// The failure rows of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassReport {
    /// The class.
    pub class: FailureClass,
    /// How many rows; deciding ones with `latest`.
    pub count: u64,
    /// Those of them in the server subcategory.
    pub server: u64,
    /// How many distinct kinds, none included.
    pub kinds: u64,
}

/// A row of a group to look at.
#[derive(Debug)]
pub struct Example {
    /// The path of its file.
    pub path: String,
    /// The number of its line.
    pub line: u64,
    /// The start of its reason, as it was written.
    pub reason: Option<String>,
    /// Whether the row decides a rollout, or has no identity.
    pub decides: bool,
}

impl Example {
    /// Of several examples the one with the smallest key is shown: one that decides a rollout, one
    /// with a reason, then by the order of files and lines.
    #[must_use]
    pub fn key(&self) -> (bool, bool, &str, u64) {
        (!self.decides, self.reason.is_none(), &self.path, self.line)
    }
}

/// What makes a group apart from its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    class: FailureClass,
    stage: Option<&'static str>,
    http_label: Option<&'static str>,
    rule: &'static str,
    server: bool,
}

impl Shape {
    fn new(seen: &Seen, cell: &Cell, terms: &Terms<'_>) -> Self {
        let class = seen.failure(cell).classify(terms);
        Self {
            class: class.class,
            stage: cell.evidence.stage.map(FailureStage::as_str),
            http_label: class.http.map(HttpEvidence::as_str),
            rule: class.rule.as_str(),
            server: class.server,
        }
    }
}

/// The distinct shapes, of which there are few.
#[derive(Default)]
struct Shapes {
    list: Vec<Shape>,
    numbers: HashMap<Shape, u16, RandomState>,
    /// No rule has an entry for a name that is not known, so what else is known of a failure
    /// decides, and there may be millions of names.
    of_unregistered: HashMap<Evidence, u16, RandomState>,
}

impl Shapes {
    fn number(&mut self, shape: Shape) -> u16 {
        *self.numbers.entry(shape).or_insert_with(|| {
            self.list.push(shape);
            u16::try_from(self.list.len() - 1).expect("fewer shapes than 65,536")
        })
    }

    fn of_unregistered(&mut self, evidence: Evidence, shape: impl FnOnce() -> Shape) -> u16 {
        if let Some(number) = self.of_unregistered.get(&evidence) {
            return *number;
        }
        let number = self.number(shape());
        self.of_unregistered.insert(evidence, number);
        number
    }
}

/// A cell and what it is grouped by. There may be millions, so names and shapes are numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    kind: Option<NameId>,
    shape: u16,
    cell: u32,
}

/// The groups, and where each cell is counted.
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    pub(super) more_groups: MoreGroups,
    pub(super) classes: Vec<ClassReport>,
    pub(super) places: Places,
}

/// Where the rows of each cell are counted.
pub(super) struct Places {
    /// The class of each cell that counts.
    pub(super) classes: Vec<FailureClass>,
    /// The place of each cell's group in the list; beyond its end if the group is not listed.
    pub(super) groups: Vec<u32>,
}

impl Groups {
    /// The groups of the failure rows, the largest first.
    pub(super) fn new(
        seen: &Seen,
        terms: &Terms<'_>,
        decided: &Decided,
        is_unregistered: &[bool],
    ) -> Self {
        let cells = seen.tally.cells();
        let count = |cell: u32| {
            let index = cell as usize;
            if terms.latest { decided.rollouts[index] } else { cells[index].rows }
        };
        let mut shapes = Shapes::default();
        let mut members = Vec::with_capacity(cells.len());
        let mut places = Places {
            classes: vec![FailureClass::Unknown; cells.len()],
            groups: vec![u32::MAX; cells.len()],
        };
        for (number, cell) in (0..).zip(cells).filter(|(number, _)| count(*number) > 0) {
            let kind = cell.evidence.kind;
            let shape = if kind.is_some_and(|kind| is_unregistered[kind.index()]) {
                let evidence = Evidence { kind: None, ..cell.evidence };
                shapes.of_unregistered(evidence, || Shape::new(seen, cell, terms))
            } else {
                shapes.number(Shape::new(seen, cell, terms))
            };
            places.classes[number as usize] = shapes.list[usize::from(shape)].class;
            members.push(Member { kind, shape, cell: number });
        }
        members.sort_unstable();

        let mut classes: Vec<_> = FailureClass::ALL
            .iter()
            .map(|&class| ClassReport { class, count: 0, server: 0, kinds: 0 })
            .collect();
        let mut more = MoreGroups::default();
        let kind = |members: &[Member]| seen.tally.kind(&cells[members[0].cell as usize]);
        let shape = |members: &[Member]| shapes.list[usize::from(members[0].shape)];
        let mut best = Best::new(LISTED, |one: &(u64, &[Member]), other: &(u64, &[Member])| {
            let key = |members| {
                let Shape { class, stage, http_label, rule, .. } = shape(members);
                (class.as_str(), kind(members), stage, http_label, rule)
            };
            other.0.cmp(&one.0).then_with(|| key(one.1).cmp(&key(other.1)))
        });
        for of_kind in members.chunk_by(|one, other| one.kind == other.kind) {
            let mut has_kind = [false; FailureClass::ALL.len()];
            for group in of_kind.chunk_by(|one, other| one.shape == other.shape) {
                let Shape { class, server, .. } = shape(group);
                let rows = group.iter().map(|member| count(member.cell)).sum();
                more.groups += 1;
                more.count += rows;
                let rollouts = group.iter().map(|member| decided.rollouts[member.cell as usize]);
                more.rollouts += rollouts.sum::<u64>();
                let of_class = &mut classes[class as usize];
                of_class.count += rows;
                of_class.server += if server { rows } else { 0 };
                of_class.kinds += u64::from(!has_kind[class as usize]);
                has_kind[class as usize] = true;
                best.add((rows, group));
            }
        }
        let groups: Vec<Group> = best
            .into_sorted()
            .into_iter()
            .zip(0..)
            .map(|((count_of_group, members), place)| {
                for member in members {
                    places.groups[member.cell as usize] = place;
                }
                let group = group(seen, kind(members), shape(members), members, &count, decided);
                more.groups -= 1;
                more.count -= count_of_group;
                more.rollouts -= group.rollouts;
                group
            })
            .collect();
        classes.retain(|class| class.count > 0);
        classes.sort_by_key(|class| (Reverse(class.count), class.class.as_str()));
        Self { groups, more_groups: more, classes, places }
    }
}

/// The registry state of a failure without a kind.
pub(crate) const ABSENT: &str = "absent";

/// What a kind is to the vocabulary.
pub(crate) fn registry(kind: Option<&str>) -> &'static str {
    kind.map_or(ABSENT, |kind| resolve(kind).as_str())
}

fn group(
    seen: &Seen,
    kind: Option<&str>,
    shape: Shape,
    members: &[Member],
    count: &impl Fn(u32) -> u64,
    decided: &Decided,
) -> Group {
    let mut group = Group {
        class: shape.class.as_str(),
        kind: kind.map(str::to_owned),
        registry: registry(kind),
        stage: shape.stage,
        http_label: shape.http_label,
        rule: shape.rule,
        server: shape.server,
        count: 0,
        rollouts: 0,
        terminal: 0,
        is_final: 0,
        rejudgeable: 0,
        http_statuses: BTreeMap::new(),
        runs: BTreeMap::new(),
        degraded: 0,
        last_call: seen.reads_calls().then(LastCallReport::default),
        example: None,
    };
    for &Member { cell: number, .. } in members {
        let cell = &seen.tally.cells()[number as usize];
        let failure = seen.failure(cell);
        let count = count(number);
        group.count += count;
        group.rollouts += decided.rollouts[number as usize];
        group.terminal += if failure.terminal { count } else { 0 };
        group.is_final += if failure.is_final { count } else { 0 };
        group.rejudgeable += if failure.rejudgeable { count } else { 0 };
        if let Some(status) = failure.http_status {
            *group.http_statuses.entry(status).or_default() += count;
        }
        if let Some(last_call) = &mut group.last_call {
            last_call.add(&failure, count);
        }
    }
    let cell = |member: &Member| &seen.tally.cells()[member.cell as usize];
    let rank = |member: &&Member| {
        let index = member.cell as usize;
        (!decided.by_example[index], decided.rollouts[index] == 0, cell(member).rank())
    };
    group.example = members.iter().min_by_key(rank).map(|member| {
        let at = cell(member).example();
        Example {
            path: seen.path(at.file).to_owned(),
            line: at.line,
            reason: seen.tally.reason(member.cell).map(str::to_owned),
            decides: decided.by_example[member.cell as usize],
        }
    });
    group
}
