use super::*;
use proptest::prelude::*;
use serde::Deserialize;

/// Reference values from statistics packages. `make_statistics.py` next to the file writes it.
#[derive(Deserialize)]
struct Expected {
    tables: Vec<Sides>,
    wilson: Vec<Interval>,
    pairs: Vec<Pairs>,
    flips: Vec<Flips>,
    adjusted: Vec<Adjusted>,
}

#[derive(Deserialize)]
struct Sides {
    baseline: [u64; 2],
    current: [u64; 2],
    p: f64,
    interval: [f64; 2],
}

#[derive(Deserialize)]
struct Interval {
    share: [u64; 2],
    interval: [f64; 2],
}

#[derive(Deserialize)]
struct Pairs {
    counts: [u64; 2],
    p: f64,
}

#[derive(Deserialize)]
struct Flips {
    differences: Vec<i64>,
    p: f64,
}

#[derive(Deserialize)]
struct Adjusted {
    p: Vec<f64>,
    benjamini_hochberg: Vec<f64>,
    holm: Vec<f64>,
}

fn expected() -> Expected {
    serde_json::from_str(include_str!("../../../tests/data/statistics.json")).unwrap()
}

fn share(count: u64, of: u64) -> Share {
    Share::new(count, of)
}

/// Equal to nine significant digits.
#[track_caller]
fn assert_near(actual: f64, expected: f64, case: &str) {
    assert!((actual - expected).abs() <= 1e-9 * expected.abs(), "{case}: {actual}, not {expected}");
}

/// Equal up to rounding of shares. A limit near 0 is the difference of larger numbers, so that its digits do not count.
#[track_caller]
fn assert_interval(actual: [f64; 2], expected: [f64; 2], case: &str) {
    for (actual, expected) in actual.into_iter().zip(expected) {
        assert!((actual - expected).abs() <= 1e-15, "{case}: {actual}, not {expected}");
    }
}

#[test]
fn fisher_matches_the_reference_values() {
    let tables = expected().tables;
    assert!(tables.len() >= 50);
    for Sides { baseline: [a, n1], current: [b, n2], p, .. } in tables {
        assert_near(fisher(share(a, n1), share(b, n2)), p, &format!("{a}/{n1} and {b}/{n2}"));
    }
}

#[test]
fn newcombe_matches_the_reference_values() {
    for Sides { baseline: [a, n1], current: [b, n2], interval, .. } in expected().tables {
        let case = format!("{a}/{n1} and {b}/{n2}");
        assert_interval(newcombe(share(a, n1), share(b, n2)), interval, &case);
    }
}

#[test]
fn wilson_matches_the_reference_values() {
    for Interval { share: [count, of], interval } in expected().wilson {
        let actual = share(count, of).interval();
        let case = format!("{count}/{of}");
        assert_interval(actual, interval, &case);
        assert_near(actual[1], interval[1], &case);
    }
}

#[test]
fn mcnemar_matches_the_reference_values() {
    let pairs = expected().pairs;
    assert!(pairs.len() >= 30);
    for Pairs { counts: [b, c], p } in pairs {
        assert_near(mcnemar(b, c), p, &format!("{b} and {c}"));
    }
}

#[test]
fn sign_flip_is_exact_up_to_20_tasks_that_differ_and_close_for_more() {
    let (mut exact, mut estimated) = (0, 0);
    for Flips { differences, p } in expected().flips {
        let actual = sign_flip(differences.iter().copied());
        if differences.iter().filter(|&&difference| difference != 0).count() <= 20 {
            exact += 1;
            assert_near(actual, p, &format!("{differences:?}"));
        } else {
            estimated += 1;
            let draws = f64::from(DRAWS);
            let error = (p * (1.0 - p) / draws).sqrt();
            let close = 4.0 * error + 1.0 / draws;
            assert!((actual - p).abs() <= close, "{differences:?}: {actual}, not near {p}");
        }
    }
    assert!(exact >= 15 && estimated >= 5);
}

#[test]
fn adjusted_values_match_the_reference_values() {
    for Adjusted { p, benjamini_hochberg: expected_q, holm: expected_holm } in expected().adjusted {
        for (actual, expected) in [(benjamini_hochberg(&p), expected_q), (holm(&p), expected_holm)]
        {
            assert_eq!(actual.len(), expected.len());
            for (actual, expected) in actual.into_iter().zip(expected) {
                assert_near(actual, expected, &format!("{p:?}"));
            }
        }
    }
}

#[test]
fn a_share_is_at_most_all() {
    assert_eq!(share(4, 3), share(4, 4));
    assert_eq!(share(3, 3).value().to_bits(), 1.0_f64.to_bits());
}

#[test]
fn an_empty_side_is_not_evidence() {
    let (empty, some) = (share(0, 0), share(3, 7));
    assert_near(empty.value(), 0.0, "value");
    assert_interval(empty.interval(), [0.0, 1.0], "interval");
    for (baseline, current) in [(empty, some), (some, empty), (empty, empty)] {
        assert_near(fisher(baseline, current), 1.0, "fisher");
        assert_interval(newcombe(baseline, current), [-1.0, 1.0], "newcombe");
    }
    assert_near(mcnemar(0, 0), 1.0, "mcnemar");
    assert_near(sign_flip([]), 1.0, "sign_flip");
    assert!(benjamini_hochberg(&[]).is_empty() && holm(&[]).is_empty());
}

#[test]
fn the_largest_counts_have_values() {
    let half = share(u64::MAX / 2, u64::MAX);
    assert_near(fisher(share(0, u64::MAX), half), 0.0, "fisher");
    assert_near(mcnemar(0, u64::MAX), 0.0, "mcnemar");
    assert_near(mcnemar(u64::MAX, u64::MAX), 1.0, "mcnemar");
}

#[test]
fn an_estimated_p_is_never_0_and_the_same_for_swapped_sides() {
    assert_near(sign_flip([1; 300]), 1.0 / 100_001.0, "all in one direction");
    let differences: Vec<i64> = (-17..=40).collect();
    let p = sign_flip(differences.iter().copied());
    let swapped = sign_flip(differences.iter().rev().map(|difference| -difference));
    assert_eq!(p.to_bits(), swapped.to_bits());
}

/// The published values of the generator with seed 1234567.
#[test]
fn the_generator_is_splitmix64() {
    let mut random = SplitMix64(1_234_567);
    assert_eq!(
        [(); 3].map(|()| random.next()),
        [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    );
}

/// Fisher's p in integers: each probability is a weight over the same denominator.
fn fisher_by_enumeration(baseline: Share, current: Share) -> f64 {
    let count = baseline.count + current.count;
    let weight = |a: u64| {
        if a > count { 0 } else { choose(baseline.of, a) * choose(current.of, count - a) }
    };
    let observed = weight(baseline.count);
    let extreme: u64 = (0..=baseline.of).map(weight).filter(|&weight| weight <= observed).sum();
    float(extreme) / float(choose(baseline.of + current.of, count))
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n { 0 } else { (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1)) }
}

fn shares(largest: u64) -> impl Strategy<Value = Share> {
    (0..=largest).prop_flat_map(|of| (0..=of).prop_map(move |count| share(count, of)))
}

fn is_probability(p: f64) -> bool {
    p > 0.0 && p <= 1.0
}

proptest! {
    #[test]
    fn fisher_matches_enumeration_in_integers(baseline in shares(28), current in shares(28)) {
        assert_near(
            fisher(baseline, current),
            fisher_by_enumeration(baseline, current),
            &format!("{baseline:?} and {current:?}"),
        );
    }

    #[test]
    fn swapping_the_sides_keeps_p_and_negates_the_interval(
        baseline in shares(3000),
        current in shares(3000),
        differences in prop::collection::vec(-9_i64..=9, 0..=20),
    ) {
        let p = fisher(baseline, current);
        prop_assert_eq!(p.to_bits(), fisher(current, baseline).to_bits());
        let [lower, upper] = newcombe(baseline, current);
        assert_interval(newcombe(current, baseline), [-upper, -lower], "interval");
        let [b, c] = [baseline.count, current.count];
        prop_assert_eq!(mcnemar(b, c).to_bits(), mcnemar(c, b).to_bits());
        let p = sign_flip(differences.iter().copied());
        prop_assert_eq!(p.to_bits(), sign_flip(differences.iter().map(|difference| -difference)).to_bits());
    }

    #[test]
    fn each_p_is_a_probability(
        baseline in shares(500),
        current in shares(500),
        differences in prop::collection::vec(-9_i64..=9, 0..=20),
    ) {
        prop_assert!(is_probability(fisher(baseline, current)));
        prop_assert!(is_probability(mcnemar(baseline.count, current.count)));
        prop_assert!(is_probability(sign_flip(differences)));
    }

    #[test]
    fn counting_the_other_rollouts_gives_the_same_p(baseline in shares(3000), current in shares(3000)) {
        let others = |side: Share| share(side.of - side.count, side.of);
        prop_assert_eq!(
            fisher(baseline, current).to_bits(),
            fisher(others(baseline), others(current)).to_bits()
        );
        let [lower, upper] = baseline.interval();
        assert_interval(others(baseline).interval(), [1.0 - upper, 1.0 - lower], "interval");
    }

    #[test]
    fn an_interval_contains_what_was_observed(baseline in shares(3000), current in shares(3000)) {
        let contains = |[lower, upper]: [f64; 2], value: f64| lower <= value && value <= upper;
        let [lower, upper] = baseline.interval();
        prop_assert!(lower >= 0.0 && upper <= 1.0 && contains([lower, upper], baseline.value()));
        let [lower, upper] = newcombe(baseline, current);
        prop_assert!(lower >= -1.0 && upper <= 1.0);
        prop_assert!(contains([lower, upper], current.value() - baseline.value()));
    }

    #[test]
    fn with_one_rollout_per_task_sign_flip_is_mcnemar(more in 0_u32..=10, fewer in 0_u32..=10) {
        let differences = (0..more).map(|_| 1).chain((0..fewer).map(|_| -1));
        assert_near(sign_flip(differences), mcnemar(more.into(), fewer.into()), "p");
    }

    #[test]
    fn adjusted_values_keep_the_order_and_holm_is_the_larger(
        p in prop::collection::vec(0.0_f64..=1.0, 0..60),
    ) {
        let (q, holm) = (benjamini_hochberg(&p), holm(&p));
        let order = ascending(&p);
        for adjusted in [&q, &holm] {
            prop_assert!(order.windows(2).all(|pair| adjusted[pair[0]] <= adjusted[pair[1]]));
        }
        for ((p, q), holm) in p.iter().zip(&q).zip(&holm) {
            prop_assert!(p <= q && q <= holm && *holm <= 1.0);
        }
    }
}

/// The kinds of the simulated failures.
const KINDS: usize = 8;
/// A rollout whose number from 0 to 99 is below the first limit fails with the first kind, and so on, from frequent kinds
/// to rare ones; above the last one it passes.
const LIMITS: [u64; KINDS] = [12, 20, 26, 31, 35, 38, 40, 41];

/// How many tasks of one run fail with each kind, for each task.
type Run = Vec<[u64; KINDS]>;

/// Tasks of different difficulty: half of their rollouts end in the same way. `moved` is added to each number.
fn run(random: &mut SplitMix64, tasks: u64, rollouts: u64, moved: u64) -> Run {
    (0..tasks)
        .map(|task| {
            let mut counts = [0; KINDS];
            for _ in 0..rollouts {
                let number = if random.heads(1) == 1 { task * 37 } else { random.next() };
                let number = number % 100 + moved;
                if let Some(kind) = LIMITS.iter().position(|&limit| number < limit) {
                    counts[kind] += 1;
                }
            }
            counts
        })
        .collect()
}

/// How the p of one kind comes from two runs.
type Test = fn(&Run, &Run, usize) -> f64;

fn by_fisher(baseline: &Run, current: &Run, kind: usize) -> f64 {
    let side = |run: &Run| share(run.iter().map(|task| task[kind]).sum(), run.len() as u64);
    fisher(side(baseline), side(current))
}

fn by_mcnemar(baseline: &Run, current: &Run, kind: usize) -> f64 {
    let only = |one: &Run, other: &Run| {
        one.iter().zip(other).map(|(one, other)| u64::from(one[kind] > other[kind])).sum()
    };
    mcnemar(only(baseline, current), only(current, baseline))
}

fn by_sign_flip(baseline: &Run, current: &Run, kind: usize) -> f64 {
    sign_flip(
        baseline
            .iter()
            .zip(current)
            .map(|(one, other)| one[kind].cast_signed() - other[kind].cast_signed()),
    )
}

/// Of 1,000 comparisons of two runs: the shares of rows that are shown, and of comparisons whose gate fires.
fn alarms(tasks: u64, rollouts: u64, moved: u64, test: Test) -> [f64; 2] {
    let mut random = SplitMix64(18);
    let (mut rows, mut shown, mut fired) = (0, 0, 0);
    for _ in 0..1000 {
        let baseline = run(&mut random, tasks, rollouts, 0);
        let current = run(&mut random, tasks, rollouts, moved);
        let p: Vec<f64> = (0..KINDS)
            .filter(|&kind| baseline.iter().chain(&current).any(|task| task[kind] > 0))
            .map(|kind| test(&baseline, &current, kind))
            .collect();
        rows += p.len() as u64;
        shown += benjamini_hochberg(&p).into_iter().filter(|&q| q < 0.05).count() as u64;
        fired += u64::from(holm(&p).into_iter().any(|p| p < 0.05));
    }
    [float(shown) / float(rows), float(fired) / 1000.0]
}

#[test]
fn equal_runs_rarely_raise_an_alarm() {
    for (tasks, rollouts, test) in
        [(203, 1, by_fisher as Test), (203, 1, by_mcnemar), (20, 16, by_sign_flip)]
    {
        let [shown, fired] = alarms(tasks, rollouts, 0, test);
        assert!(shown < 0.05 && fired < 0.05, "{shown} of the rows, {fired} of the comparisons");
    }
}

#[test]
fn different_runs_raise_an_alarm() {
    for (tasks, rollouts, test) in
        [(203, 1, by_fisher as Test), (203, 1, by_mcnemar), (20, 16, by_sign_flip)]
    {
        let [shown, fired] = alarms(tasks, rollouts, 12, test);
        assert!(shown > 0.1 && fired > 0.5, "{shown} of the rows, {fired} of the comparisons");
    }
}
