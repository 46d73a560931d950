//! The statistics of a comparison: exact tests, confidence intervals and corrections for many tests.
//!
//! They know nothing of rows and kinds: what goes in are counts, what comes out are numbers.
//!
//! Probabilities of whole tables come from Loader's method. Differences of `ln_gamma` would lose half of the digits for
//! millions of rollouts. Tests and intervals are symmetric: swapping the sides leaves each p as it is, to the
//! last bit, and negates the interval.
//!
//! Sources:
//!
//! * Q. McNemar, *Note on the sampling error of the difference between correlated proportions or percentages*,
//!   Psychometrika 12 (1947)
//! * R. A. Fisher, *The Design of Experiments* (1935): the test of 2×2 tables, and the randomization test of paired
//!   differences
//! * E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, JASA 22 (1927)
//! * R. G. Newcombe, *Interval estimation for the difference between independent proportions: comparison of eleven
//!   methods*, Statistics in Medicine 17 (1998)
//! * Y. Benjamini and Y. Hochberg, *Controlling the false discovery rate*, JRSS B 57 (1995)
//! * S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics 6 (1979)
//! * C. Loader, *Fast and accurate computation of binomial probabilities* (2000)
//! * G. L. Steele, D. Lea and C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA (2014)

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use serde::Serialize;

/// The 97.5 % quantile of the normal distribution, for intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// How many rollouts of one side are in a row of the comparison, and how many there are on that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    count: u64,
    of: u64,
}

impl Share {
    /// If `count` is larger than `of`, it is all of them.
    pub(super) fn new(count: u64, of: u64) -> Self {
        Self { count, of: of.max(count) }
    }

    /// How many are in the row.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// How many there are on the side.
    #[must_use]
    pub const fn of(self) -> u64 {
        self.of
    }

    /// The share as a number from 0 to 1; 0 if the side is empty.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.of == 0 { 0.0 } else { float(self.count) / float(self.of) }
    }

    /// The 95 % interval of the underlying share, by Wilson's score. For an empty side it is 0 to 1.
    #[must_use]
    pub fn interval(self) -> [f64; 2] {
        if self.of == 0 {
            return [0.0, 1.0];
        }
        let (count, of, z2) = (float(self.count), float(self.of), Z * Z);
        // The limits are the roots of (of + z²) x² - (2 count + z²) x + count² / of. The lower one comes from their
        // product, since the usual difference is inexact for small counts.
        let root = (z2 * (z2 + 4.0 * count * (of - count) / of)).sqrt();
        let sum = 2.0 * count + z2 + root;
        [2.0 * count * count / of / sum, sum / (2.0 * of + z2 + z2)]
    }

    /// How far below and above the share the limits of its interval are.
    fn distances(self) -> [f64; 2] {
        let [lower, upper] = self.interval();
        [self.value() - lower, upper - self.value()]
    }
}

/// The 95 % interval of the current share minus the baseline's: Newcombe's hybrid score, method 10 of his paper, for
/// independent sides and without a correction for continuity.
///
/// If a side is empty, nothing is known about the difference: the interval is -1 to 1.
pub(crate) fn newcombe(baseline: Share, current: Share) -> [f64; 2] {
    if baseline.of == 0 || current.of == 0 {
        return [-1.0, 1.0];
    }
    let difference = current.value() - baseline.value();
    let [baseline_below, baseline_above] = baseline.distances();
    let [current_below, current_above] = current.distances();
    [
        (difference - baseline_above.hypot(current_below)).max(-1.0),
        (difference + baseline_below.hypot(current_above)).min(1.0),
    ]
}

/// The two-sided p of McNemar's exact test, from the numbers of pairs that differ in one direction and in the other.
///
/// It is 1 if there are none, and 0 if it is too small for an `f64`.
pub(crate) fn mcnemar(only_baseline: u64, only_current: u64) -> f64 {
    let fewer = only_baseline.min(only_current);
    let more = only_baseline.max(only_current);
    if more - fewer <= 1 {
        // No smaller difference is possible with this number of pairs.
        return 1.0;
    }
    // Twice the lower tail of the binomial distribution with probability 1/2.
    let (low, high) = (float(fewer), float(more));
    let expected = f64::midpoint(low, high);
    let ln_probability = ln_factorial_rest(low + high)
        - cell(low, expected, low - expected)
        - cell(high, expected, high - expected);
    let tail = sum_of_products((0..fewer).map(|i| float(fewer - i) / float(more + i + 1)));
    (2.0 * ln_probability.exp() * tail).min(1.0)
}

/// The two-sided p of Fisher's exact test: the sum of the probabilities of all tables with the same margins that are not
/// more probable than the observed one.
///
/// It is 1 if the margins allow only one table, as with an empty side, and 0 if it is too small for an `f64`.
pub(crate) fn fisher(baseline: Share, current: Share) -> f64 {
    let observed = Table::new(baseline, current);
    let below = observed.a.min(observed.d);
    if below == 0 {
        return 1.0;
    }
    // Rounding errors of equally probable tables are smaller than this. R allows a relative 1e-7, but neighbouring tables
    // of millions differ by less.
    let limit = observed.ln_probability() + 1e-11;
    // From the observed table down, probabilities rise to the mode and then fall. Find the first that is low enough.
    let (mut first, mut end) = (1, below + 1);
    while first < end {
        let middle = u64::midpoint(first, end);
        if observed.down(middle).ln_probability() <= limit {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    if first == 1 {
        // The observed table is the mode.
        return 1.0;
    }
    let opposite = if first <= below { observed.down(first).mirrored().upper_tail() } else { 0.0 };
    (observed.upper_tail() + opposite).min(1.0)
}

/// Up to this many tasks that differ, all assignments of signs are counted.
const EXACT_TASKS: u32 = 20;
/// For more of them, this many assignments are drawn.
const DRAWS: u32 = 100_000;

/// The two-sided p of the sign-flip test, from the difference of counts of each task: how often the sum is at least as
/// far from 0 as the observed one if each difference had the other sign with probability 1/2.
///
/// Exact for up to 20 tasks that differ. For more, it is estimated from 100,000 random assignments and the observed one,
/// so that it is never 0. The same differences, in any order, always have the same p.
pub(crate) fn sign_flip(differences: impl IntoIterator<Item = i64>) -> f64 {
    let mut observed = 0;
    let mut tasks_by_size = BTreeMap::new();
    for difference in differences.into_iter().filter(|&difference| difference != 0) {
        observed += difference;
        *tasks_by_size.entry(difference.abs()).or_default() += 1;
    }
    let is_extreme = |sum: i64| sum.abs() >= observed.abs();
    let tasks: u32 = tasks_by_size.values().sum();
    if tasks <= EXACT_TASKS {
        let extreme: u32 = sums_of_signed(&tasks_by_size)
            .into_iter()
            .filter_map(|(sum, ways)| is_extreme(sum).then_some(ways))
            .sum();
        return f64::from(extreme) / f64::from(1_u32 << tasks);
    }
    let mut random = SplitMix64(0);
    let mut extreme = 1;
    for _ in 0..DRAWS {
        let sum = tasks_by_size
            .iter()
            .map(|(size, &tasks)| size * (2 * i64::from(random.heads(tasks)) - i64::from(tasks)))
            .sum();
        extreme += u32::from(is_extreme(sum));
    }
    f64::from(extreme) / f64::from(DRAWS + 1)
}

/// The q of each p, in the same order: p adjusted by Benjamini and Hochberg, for the false discovery rate.
pub(crate) fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let tests = p.len() as u64;
    let mut adjusted = vec![1.0; p.len()];
    let mut smallest = 1.0_f64;
    for (index, rank) in ascending(p).into_iter().rev().zip((1..=tests).rev()) {
        smallest = smallest.min(p[index] * (float(tests) / float(rank)));
        adjusted[index] = smallest;
    }
    adjusted
}

/// Each p adjusted by Holm, in the same order, for the probability of any false alarm.
pub(crate) fn holm(p: &[f64]) -> Vec<f64> {
    let tests = p.len() as u64;
    let mut adjusted = vec![1.0; p.len()];
    let mut largest = 0.0_f64;
    for (index, left) in ascending(p).into_iter().zip((1..=tests).rev()) {
        largest = largest.max(p[index] * float(left)).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// The indices of the values, from the smallest value to the largest.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
    order
}

/// A 2×2 table. [`Table::new`] arranges it so that `a` and `d` are not below their expectations.
///
/// | | in the row | not in it |
/// |---|---|---|
/// | one side | `a` | `b` |
/// | the other | `c` | `d` |
#[derive(Clone, Copy)]
struct Table {
    a: u64,
    b: u64,
    c: u64,
    d: u64,
}

impl Table {
    fn new(one: Share, other: Share) -> Self {
        let table =
            Self { a: one.count, b: one.of - one.count, c: other.count, d: other.of - other.count };
        if table.excess() < 0.0 { table.mirrored() } else { table }
    }

    /// The table with its columns swapped.
    fn mirrored(self) -> Self {
        Self { a: self.b, b: self.a, c: self.d, d: self.c }
    }

    /// The table with the same margins and `steps` less in `a`.
    fn down(self, steps: u64) -> Self {
        Self { a: self.a - steps, b: self.b + steps, c: self.c + steps, d: self.d - steps }
    }

    /// The determinant `ad - bc`: how far `a` is above its expectation, times the sum of the cells.
    fn excess(self) -> f64 {
        let ad = u128::from(self.a) * u128::from(self.d);
        let bc = u128::from(self.b) * u128::from(self.c);
        #[expect(clippy::cast_precision_loss, reason = "correctly rounded is enough")]
        let excess = ad.abs_diff(bc) as f64;
        if ad < bc { -excess } else { excess }
    }

    /// The logarithm of the hypergeometric probability of this table, given its margins. None of them is 0.
    fn ln_probability(self) -> f64 {
        let [a, b, c, d] = [self.a, self.b, self.c, self.d].map(float);
        let (row, other_row, column, other_column) = (a + b, c + d, a + c, b + d);
        let all = row + other_row;
        let excess = self.excess() / all;
        let margins = (ln_factorial_rest(row) + ln_factorial_rest(other_row))
            + (ln_factorial_rest(column) + ln_factorial_rest(other_column))
            - ln_factorial_rest(all);
        // In this order, the value is the same to the last bit for the other side first.
        margins
            - (cell(a, row * column / all, excess)
                + cell(d, other_row * other_column / all, excess))
            - (cell(b, row * other_column / all, -excess)
                + cell(c, other_row * column / all, -excess))
    }

    /// The probability of this table and of all with more in `a`.
    fn upper_tail(self) -> f64 {
        let Self { a, b, c, d } = self;
        let ratios = (0..b.min(c))
            .map(|i| float(b - i) * float(c - i) / (float(a + i + 1) * float(d + i + 1)));
        self.ln_probability().exp() * sum_of_products(ratios)
    }
}

/// What a cell contributes to the negative logarithm of a table's probability; `difference` is observed minus expected.
fn cell(observed: f64, expected: f64, difference: f64) -> f64 {
    deviance(observed, expected, difference) + ln_factorial_rest(observed)
}

/// `observed * ln(observed / expected) - difference`, also exact where the two are close: Loader's `bd0`.
fn deviance(observed: f64, expected: f64, difference: f64) -> f64 {
    if observed == 0.0 {
        return -difference;
    }
    let ratio = difference / (observed + expected);
    if ratio.abs() >= 0.1 {
        return observed * (observed / expected).ln() - difference;
    }
    // ln(observed / expected) is 2 atanh(ratio). The first term of its series cancels with most of the difference.
    let square = ratio * ratio;
    let series = [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0]
        .into_iter()
        .fold(0.0, |sum, odd| sum * square + 1.0 / odd);
    difference * ratio + 2.0 * observed * ratio * square * series
}

/// `ln(n!) - (n * ln(n) - n)`: the rest of Stirling's series after its leading terms.
fn ln_factorial_rest(n: f64) -> f64 {
    if n < 1.0 {
        return 0.0;
    }
    if n < 16.0 {
        let mut factorial = 1.0;
        let mut factor = n;
        while factor > 1.0 {
            factorial *= factor;
            factor -= 1.0;
        }
        return f64::ln(factorial) - (n * n.ln() - n);
    }
    let x = 1.0 / (n * n);
    let series =
        1.0 / 12.0 - x * (1.0 / 360.0 - x * (1.0 / 1260.0 - x * (1.0 / 1680.0 - x / 1188.0)));
    0.5 * (TAU * n).ln() + series / n
}

/// `1 + r₁ + r₁r₂ + r₁r₂r₃ + …` for falling ratios, until a term no longer changes the sum.
fn sum_of_products(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for ratio in ratios {
        term *= ratio;
        let next = sum + term;
        if next <= sum {
            break;
        }
        sum = next;
    }
    sum
}

/// How many of all assignments of signs lead to each sum.
fn sums_of_signed(tasks_by_size: &BTreeMap<i64, u32>) -> BTreeMap<i64, u32> {
    let mut sums = BTreeMap::from([(0, 1)]);
    for (size, &tasks) in tasks_by_size {
        for _ in 0..tasks {
            let mut longer = BTreeMap::new();
            for (sum, ways) in sums {
                *longer.entry(sum + size).or_default() += ways;
                *longer.entry(sum - size).or_default() += ways;
            }
            sums = longer;
        }
    }
    sums
}

/// A small generator of random numbers with a fixed sequence, so that a comparison has the same p in every release.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The number of heads in `tosses` of a coin, one bit for each.
    fn heads(&mut self, tosses: u32) -> u32 {
        let whole: u32 = (0..tosses / 64).map(|_| self.next().count_ones()).sum();
        let rest = self.next() & ((1 << (tosses % 64)) - 1);
        whole + rest.count_ones()
    }
}

/// A count as a number; exact below 2⁵³.
#[expect(clippy::cast_precision_loss, reason = "no run has 2⁵³ rollouts")]
fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
