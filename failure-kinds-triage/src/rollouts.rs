//! Which attempt decides a rollout, in at most 64 bytes for each rollout.

use super::row::Identity;

/// What a row says of its rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Result,
    /// A failure that was measured all the same, and the number of its cell.
    Degraded(u32),
    /// A failure, and the number of its cell.
    Failed(u32),
}

/// What became of the rollouts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RolloutCounts {
    /// Distinct rollouts of the inventory.
    pub expected: u64,
    /// Rollouts of which a row was read.
    pub seen: u64,
    /// Expected rollouts of which no row was read.
    pub missing: u64,
    pub failed: u64,
    pub degraded: u64,
    pub recovered: u64,
}

/// The rollouts of one run.
#[derive(Debug, Default)]
pub struct Rollouts {
    /// Task and rollout below 2^32, which is all that practice shows.
    narrow: States<u64>,
    wide: States<(i64, i64)>,
}

impl Rollouts {
    /// Takes a row.
    pub fn row(&mut self, identity: Identity, place: Place, verdict: Verdict) {
        self.add(identity, State::of_row(identity.attempt, place, verdict));
    }

    /// Takes a line of the inventory.
    pub fn expect(&mut self, identity: Identity) {
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
    pub fn merge(&mut self, other: Self, cells: &[u32]) {
        self.narrow.merge(other.narrow, cells);
        self.wide.merge(other.wide, cells);
    }

    /// Counts the rollouts, and hands over the cell of each deciding failure.
    pub fn count(self, mut deciding: impl FnMut(u32)) -> RolloutCounts {
        let mut counts = RolloutCounts::default();
        for state in self.narrow.into_states().chain(self.wide.into_states()) {
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
pub struct Place {
    /// Whether it stands in the file of results, which decides over the sidecar.
    pub in_results: bool,
    /// The number of its line.
    pub line: u64,
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

/// The state of each key, in a sorted list. Rows come nearly in the order of their rollouts, so
/// that to sort them is cheaper, and takes less memory, than to hash them.
#[derive(Debug)]
struct States<K> {
    entries: Vec<(K, State)>,
    /// How many at the start are in order, each key once.
    settled: usize,
}

/// So many entries out of order are not worth a sort. Those of a test go beyond it.
const FEW: usize = if cfg!(test) { 4 } else { 1024 };

impl<K> Default for States<K> {
    fn default() -> Self {
        Self { entries: Vec::new(), settled: 0 }
    }
}

impl<K: Copy + Ord> States<K> {
    fn add(&mut self, key: K, state: State) {
        if self.settled == self.entries.len() {
            match self.entries.last_mut() {
                Some((last, known)) if *last == key => return known.merge(state),
                Some((last, _)) if *last > key => {}
                _ => self.settled += 1,
            }
        }
        self.entries.push((key, state));
        // By parts of what is there, so that the work for a row does not grow with their number.
        if self.entries.len() - self.settled > FEW.max(self.settled / 2) {
            self.settle();
        }
    }

    /// Brings all entries in order.
    fn settle(&mut self) {
        if self.settled < self.entries.len() {
            self.entries.sort_by_key(|(key, _)| *key);
            self.entries.dedup_by(|(key, state), (kept, known)| {
                let same = key == kept;
                if same {
                    known.merge(*state);
                }
                same
            });
            self.settled = self.entries.len();
        }
    }

    fn merge(&mut self, mut other: Self, cells: &[u32]) {
        other.settle();
        for (_, state) in &mut other.entries {
            if state.has(State::IS_FAILURE) {
                state.cell = cells[state.cell as usize];
            }
        }
        if self.entries.is_empty() {
            *self = other;
        } else {
            self.settle();
            self.entries.extend(other.entries);
            self.settle();
        }
    }

    fn into_states(mut self) -> impl Iterator<Item = State> {
        self.settle();
        self.entries.into_iter().map(|(_, state)| state)
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
        // When they are sorted: the settled ones, half as many that are not, and room to sort for
        // half of both.
        assert!(size_of::<(u64, State)>() * 9 / 4 <= 64);
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
