//! Which attempt decides a rollout, in at most 64 bytes for each rollout.

use std::{iter, mem};

use failure_kinds_rows::LineNumbers;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::row::Identity;

/// What a row says about its rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is not an attempt.
    Omitted,
    Result,
    /// A failure that was measured nevertheless, and the number of its cell.
    Degraded(u32),
    /// A failure, and the number of its cell.
    Failed(u32),
}

/// Where a row is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Whether the file is one of results, which win over the sidecar.
    pub(crate) in_results: bool,
    /// The number of the file.
    pub(crate) file: u32,
    /// The number of the line; while the file is being read, the ordinal of its position.
    pub(crate) line: u64,
}

/// What became of a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RolloutStatus {
    /// Its deciding row is a failure.
    Failed,
    /// Its deciding row is a failure that was measured nevertheless.
    Degraded,
    /// Its deciding row is a result.
    Passed,
    /// It has rows, but none of them is an attempt.
    Omitted,
    /// The inventory names it, and it has no row.
    Missing,
}

/// The counts of the rollouts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RolloutCounts {
    /// Distinct rollouts of the inventory.
    pub(crate) expected: u64,
    /// Rollouts with an attempt.
    pub(crate) seen: u64,
    /// Expected rollouts without any row.
    pub(crate) missing: u64,
    /// Rollouts with a row that the inventory does not name.
    pub(crate) unexpected: u64,
    pub(crate) omitted: u64,
    pub(crate) failed: u64,
    pub(crate) degraded: u64,
    pub(crate) recovered: u64,
    /// Rollouts of which no attempt failed.
    pub(crate) passed: u64,
}

impl RolloutCounts {
    /// Adds rollouts with these flags.
    fn add(&mut self, flags: State, count: u64) {
        let if_any = |is_any| if is_any { count } else { 0 };
        self.expected += if_any(flags.has(State::IS_EXPECTED));
        self.unexpected += if_any(!flags.has(State::IS_EXPECTED));
        self.seen += if_any(flags.has(State::IS_SEEN));
        self.recovered += if_any(flags.is_recovered());
        match flags.status() {
            RolloutStatus::Failed => self.failed += count,
            RolloutStatus::Degraded => self.degraded += count,
            RolloutStatus::Passed => self.passed += if_any(!flags.is_recovered()),
            RolloutStatus::Omitted => self.omitted += count,
            RolloutStatus::Missing => self.missing += count,
        }
    }
}

/// One rollout, by its deciding row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) task: i64,
    pub(crate) rollout: i64,
    pub(crate) status: RolloutStatus,
    pub(crate) is_expected: bool,
    pub(crate) is_recovered: bool,
    /// The deciding row; none if it has no attempt.
    pub(crate) row: Option<DecidingRow>,
}

/// The row that decides a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecidingRow {
    pub(crate) attempt: i64,
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) is_masked: bool,
    /// The number of its cell, if it is a failure.
    pub(crate) cell: Option<u32>,
}

/// The rollouts of one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rollouts {
    /// Task and rollout below 2^32, which is all that occurs in practice.
    narrow: States<(u32, u32), State>,
    wide: States<(i64, i64), State>,
    /// The inventory, apart from the wide ones, until rows are there to mark: a quarter of their
    /// size. Once everything was merged, either this or `narrow` is empty.
    expected: States<(u32, u32), ()>,
}

impl Rollouts {
    /// Takes a row.
    pub(crate) fn row(
        &mut self,
        identity: Identity,
        place: Place,
        verdict: Verdict,
        is_masked: bool,
    ) {
        self.add(identity, State::of_row(identity.attempt, place, verdict, is_masked));
    }

    /// Takes a line of the inventory.
    pub(crate) fn expect(&mut self, Identity { task, rollout, .. }: Identity) {
        match narrow(task, rollout) {
            Some(key) => self.expected.add(key, ()),
            None => self.wide.add((task, rollout), State::EXPECTED),
        }
    }

    fn add(&mut self, Identity { task, rollout, .. }: Identity, state: State) {
        match narrow(task, rollout) {
            Some(key) => self.narrow.add(key, state),
            None => self.wide.add((task, rollout), state),
        }
    }

    /// Takes over all rows of another part of the same run, with cells and files of the same
    /// numbers.
    pub(crate) fn merge(&mut self, other: Self) {
        self.narrow.merge(other.narrow);
        self.wide.merge(other.wide);
        self.expected.merge(other.expected);
        if !self.narrow.entries.is_empty() {
            let expected = mem::take(&mut self.expected).entries.into_iter();
            self.narrow.merge_sorted(expected.map(|(key, ())| (key, State::EXPECTED)));
        }
    }

    /// The narrow rollouts in their order. One of the two lists is empty.
    fn narrow(&self) -> impl Iterator<Item = ((u32, u32), State)> {
        let expected = self.expected.settled().iter().map(|(key, ())| (*key, State::EXPECTED));
        self.narrow.settled().iter().copied().chain(expected)
    }

    /// Gives the lines their numbers, once the file was read.
    pub(crate) fn number_lines(&mut self, lines: &LineNumbers) {
        self.for_each_row(|state| state.set_line(lines.of(state.line())));
    }

    /// Gives the cells the numbers that they have elsewhere.
    pub(crate) fn number_cells(&mut self, numbers: &[u32]) {
        self.for_each_row(|state| {
            if state.has(State::IS_FAILURE) {
                state.cell = numbers[state.cell as usize];
            }
        });
    }

    /// The same for the files.
    pub(crate) fn number_files(&mut self, numbers: &[u32]) {
        self.for_each_row(|state| state.file = numbers[state.file as usize]);
    }

    fn for_each_row(&mut self, mut change: impl FnMut(&mut State)) {
        let Self { narrow, wide, .. } = self;
        narrow.settle();
        wide.settle();
        let narrow = narrow.entries.iter_mut().map(|(_, state)| state);
        let wide = wide.entries.iter_mut().map(|(_, state)| state);
        narrow.chain(wide).filter(|state| state.has(State::IS_SEEN)).for_each(&mut change);
    }

    /// Whether every number in it is that of something that is there.
    #[cfg(feature = "bytes")]
    pub(crate) fn is_consistent(&self, files: usize, cells: usize) -> bool {
        self.iter().filter_map(|rollout| rollout.row).all(|row| {
            (row.file as usize) < files && row.cell.is_none_or(|cell| (cell as usize) < cells)
        })
    }

    /// Counts the rollouts, and passes on the cell, the file and the line of each deciding failure.
    pub(crate) fn count(&self, mut deciding: impl FnMut(u32, u32, u64)) -> RolloutCounts {
        // Of millions of rollouts only the flags are looked at one by one.
        let mut by_flags = [0; 1 << u8::BITS];
        self.states().for_each(|state| {
            by_flags[usize::from(state.flags())] += 1;
            if let Some(cell) = state.failure() {
                deciding(cell, state.file, state.line());
            }
        });
        let mut counts = RolloutCounts::default();
        for (flags, count) in (0..=u8::MAX).zip(by_flags).filter(|(_, count)| *count > 0) {
            counts.add(State::of_flags(flags), count);
        }
        counts
    }

    /// The cell of each deciding failure, and whether that is degraded, in no particular order.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (u32, bool)> {
        self.states().filter_map(|state| Some((state.failure()?, state.has(State::IS_DEGRADED))))
    }

    fn states(&self) -> impl Iterator<Item = State> {
        let narrow = self.narrow().map(|(_, state)| state);
        narrow.chain(self.wide.settled().iter().map(|(_, state)| *state))
    }

    /// All rollouts, by task and rollout. Everything must have been merged.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Decided> {
        let narrow = self
            .narrow()
            .map(|((task, rollout), state)| ((i64::from(task), i64::from(rollout)), state));
        let mut narrow = narrow.peekable();
        let mut wide = self.wide.settled().iter().copied().peekable();
        iter::from_fn(move || match (narrow.peek(), wide.peek()) {
            (Some((one, _)), Some((other, _))) if other < one => wide.next(),
            (None, _) => wide.next(),
            _ => narrow.next(),
        })
        .map(|((task, rollout), state)| state.decided(task, rollout))
    }
}

/// The key of a rollout, if it fits.
fn narrow(task: i64, rollout: i64) -> Option<(u32, u32)> {
    u32::try_from(task).ok().zip(u32::try_from(rollout).ok())
}

/// What is known about one rollout: its deciding row, and what the others leave.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct State {
    /// From the top: the flags, whether the row is one of results, its line.
    bits: u64,
    attempt: i64,
    file: u32,
    cell: u32,
}

impl State {
    const IS_EXPECTED: u64 = 1 << 63;
    /// There is an attempt.
    const IS_SEEN: u64 = 1 << 62;
    const IS_FAILED: u64 = 1 << 61;
    const IS_DEGRADED: u64 = 1 << 60;
    const IS_FAILURE: u64 = Self::IS_FAILED | Self::IS_DEGRADED;
    const LOSER_FAILED: u64 = 1 << 59;
    const HAS_OMITTED: u64 = 1 << 58;
    const IS_MASKED: u64 = 1 << 57;
    const IN_RESULTS: u64 = 1 << 56;
    const LINE: u64 = Self::IN_RESULTS - 1;
    /// What belongs to the rollout, whichever row decides.
    const KEPT: u64 = Self::IS_EXPECTED | Self::LOSER_FAILED | Self::HAS_OMITTED;

    const NO_ROW: Self = Self { bits: 0, attempt: i64::MIN, file: 0, cell: 0 };
    /// A rollout of the inventory.
    const EXPECTED: Self = Self { bits: Self::IS_EXPECTED, ..Self::NO_ROW };

    const fn of_row(attempt: i64, place: Place, verdict: Verdict, is_masked: bool) -> Self {
        let (verdict, cell) = match verdict {
            Verdict::Omitted => return Self { bits: Self::HAS_OMITTED, ..Self::NO_ROW },
            Verdict::Result => (0, 0),
            Verdict::Degraded(cell) => (Self::IS_DEGRADED, cell),
            Verdict::Failed(cell) => (Self::IS_FAILED, cell),
        };
        let results = if place.in_results { Self::IN_RESULTS } else { 0 };
        let masked = if is_masked { Self::IS_MASKED } else { 0 };
        let bits = Self::IS_SEEN | verdict | masked | results | place.line & Self::LINE;
        Self { bits, attempt, file: place.file, cell }
    }

    /// The flags, which are the top byte.
    const fn flags(self) -> u8 {
        self.bits.to_be_bytes()[0]
    }

    /// Only these flags.
    const fn of_flags(flags: u8) -> Self {
        Self { bits: u64::from_be_bytes([flags, 0, 0, 0, 0, 0, 0, 0]), ..Self::NO_ROW }
    }

    const fn has(self, flag: u64) -> bool {
        self.bits & flag != 0
    }

    const fn line(self) -> u64 {
        self.bits & Self::LINE
    }

    const fn set_line(&mut self, line: u64) {
        self.bits = self.bits & !Self::LINE | line & Self::LINE;
    }

    /// The greatest decides.
    const fn rank(self) -> (bool, i64, bool, u32, u64) {
        let (seen, results) = (self.has(Self::IS_SEEN), self.has(Self::IN_RESULTS));
        (seen, self.attempt, results, self.file, self.line())
    }

    const fn status(self) -> RolloutStatus {
        if self.has(Self::IS_FAILED) {
            RolloutStatus::Failed
        } else if self.has(Self::IS_DEGRADED) {
            RolloutStatus::Degraded
        } else if self.has(Self::IS_SEEN) {
            RolloutStatus::Passed
        } else if self.has(Self::HAS_OMITTED) {
            RolloutStatus::Omitted
        } else {
            RolloutStatus::Missing
        }
    }

    const fn is_recovered(self) -> bool {
        self.has(Self::IS_SEEN) && !self.has(Self::IS_FAILED) && self.has(Self::LOSER_FAILED)
    }

    /// The cell of the deciding row, if that is a failure.
    fn failure(self) -> Option<u32> {
        self.has(Self::IS_FAILURE).then_some(self.cell)
    }

    fn decided(self, task: i64, rollout: i64) -> Decided {
        Decided {
            task,
            rollout,
            status: self.status(),
            is_expected: self.has(Self::IS_EXPECTED),
            is_recovered: self.is_recovered(),
            row: self.has(Self::IS_SEEN).then(|| DecidingRow {
                attempt: self.attempt,
                file: self.file,
                line: self.line(),
                is_masked: self.has(Self::IS_MASKED),
                cell: self.failure(),
            }),
        }
    }
}

/// What is known about a key.
trait Merge: Copy {
    /// Both together, whatever order they came in.
    fn merge(&mut self, other: Self);
}

impl Merge for State {
    fn merge(&mut self, other: Self) {
        let (winner, loser) =
            if other.rank() > self.rank() { (other, *self) } else { (*self, other) };
        let loser_failed = if loser.has(Self::IS_FAILED) { Self::LOSER_FAILED } else { 0 };
        *self = winner;
        self.bits |= loser.bits & Self::KEPT | loser_failed;
    }
}

/// Nothing but the key itself.
impl Merge for () {
    fn merge(&mut self, (): Self) {}
}

/// The state of each key, in a sorted list. Rows come nearly in the order of their rollouts, so
/// sorting them is cheaper, and takes less memory, than hashing them.
#[derive(Clone, Debug)]
struct States<K, S> {
    entries: Vec<(K, S)>,
    /// How many at the start are in order, each key once.
    settled: usize,
}

/// So many entries out of order are not worth a sort. Tests go beyond it.
const FEW: usize = if cfg!(test) { 4 } else { 1024 };
/// One entry out of order for so many in order is worth a sort.
const SETTLED: usize = 4;

impl<K, S> Default for States<K, S> {
    fn default() -> Self {
        Self { entries: Vec::new(), settled: 0 }
    }
}

impl<K: Copy + Ord, S: Merge> States<K, S> {
    fn add(&mut self, key: K, state: S) {
        if self.settled == self.entries.len() {
            match self.entries.last_mut() {
                Some((last, known)) if *last == key => return known.merge(state),
                Some((last, _)) if *last > key => {}
                _ => self.settled += 1,
            }
        }
        self.entries.push((key, state));
        // In proportion to what is there, so that the work for a row does not grow with it.
        if self.entries.len() - self.settled > FEW.max(self.settled / SETTLED) {
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

    /// All entries, which are in order.
    fn settled(&self) -> &[(K, S)] {
        debug_assert_eq!(self.settled, self.entries.len());
        &self.entries
    }

    /// Takes over the entries of another list. Of two that overlap, the longer one stays in place.
    fn merge(&mut self, mut other: Self) {
        self.settle();
        other.settle();
        if other.entries.is_empty() {
            return;
        }
        if self.entries.is_empty() {
            *self = other;
            return;
        }
        if other.entries.last().map(key) < self.entries.first().map(key) {
            mem::swap(self, &mut other);
        }
        if self.entries.last().map(key) < other.entries.first().map(key) {
            // Parts of a file that follow each other.
            self.entries.reserve_exact(other.entries.len());
            self.entries.append(&mut other.entries);
            self.settled = self.entries.len();
            return;
        }
        if self.entries.len() < other.entries.len() {
            mem::swap(self, &mut other);
        }
        self.merge_sorted(other.entries.into_iter());
    }

    /// Merges known keys in place, so that both parts of a run take no more room than the one.
    fn merge_sorted(&mut self, others: impl Iterator<Item = (K, S)>) {
        let mut at = 0;
        for (key, state) in others {
            at += place(&self.entries[at..self.settled], &key);
            match self.entries[at..self.settled].first_mut() {
                Some((known, kept)) if *known == key => kept.merge(state),
                _ => self.entries.push((key, state)),
            }
        }
        self.settle();
    }
}

impl<K: Serialize, S: Serialize> Serialize for States<K, S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        self.entries.serialize(serializer)
    }
}

impl<'de, K: Copy + Ord + Deserialize<'de>, S: Merge + Deserialize<'de>> Deserialize<'de>
    for States<K, S>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut states = Self { entries: Vec::deserialize(deserializer)?, settled: 0 };
        states.settle();
        Ok(states)
    }
}

fn key<K: Copy, S>((key, _): &(K, S)) -> K {
    *key
}

/// How many entries come before a key. It is sought near the start, where the next key is.
fn place<K: Ord, S>(entries: &[(K, S)], key: &K) -> usize {
    let mut end = 0;
    while entries.get(end).is_some_and(|(known, _)| known < key) {
        end = 2 * end + 1;
    }
    entries[..entries.len().min(end)].partition_point(|(known, _)| known < key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(task: i64, rollout: i64, attempt: i64) -> Identity {
        Identity { task, rollout, attempt }
    }

    fn sidecar(line: u64) -> Place {
        Place { in_results: false, file: 1, line }
    }

    fn results(line: u64) -> Place {
        Place { in_results: true, file: 0, line }
    }

    fn count(mut rollouts: Rollouts) -> (RolloutCounts, Vec<u32>) {
        rollouts.merge(Rollouts::default());
        let cells = rollouts.iter().filter_map(|rollout| rollout.row?.cell).collect();
        (rollouts.count(|_, _, _| {}), cells)
    }

    #[test]
    fn the_highest_attempt_decides() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 1), sidecar(1), Verdict::Failed(1), false);
        rollouts.row(at(0, 0, 0), results(1), Verdict::Result, false);
        rollouts.row(at(0, 1, 0), sidecar(2), Verdict::Failed(3), false);
        rollouts.row(at(0, 1, 2), results(2), Verdict::Result, false);
        let (counts, cells) = count(rollouts);
        assert_eq!((counts.seen, counts.failed, counts.recovered), (2, 1, 1));
        assert_eq!(cells, [1]);
    }

    #[test]
    fn on_equal_attempts_the_results_decide_and_then_the_later_row() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 0), results(1), Verdict::Result, false);
        rollouts.row(at(0, 0, 0), sidecar(9), Verdict::Failed(2), false);
        rollouts.row(at(1, 0, 0), sidecar(3), Verdict::Failed(3), false);
        rollouts.row(at(1, 0, 0), sidecar(2), Verdict::Result, false);
        let (counts, cells) = count(rollouts);
        assert_eq!((counts.seen, counts.failed, counts.recovered), (2, 1, 1));
        assert_eq!(cells, [3]);
    }

    #[test]
    fn degraded_and_recovered() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 0), sidecar(1), Verdict::Failed(1), false);
        rollouts.row(at(0, 0, 1), sidecar(2), Verdict::Degraded(2), false);
        // There is nothing to recover from a measured attempt.
        rollouts.row(at(1, 0, 0), sidecar(3), Verdict::Degraded(3), false);
        rollouts.row(at(1, 0, 1), results(1), Verdict::Result, false);
        let (counts, _) = count(rollouts);
        assert_eq!((counts.failed, counts.degraded, counts.recovered), (0, 1, 1));
    }

    #[test]
    fn expected_rollouts_without_a_row_are_missing() {
        let mut rollouts = Rollouts::default();
        for task in 0..4 {
            rollouts.expect(at(task, 0, 0));
            rollouts.expect(at(task, 0, 0));
        }
        rollouts.row(at(1, 0, 0), results(1), Verdict::Result, false);
        rollouts.row(at(9, 0, 0), results(2), Verdict::Result, false);
        let (counts, _) = count(rollouts);
        assert_eq!((counts.expected, counts.seen, counts.missing), (4, 2, 3));
        assert_eq!(counts.unexpected, 1);
    }

    #[test]
    fn an_omitted_row_never_decides() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 0), sidecar(1), Verdict::Failed(1), false);
        rollouts.row(at(0, 0, 7), sidecar(2), Verdict::Omitted, false);
        rollouts.row(at(1, 0, 0), sidecar(3), Verdict::Omitted, false);
        rollouts.expect(at(1, 0, 0));
        let (counts, cells) = count(rollouts);
        assert_eq!((counts.seen, counts.failed, counts.omitted, counts.missing), (1, 1, 1, 0));
        assert_eq!(cells, [1]);
    }

    #[test]
    fn attempts_have_64_bits() {
        let mut rollouts = Rollouts::default();
        rollouts.row(at(0, 0, 1), sidecar(1), Verdict::Failed(1), false);
        rollouts.row(at(0, 0, 1 << 32), results(1), Verdict::Result, false);
        assert_eq!(count(rollouts).0.recovered, 1);
    }

    #[test]
    fn rollouts_come_in_their_order() {
        let mut rollouts = Rollouts::default();
        let identities = [(7, 1), (-1, 0), (7, 1 << 40), (i64::MAX, 0), (7, -1), (0, 0)];
        for (line, (task, rollout)) in (1..).zip(identities) {
            rollouts.row(at(task, rollout, 0), results(line), Verdict::Result, line % 2 == 0);
        }
        rollouts.merge(Rollouts::default());
        let found: Vec<_> = rollouts.iter().map(|found| (found.task, found.rollout)).collect();
        assert_eq!(found, [(-1, 0), (0, 0), (7, -1), (7, 1), (7, 1 << 40), (i64::MAX, 0)]);
        let masked = rollouts.iter().filter(|found| found.row.is_some_and(|row| row.is_masked));
        assert_eq!(masked.count(), 3);
    }

    #[test]
    fn a_rollout_stays_small() {
        // When they are sorted: the settled ones, a quarter as many that are not, and room to
        // sort for half of both.
        assert!(size_of::<((u32, u32), State)>() * 15 / 8 <= 64);
        // An inventory beside them.
        assert!(size_of::<((u32, u32), State)>() + size_of::<((u32, u32), ())>() * 15 / 8 <= 64);
    }

    /// What a line says; `None` is one of the inventory.
    fn lines() -> impl Strategy<Value = Option<Verdict>> {
        prop_oneof![
            Just(None),
            Just(Some(Verdict::Omitted)),
            Just(Some(Verdict::Result)),
            (0_u32..3).prop_map(|cell| Some(Verdict::Degraded(cell))),
            (0_u32..3).prop_map(|cell| Some(Verdict::Failed(cell))),
        ]
    }

    proptest! {
        /// Neither the order of lines nor their distribution over workers changes the result.
        #[test]
        fn order_and_parts_change_nothing(
            lines in prop::collection::vec((-1_i64..3, 0_i64..2, 0_i64..3, any::<bool>(), lines()), 0..20),
            order in any::<prop::sample::Index>(),
            split in any::<prop::sample::Index>(),
        ) {
            let lines: Vec<_> = lines.into_iter().zip(1..).map(|((task, rollout, attempt, in_results, says), line)| {
                (at(task, rollout, attempt), Place { in_results, file: 0, line }, says)
            }).collect();
            let tally = |lines: &[(Identity, Place, Option<Verdict>)]| {
                let mut rollouts = Rollouts::default();
                for &(identity, place, says) in lines {
                    match says {
                        Some(verdict) => rollouts.row(identity, place, verdict, false),
                        None => rollouts.expect(identity),
                    }
                }
                rollouts
            };
            let mut shuffled = lines.clone();
            if !lines.is_empty() {
                shuffled.rotate_left(order.index(lines.len()));
                shuffled.reverse();
            }
            let (left, right) = shuffled.split_at(split.index(lines.len() + 1));
            let mut merged = tally(left);
            merged.merge(tally(right));
            prop_assert_eq!(count(merged), count(tally(&lines)));
        }
    }
}
