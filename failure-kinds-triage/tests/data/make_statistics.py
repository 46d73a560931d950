"""Write statistics.json: what the tests of compare's statistics expect.

    pip install scipy==1.17.1 statsmodels==0.15.0 mpmath==1.4.1
    python make_statistics.py > statistics.json

Intervals and adjusted p-values are those of statsmodels. Exact p-values are computed with mpmath to 50 digits, or by
counting all sign assignments, and compared with scipy. For tables of millions, scipy itself has only 8 digits.
"""

import json
import platform
import random
import sys
from importlib.metadata import version

from mpmath import mp, mpf
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

mp.dps = 50
NEGLIGIBLE = mpf(10) ** -30

# Largest relative differences of scipy and statsmodels from the exact values.
worst = {}


def compare(name, exact, package, tolerance):
    """Return the exact value as a float; fail if the package has another."""
    difference = float(abs(exact - package) / exact)
    assert difference <= tolerance, (name, exact, package, difference)
    worst[name] = max(worst.get(name, 0.0), difference)
    return float(exact)


def ln_factorial(n):
    return mp.loggamma(mpf(n) + 1)


def fisher(a, n1, b, n2):
    """Sum the hypergeometric probabilities that are not larger than that of the table."""
    hits, total = a + b, n1 + n2
    low, high = max(0, hits - n2), min(n1, hits)

    def probability(x):
        return mp.exp(
            ln_factorial(hits) + ln_factorial(total - hits) + ln_factorial(n1) + ln_factorial(n2)
            - ln_factorial(total) - ln_factorial(x) - ln_factorial(hits - x)
            - ln_factorial(n1 - x) - ln_factorial(n2 - hits + x)
        )

    def upper_tail(x):
        term = total = probability(x)
        while x < high and term > total * NEGLIGIBLE:
            term = term * (hits - x) * (n1 - x) / ((x + 1) * (n2 - hits + x + 1))
            total += term
            x += 1
        return total

    def lower_tail(x):
        term = total = probability(x)
        while x > low and term > total * NEGLIGIBLE:
            term = term * x * (n2 - hits + x) / ((hits - x + 1) * (n1 - x + 1))
            total += term
            x -= 1
        return total

    mode = (n1 + 1) * (hits + 1) // (total + 2)
    limit = probability(a) * (1 + NEGLIGIBLE)
    if probability(mode) <= limit:
        return mpf(1)
    # The nearest tables to the mode that are not more probable, on both sides.
    left, inside = low - 1, mode
    while inside - left > 1:
        middle = (left + inside) // 2
        left, inside = (middle, inside) if probability(middle) <= limit else (left, middle)
    inside, right = mode, high + 1
    while right - inside > 1:
        middle = (inside + right) // 2
        inside, right = (inside, middle) if probability(middle) <= limit else (middle, right)
    return (lower_tail(left) if left >= low else 0) + (upper_tail(right) if right <= high else 0)


def tables():
    cases = [
        # Small, with zeros, full rows and one possible table.
        (1, 9, 11, 14), (0, 10, 10, 10), (3, 8, 3, 8), (0, 5, 0, 7), (5, 5, 7, 7), (0, 1, 1, 1), (1, 1, 1, 1),
        (0, 3, 1, 3), (2, 4, 0, 9), (7, 7, 0, 7), (0, 20, 5, 20), (5, 20, 0, 20), (1, 100, 1, 1), (4, 4, 1, 100),
        (8, 14, 1, 10), (10, 100, 9, 90), (2, 50, 20, 50), (6, 16, 11, 15), (0, 16, 1, 160), (3, 60, 12, 61),
        # Sizes of real runs, also skewed.
        (0, 203, 6, 203), (12, 203, 3, 203), (17, 203, 17, 200), (1, 1319, 14, 1319), (120, 1000, 80, 1000),
        (5, 500, 40, 5000), (199, 200, 180, 200), (300, 300, 250, 300), (0, 12032, 9, 12032), (50, 100, 500, 10000),
        (1000, 2000, 1001, 2000), (700, 2000, 760, 2000), (2, 10, 4000, 10000), (9999, 10000, 9990, 10000),
        (1200, 100000, 1000, 100000), (0, 100000, 60, 100000), (49000, 100000, 51000, 100000), (7, 7, 3, 1000000),
        # Tiny.
        (1000, 2000, 1700, 2000), (0, 400, 300, 400), (0, 500, 500, 500), (10, 5000, 900, 5000),
        (40000, 100000, 48000, 100000),
        # Millions.
        (5, 30000000, 25, 30000000), (30000, 30000000, 31000, 30000000), (300, 20000000, 900, 30000000),
        (15000000, 30000000, 15000001, 30000000), (15000000, 30000000, 15000003, 29999000),
        (15000000, 30000000, 15010000, 30000000), (15000000, 30000000, 15100000, 30000000),
        (10000000, 30000000, 3333400, 10000000), (29999990, 30000000, 29999999, 30000000), (0, 10, 1, 30000000),
        (3, 10, 1, 30000000), (1000000, 3000000, 1003000, 3000000),
    ]
    for a, n1, b, n2 in cases:
        package = stats.fisher_exact([[a, n1 - a], [b, n2 - b]]).pvalue
        yield {
            "baseline": [a, n1],
            "current": [b, n2],
            "p": compare("fisher", fisher(a, n1, b, n2), package, 1e-9 if n1 + n2 < 1e7 else 1e-8),
            "interval": [float(x) for x in confint_proportions_2indep(b, n2, a, n1, method="newcomb", compare="diff")],
        }


def wilson():
    cases = [(0, 1), (0, 10), (0, 203), (0, 30000000), (1, 1), (203, 203), (1, 2), (5, 10), (1, 1000000),
             (150, 203), (29999999, 30000000), (15000000, 30000000)]
    for count, of in cases:
        yield {"share": [count, of], "interval": [float(x) for x in proportion_confint(count, of, method="wilson")]}


def binomial(b, c):
    """Twice the smaller tail of the binomial distribution with probability 1/2, at most 1."""
    fewer, n = min(b, c), b + c
    term = total = mp.exp(ln_factorial(n) - ln_factorial(fewer) - ln_factorial(n - fewer) - n * mp.log(2))
    while fewer > 0 and term > total * NEGLIGIBLE:
        term = term * fewer / (n - fewer + 1)
        total += term
        fewer -= 1
    return min(mpf(1), 2 * total)


def pairs():
    cases = [
        (0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (2, 1), (3, 1), (0, 5), (0, 6), (6, 0), (3, 9), (9, 3), (10, 10),
        (10, 11), (10, 12), (0, 20), (1, 30), (14, 40), (100, 150), (150, 100), (100, 900), (0, 1000), (5, 700),
        (1000, 1001), (1000, 1002), (5000, 5400), (499000, 501000), (5000000, 5010000), (15000000, 15000500),
        (15000000, 15100000), (3, 100), (20, 300),
    ]
    for b, c in cases:
        package = mcnemar([[0, b], [c, 0]], exact=True).pvalue if b + c else 1.0
        yield {"counts": [b, c], "p": compare("mcnemar", binomial(b, c), package, 1e-9)}


def sign_flip(differences):
    """How many sign assignments have a sum at least as far from 0, as a share of all."""
    sums = {0: 1}
    for difference in differences:
        longer = {}
        for total, ways in sums.items():
            for signed in (total + difference, total - difference):
                longer[signed] = longer.get(signed, 0) + ways
        sums = longer
    extreme = sum(ways for total, ways in sums.items() if abs(total) >= abs(sum(differences)))
    return mpf(extreme) / 2 ** len(differences)


def flips():
    source = random.Random(18)
    cases = [
        [], [0, 0, 0], [1], [-3], [1, -1], [2, 2], [1, 2, 3, 4, 5], [1, 1, 1, 1, 1, 1], [-1, -1, -1, -1, -1, 1],
        [0, 4, -1, 0, 2, 2, -3], [1, 10, 100, 1000, 10000, -100000], [5] * 12, [3, -3] * 5 + [1],
        [7, 1, 1, 1, 1, 1, 1, -2], [1] * 20, [1] * 17 + [-1] * 3, [0] * 10 + [2, 1] * 7,
        [source.randint(-4, 6) for _ in range(15)], [source.randint(-8, 8) for _ in range(18)],
        [source.randint(1, 300) * source.choice((1, 1, 1, -1)) for _ in range(20)],
        # More than 20: the test estimates these.
        [1] * 14 + [-1] * 7, [source.randint(-3, 4) for _ in range(60)], [source.randint(-8, 8) for _ in range(200)],
        [1] * 130 + [-1] * 100, [2] * 64 + [-1] * 128 + [1] * 20, [1] * 40,
    ]
    for differences in cases:
        exact = sign_flip(differences)
        if any(differences) and 2 <= len(differences) <= 15:
            package = stats.permutation_test(
                (differences,), lambda x, axis: x.sum(axis=axis), permutation_type="samples", vectorized=True,
                n_resamples=2 ** 15, alternative="two-sided",
            ).pvalue
            compare("sign_flip", exact, min(1.0, package), 1e-9)
        yield {"differences": differences, "p": float(exact)}


def adjusted():
    source = random.Random(20)
    cases = [
        [0.03], [1.0, 1.0], [0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.04, 0.03, 0.02, 0.01], [0.2, 0.2, 0.01, 0.2],
        [0.001, 0.8, 0.04, 1.0, 0.04], [1e-200, 1e-3, 0.5, 1e-200], [0.9, 0.95, 0.99], [5e-324, 1e-300, 0.5],
        [source.random() for _ in range(8)], [source.random() ** 4 for _ in range(50)],
        [10 ** (-30 * source.random()) for _ in range(300)],
    ]
    for p in cases:
        yield {
            "p": p,
            "benjamini_hochberg": [float(q) for q in multipletests(p, method="fdr_bh")[1]],
            "holm": [float(q) for q in multipletests(p, method="holm")[1]],
        }


values = {
    "tables": list(tables()),
    "wilson": list(wilson()),
    "pairs": list(pairs()),
    "flips": list(flips()),
    "adjusted": list(adjusted()),
}
head = {
    "made_with": {"python": platform.python_version()}
    | {name: version(name) for name in ("scipy", "statsmodels", "mpmath", "numpy")},
    "largest_relative_difference_from_packages": worst,
}
lines = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
for key, cases in values.items():
    rows = ",\n".join("    " + json.dumps(case) for case in cases)
    lines.append(f'"{key}": [\n{rows}\n  ]')
sys.stdout.write("{\n  " + ",\n  ".join(lines) + "\n}\n")
