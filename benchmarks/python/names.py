"""Compares calls of the functions on names with those of the reference.

Run it with the package and the reference installed:

    pip install ./failure-kinds-python
    pip install --no-deps --ignore-requires-python nemo-gym==0.7.0
    python benchmarks/python/names.py
"""

import functools
import gc
import itertools
import timeit
from collections.abc import Callable

import failure_kinds
from nemo_gym import failure_kinds as reference

FUNCTIONS = ["is_registered", "is_namespaced", "validate_failure_kind"]
VALUES = ["judge_failed", "browser_env:tab_crashed", "judge_faild", None]


def best(rounds: int, functions: list[Callable[[], object]]) -> list[float]:
    """The shortest time of a call of each function. They run in turn, so that both see the noise."""
    calls = 20_000
    times = [float("inf")] * len(functions)
    for _ in range(rounds):
        for index, function in enumerate(functions):
            times[index] = min(times[index], timeit.timeit(function, number=calls) / calls)
    return times


def main() -> None:
    gc.disable()
    print(f"{'call':40} {'ours':>8} {'reference':>9} {'ratio':>6}")
    for function, value in itertools.product(FUNCTIONS, VALUES):
        if function == "is_namespaced" and value is None:
            continue  # Raises.
        modules = [failure_kinds, reference]
        calls = [functools.partial(getattr(module, function), value) for module in modules]
        ours, theirs = best(30, calls)
        call = f"{function}({value!r})"
        print(f"{call:40} {ours * 1e9:5.0f} ns {theirs * 1e9:6.0f} ns {ours / theirs:6.2f}")


if __name__ == "__main__":
    main()
