"""Compares the functions on names with the reference, the module `failure_kinds` of NVIDIA NeMo Gym.

    pip install --no-deps --ignore-requires-python nemo-gym
    python3 benchmarks/reference.py

Both take names of the same mixes in turn. Prints the median nanoseconds per call, without the loop.
"""

import importlib.util
import logging
import random
import statistics
import string
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKLOAD = ROOT / "target" / "dist" / "workload"
NAMES = 65_536
ROUNDS = 5
# Rounds of `workload`, so that a run takes about as long as one of Python.
MANY = 40


def reference():
    """Only the module: its package has more dependencies than it needs."""
    package = importlib.util.find_spec("nemo_gym")
    for folder in package.submodule_search_locations if package else ():
        for path in (Path(folder) / "core" / "failure_kinds.py", Path(folder) / "failure_kinds.py"):
            if path.exists():
                spec = importlib.util.spec_from_file_location("failure_kinds", path)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                return module
    sys.exit("nemo-gym is not installed, so there is nothing to compare with")


def names(mix, registered):
    seeded = random.Random(7)
    letters = lambda low, high: "".join(
        seeded.choices(string.ascii_lowercase, k=seeded.randrange(low, high))
    )

    def near_miss():
        name = list(seeded.choice(registered))
        at = seeded.randrange(len(name))
        name[at] = "y" if name[at] == "x" else "x"
        return "".join(name)

    # A new text each time, as one from a row is: its hash is not known yet.
    kinds = {
        "hit": lambda: "".join(seeded.choice(registered)),
        "miss": lambda: letters(4, 40),
        "near_miss": near_miss,
        "namespaced": lambda: f"{letters(3, 12)}:{letters(3, 16)}",
        "one_unknown": lambda: "no_such_name",
    }
    makers = [kinds[mix]] if mix != "mixed" else [*kinds.values()][:4]
    return [makers[index % len(makers)]() for index in range(NAMES)]


def of_python(function, texts):
    start = time.perf_counter()
    for _ in texts:
        pass
    middle = time.perf_counter()
    for text in texts:
        function(text)
    return (time.perf_counter() - middle - (middle - start)) / len(texts)


def of_workload(work, mix):
    times = []
    for rounds in (1, 1 + MANY):
        start = time.perf_counter()
        subprocess.run([WORKLOAD, work, mix, str(rounds)], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return (times[1] - times[0]) / MANY / NAMES


def main():
    module = reference()
    packages = ["-p", "failure-kinds-benchmarks"]
    subprocess.run(["cargo", "build", "--profile", "dist", "--locked", *packages], cwd=ROOT, check=True)
    logging.disable()
    registered = sorted(module.FAILURE_KINDS)
    mixes = ("hit", "miss", "near_miss", "namespaced", "mixed")
    work = [("is_registered", mix) for mix in mixes] + [("validate", "hit"), ("validate", "one_unknown")]
    print(f"{'ns a call':32}{'failure-kinds':>14}{'reference':>11}{'ratio':>8}")
    for name, mix in work:
        function = {"is_registered": module.is_registered, "validate": module.validate_failure_kind}[name]
        texts = names(mix, registered)
        of_python(function, texts)
        pairs = [(of_workload(name, mix), of_python(function, texts)) for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(times) * 1e9 for times in zip(*pairs))
        print(f"{name + ', ' + mix:32}{ours:14.1f}{theirs:11.1f}{theirs / ours:8.1f}")


if __name__ == "__main__":
    main()
