"""Counts instructions, which show a regression where times are noise.

    python3 benchmarks/instructions.py [--write]

Counts the instructions of each call with callgrind, and compares them with
benchmarks/instructions.json. Fails if one takes 2 % more. `--write` regenerates the file. The counts
are for the compiler of rust-toolchain.toml on x86-64; callgrind emulates a processor with AVX2 on
any machine.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "target" / "dist"
BASELINE = Path(__file__).with_suffix(".json")
TOLERANCE = 0.02
ROUNDS = 4

NAMES = 65_536
EVENTS = 16_384
# Work and input of `workload`, and the calls of one round.
WORK = {
    ("is_registered", "hit"): NAMES,
    ("is_registered", "mixed"): NAMES,
    ("is_namespaced", "mixed"): NAMES,
    ("validate", "hit"): NAMES,
    ("validate", "namespaced"): NAMES,
    ("validate", "one_unknown"): NAMES,
    ("classify", "default"): EVENTS,
    ("classify", "entries_200"): EVENTS,
    ("producer", "macro"): 1,
    ("producer", "constant"): 1,
}
# Rows of `triage`: whole runs, of which the start of the program is a small part.
MEGABYTES = {"large": 40, "medium": 20, "small": 10}


def count(command, options=()):
    with tempfile.NamedTemporaryFile() as out:
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *options]
        done = subprocess.run(
            [*valgrind, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
    if done.returncode:
        raise SystemExit(f"{command[0]} failed under valgrind:\n{done.stderr[-2000:]}")
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def counts():
    for (work, name), calls in WORK.items():
        command = [BUILT / "workload", work, name, ROUNDS]
        collected = count(command, ["--toggle-collect=*measured_*"])
        yield f"{work} {name}, a call", round(collected / ROUNDS / calls, 2)
    for shape, megabytes in MEGABYTES.items():
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as rows:
            generate = [BUILT / "generate-rows", shape, f"{megabytes}MB", rows.name]
            subprocess.run(generate, check=True)
            collected = count([BUILT / "failure-kinds", "triage", rows.name, "--format", "json"])
        yield f"triage {shape}, a byte", round(collected / megabytes / 1e6, 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="regenerate the baseline")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed; on Debian, install the package `valgrind`")
    packages = ["-p", "failure-kinds-cli", "-p", "failure-kinds-benchmarks"]
    subprocess.run(["cargo", "build", "--profile", "dist", "--locked", *packages], cwd=ROOT, check=True)
    before = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    now = dict(counts())
    worse = []
    print(f"{'instructions':36}{'baseline':>10}{'now':>10}{'change':>9}")
    for name, value in now.items():
        old = before.get(name)
        change = value / old - 1 if old else 0
        print(f"{name:36}{old or '':>10}{value:>10}{change:>+9.1%}")
        if change > TOLERANCE:
            worse.append(name)
    if arguments.write:
        BASELINE.write_text(json.dumps(now, indent=2) + "\n")
    elif missing := sorted(now.keys() ^ before.keys()):
        sys.exit(f"not in the baseline, or no longer measured: {', '.join(missing)}")
    elif worse:
        sys.exit(f"more than the baseline: {', '.join(worse)}")
    if now["producer macro, a call"] != now["producer constant, a call"]:
        sys.exit("a use of `failure_kind!` takes different instructions from the constant")


if __name__ == "__main__":
    main()
