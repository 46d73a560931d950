//! Which attempt decides a rollout, in at most 64 bytes for each rollout.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use rayon::prelude::*;

use super::row::Identity;

/// What a row says of its rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Result,
    /// A failure that was measured all the same, and the number of its cell.
    Degraded(u32),
    /// A failure, and the number of its cell.
    Failed(u32),
}

/// What became of the rollouts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RolloutCounts {
    /// Distinct rollouts of the inventory.
    pub(crate) expected: u64,
    /// Rollouts of which a row was read.
    pub(crate) seen: u64,
    /// Expected rollouts of which no row was read.
    pub(crate) missing: u64,
    pub(crate) failed: u64,
    pub(crate) degraded: u64,
    pub(crate) recovered: u64,
}

/// The rollouts of one run.
#[derive(Debug, Default)]
pub(crate) struct Rollouts {
    /// Task and rollout below 2^32, which is all that practice shows.
    narrow: Shards<u64>,
    wide: Shards<(i64, i64)>,
}

impl Rollouts {
    /// Takes a row.
    pub(crate) fn row(&mut self, identity: Identity, place: Place, verdict: Verdict) {
        self.add(identity, State::of_row(identity.attempt, place, verdict));
    }

    /// Takes a line of the inventory.
    pub(crate) fn expect(&mut self, identity: Identity) {
        self.add(identity, State::EXPECTED);
    }

    fn add(&mut self, Identity { task, rollout, .. }: Identity, state: State) {
        match (u32::try_from(task), u32::try_from(rollout)) {
            (Ok(task), Ok(rollout)) => {
                self.narrow.add(u64::from(task) << 32 | u64::from(rollout), state);
            }
            _ => self.wide.add((task, rollout), state),
        }
    }

    /// Takes over all rows of another part of the same run. `cells` gives the numbers that the
    /// other part's cells have here.
    pub(crate) fn merge(&mut self, other: Self, cells: &[u32]) {
        self.narrow.merge(other.narrow, cells);
        self.wide.merge(other.wide, cells);
    }

    /// Counts the rollouts, and hands over the cell of each deciding failure.
    pub(crate) fn count(mut self, mut deciding: impl FnMut(u32)) -> RolloutCounts {
        self.narrow.settle();
        self.wide.settle();
        let mut counts = RolloutCounts::default();
        for state in self.narrow.states().chain(self.wide.states()) {
            counts.expected += u64::from(state.has(State::IS_EXPECTED));
            if !state.has(State::IS_SEEN) {
                counts.missing += 1;
                continue;
            }
            counts.seen += 1;
            if state.has(State::IS_FAILURE) {
                deciding(state.cell);
            }
            let failed = state.has(State::IS_FAILED);
            counts.failed += u64::from(failed);
            counts.degraded += u64::from(state.has(State::IS_DEGRADED));
            counts.recovered += u64::from(!failed && state.has(State::LOSER_FAILED));
        }
        counts
    }
}

/// Where a row stands, as far as it decides between rows of the same attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Whether it stands in the file of results, which decides over the sidecar.
    pub(crate) in_results: bool,
    /// The number of its line.
    pub(crate) line: u64,
}

/// What is known of one rollout: its deciding row, and what the others leave behind.
#[derive(Clone, Copy, Debug)]
struct State {
    /// From the top: the flags, whether the row stands in the file of results, its line.
    bits: u64,
    attempt: i32,
    cell: u32,
}

impl State {
    const IS_EXPECTED: u64 = 1 << 63;
    const IS_SEEN: u64 = 1 << 62;
    const IS_FAILED: u64 = 1 << 61;
    const IS_DEGRADED: u64 = 1 << 60;
    const IS_FAILURE: u64 = Self::IS_FAILED | Self::IS_DEGRADED;
    const LOSER_FAILED: u64 = 1 << 59;
    const IN_RESULTS: u64 = 1 << 58;
    /// What belongs to the rollout, whichever row decides.
    const KEPT: u64 = Self::IS_EXPECTED | Self::LOSER_FAILED;
    /// What decides between rows of one attempt.
    const RANK: u64 = Self::IN_RESULTS | (Self::IN_RESULTS - 1);

    const EXPECTED: Self = Self { bits: Self::IS_EXPECTED, attempt: i32::MIN, cell: 0 };

    const fn of_row(attempt: i32, place: Place, verdict: Verdict) -> Self {
        let (verdict, cell) = match verdict {
            Verdict::Result => (0, 0),
            Verdict::Degraded(cell) => (Self::IS_DEGRADED, cell),
            Verdict::Failed(cell) => (Self::IS_FAILED, cell),
        };
        let results = if place.in_results { Self::IN_RESULTS } else { 0 };
        Self { bits: Self::IS_SEEN | verdict | results | place.line, attempt, cell }
    }

    const fn has(self, flag: u64) -> bool {
        self.bits & flag != 0
    }

    const fn rank(self) -> (bool, i32, u64) {
        (self.has(Self::IS_SEEN), self.attempt, self.bits & Self::RANK)
    }

    /// Both together, whatever the order they came in.
    fn merge(&mut self, other: Self) {
        let (winner, loser) =
            if other.rank() > self.rank() { (other, *self) } else { (*self, other) };
        let loser_failed = if loser.has(Self::IS_FAILED) { Self::LOSER_FAILED } else { 0 };
        *self = winner;
        self.bits |= loser.bits & Self::KEPT | loser_failed;
    }
}

/// A map in parts. One part grows at a time, so that the old and the new table of a growing map
/// never stand beside each other for all rollouts.
#[derive(Debug)]
struct Shards<K> {
    maps: [HashMap<K, State, foldhash::fast::RandomState>; SHARDS],
    /// What is not in the maps yet. Each rollout lies somewhere else in memory: put in one after
    /// the other, the processor waits for several of these places at once.
    pending: Vec<(K, State)>,
}

const SHARDS: usize = 64;
const MOST_PENDING: usize = 256;

impl<K> Default for Shards<K> {
    fn default() -> Self {
        Self { maps: std::array::from_fn(|_| HashMap::default()), pending: Vec::new() }
    }
}

impl<K: Eq + Hash + Send + Shard> Shards<K> {
    fn add(&mut self, key: K, state: State) {
        self.pending.push((key, state));
        if self.pending.len() == MOST_PENDING {
            self.settle();
        }
    }

    /// Puts what is pending in the maps.
    fn settle(&mut self) {
        for (key, state) in self.pending.drain(..) {
            insert(&mut self.maps[key.shard()], key, state);
        }
    }

    fn merge(&mut self, mut other: Self, cells: &[u32]) {
        self.settle();
        other.settle();
        let renumber = |state: &mut State| {
            if state.has(State::IS_FAILURE) {
                state.cell = cells[state.cell as usize];
            }
        };
        self.maps.par_iter_mut().zip(other.maps).for_each(|(shard, mut other)| {
            if shard.is_empty() {
                // Nothing to hash: the first part of a run is taken over as it is.
                other.values_mut().for_each(renumber);
                *shard = other;
                return;
            }
            for (key, mut state) in other {
                renumber(&mut state);
                insert(shard, key, state);
            }
        });
    }

    fn states(&self) -> impl Iterator<Item = State> {
        self.maps.iter().flat_map(HashMap::values).copied()
    }
}

fn insert<K: Eq + Hash>(
    shard: &mut HashMap<K, State, foldhash::fast::RandomState>,
    key: K,
    state: State,
) {
    match shard.entry(key) {
        Entry::Vacant(entry) => {
            entry.insert(state);
        }
        Entry::Occupied(mut entry) => entry.get_mut().merge(state),
    }
}

/// The part of the map that a key belongs to.
trait Shard {
    fn shard(&self) -> usize;
}

impl Shard for u64 {
    fn shard(&self) -> usize {
        // The low bits are the rollout and then the task; spread them over the top six.
        (self.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
    }
}

impl Shard for (i64, i64) {
    fn shard(&self) -> usize {
        (self.0.cast_unsigned().rotate_left(32) ^ self.1.cast_unsigned()).shard()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(task: i64, rollout: i64, attempt: i32) -> Identity {
        Identity { task, rollout, attempt }
    }

    fn sidecar(line: u64) -> Place {
        Place { in_results: false, line }
    }

    fn results(line: u64) -> Place {
        Place { in_results: true, line }
    }

    fn count(rollouts: Rollouts) -> (RolloutCounts, Vec<u32>) {
        let mut cells = Vec::new();
        let counts = rollouts.count(|cell| cells.push(cell));
        cells.sort_unstable();
        (counts, cells)
    }

    #[test]
    fn the_highest_attempt_decides() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 1), sidecar(1), Verdict::Failed(1));
        rollouts.row(at(0, 0, 0), results(1), Verdict::Result);
        rollouts.row(at(0, 1, 0), sidecar(2), Verdict::Failed(3));
        rollouts.row(at(0, 1, 2), results(2), Verdict::Result);
        let (counts, cells) = count(rollouts);
        assert_eq!((counts.seen, counts.failed, counts.recovered), (2, 1, 1));
        assert_eq!(cells, [1]);
    }

    #[test]
    fn on_equal_attempts_the_results_decide_and_then_the_later_row() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 0), results(1), Verdict::Result);
        rollouts.row(at(0, 0, 0), sidecar(9), Verdict::Failed(2));
        rollouts.row(at(1, 0, 0), sidecar(3), Verdict::Failed(3));
        rollouts.row(at(1, 0, 0), sidecar(2), Verdict::Result);
        let (counts, cells) = count(rollouts);
        assert_eq!((counts.seen, counts.failed, counts.recovered), (2, 1, 1));
        assert_eq!(cells, [3]);
    }

    #[test]
    fn degraded_and_recovered() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 0), sidecar(1), Verdict::Failed(1));
        rollouts.row(at(0, 0, 1), sidecar(2), Verdict::Degraded(2));
        // A measured attempt is nothing to recover from.
        rollouts.row(at(1, 0, 0), sidecar(3), Verdict::Degraded(3));
        rollouts.row(at(1, 0, 1), results(1), Verdict::Result);
        let (counts, _) = count(rollouts);
        assert_eq!((counts.failed, counts.degraded, counts.recovered), (0, 1, 1));
    }

    #[test]
    fn missing_are_the_expected_of_which_no_row_was_read() {
        let mut rollouts = Rollouts::default();
        for task in 0..4 {
            rollouts.expect(at(task, 0, 0));
            rollouts.expect(at(task, 0, 0));
        }
        rollouts.row(at(1, 0, 0), results(1), Verdict::Result);
        rollouts.row(at(9, 0, 0), results(2), Verdict::Result);
        let (counts, _) = count(rollouts);
        assert_eq!((counts.expected, counts.seen, counts.missing), (4, 2, 3));
    }

    #[test]
    fn a_rollout_stays_small() {
        // A table just grown has 16 slots for 7 entries, with one byte of control each.
        let slot = size_of::<(u64, State)>() + 1;
        assert!(slot * 16 / 7 <= 64);
    }

    fn verdicts() -> impl Strategy<Value = Verdict> {
        prop_oneof![
            Just(Verdict::Result),
            (0_u32..3).prop_map(Verdict::Degraded),
            (0_u32..3).prop_map(Verdict::Failed),
        ]
    }

    proptest! {
        /// Neither the order of rows nor how they are spread over workers shows.
        #[test]
        fn order_and_parts_do_not_show(
            rows in prop::collection::vec((-1_i64..3, 0_i64..2, 0_i32..3, any::<bool>(), verdicts()), 0..20),
            order in any::<prop::sample::Index>(),
            split in any::<prop::sample::Index>(),
        ) {
            let rows: Vec<_> = rows.into_iter().zip(1..).map(|((task, rollout, attempt, in_results, verdict), line)| {
                (at(task, rollout, attempt), Place { in_results, line }, verdict)
            }).collect();
            let tally = |rows: &[(Identity, Place, Verdict)]| {
                let mut rollouts = Rollouts::default();
                for &(identity, place, verdict) in rows {
                    rollouts.row(identity, place, verdict);
                }
                rollouts
            };
            let mut shuffled = rows.clone();
            if !rows.is_empty() {
                shuffled.rotate_left(order.index(rows.len()));
                shuffled.reverse();
            }
            let (left, right) = shuffled.split_at(split.index(rows.len() + 1));
            let mut merged = tally(left);
            merged.merge(tally(right), &[0, 1, 2]);
            prop_assert_eq!(count(merged), count(tally(&rows)));
        }
    }
}
