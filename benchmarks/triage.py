"""Compares `failure-kinds triage` with other tools.

    python3 benchmarks/triage.py [--scale 0.1] [--rounds 5]

Generates seeded rows in target/benchmarks, runs all programs in turn, round by round, and prints
medians, each as a ratio to the first. The page cache is warm: a first round is not counted.
"""

import argparse
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "target" / "benchmarks"
BUILT = ROOT / "target" / "dist"
SHAPES = {"large": 1200, "medium": 500, "small": 300}
COLUMNS = ("_ng_failure_class", "_ng_failure_stage", "_ng_failure_http_status")

# What a user would write: count by kind, stage and status.
ORJSON = f"""
import sys, orjson, collections
keys = {COLUMNS}
with open(sys.argv[1], "rb") as rows:
    counts = collections.Counter(
        tuple(row.get(key) for key in keys) for row in map(orjson.loads, rows)
    )
print(counts)
"""
DUCKDB = f"""
import sys, duckdb
connection = duckdb.connect()
connection.execute("set threads = 2")
print(connection.execute(
    "select {', '.join(COLUMNS)}, count(*) from read_ndjson(?, maximum_object_size = 33554432,"
    " columns = {{_ng_failure_class: 'VARCHAR', _ng_failure_stage: 'VARCHAR',"
    " _ng_failure_http_status: 'BIGINT'}}) group by all", [sys.argv[1]]).fetchall())
"""
JQ = 'reduce inputs as $row ({}; .["\\($row._ng_failure_class) \\($row._ng_failure_stage)"] += 1)'


def programs(path):
    """The commands for a plain file by name; None for a program that is not installed."""
    ours = [BUILT / "failure-kinds", "triage", path, "--format", "json"]
    python = lambda module, text: (
        [sys.executable, "-c", text, path] if importlib.util.find_spec(module) else None
    )
    return {
        "failure-kinds": ours,
        "wc -l": ["wc", "-l", path],
        "DuckDB, 2 threads": python("duckdb", DUCKDB),
        "orjson + Counter": python("orjson", ORJSON),
        "jq": ["jq", "-n", JQ, path] if shutil.which("jq") else None,
    }


def compressed(path, tool):
    """The commands for a compressed file."""
    ours = [BUILT / "failure-kinds", "triage", path, "--format", "json"]
    return {
        "failure-kinds": ours,
        f"{tool} -dc | wc -l": ["sh", "-c", f'{tool} -dc "$0" | wc -l', path],
    }


def run(command):
    """Wall seconds, CPU seconds and peak memory in MB of a command and its children."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"{command[0]} failed: {errors.decode(errors='replace')[-500:]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(title, commands, rounds):
    print(f"\n{title}; load {os.getloadavg()[0]:.1f}")
    for name in [name for name, command in commands.items() if command is None]:
        print(f"  {name}: not installed, left out")
        del commands[name]
    figures = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            if name != "jq" or number == 1:  # Once is long enough.
                figure = run(command)
                if number > 0:
                    figures[name].append(figure)
    print(f"  {'':24}{'wall s':>9}{'x ours':>9}{'CPU s':>9}{'x ours':>9}{'peak MB':>9}")
    ours = None
    for name, rows in figures.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*rows))
        ours = ours or (wall, cpu)
        print(
            f"  {name:24}{wall:9.3f}{wall / ours[0]:9.2f}{cpu:9.3f}{cpu / ours[1]:9.2f}{memory:9.1f}"
        )


def main(programs=programs, packings=(("gzip", ".gz"), ("zstd", ".zst"))):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes of the files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--no-build", action="store_true", help="take the programs that are built")
    arguments = parser.parse_args()
    if not arguments.no_build:
        packages = ["-p", "failure-kinds-cli", "-p", "failure-kinds-benchmarks"]
        subprocess.run(["cargo", "build", "--profile", "dist", *packages], cwd=ROOT, check=True)
    DATA.mkdir(parents=True, exist_ok=True)
    for shape in arguments.shapes:
        megabytes = max(1, round(SHAPES[shape] * arguments.scale))
        path = DATA / f"{shape}-{megabytes}.jsonl"
        if not path.exists():
            partial = path.with_suffix(".part")
            generate = [BUILT / "generate-rows", shape, f"{megabytes}MB", partial]
            subprocess.run(generate, check=True)
            partial.rename(path)
        compare(f"{shape}, {megabytes} MB", programs(path), arguments.rounds)
        for tool, suffix in packings:
            if not shutil.which(tool):
                print(f"\n{tool}: not installed, left out")
                continue
            packed = path.with_name(path.name + suffix)
            if not packed.exists():
                with open(packed, "wb") as out:
                    subprocess.run([tool, "-c", path], stdout=out, check=True)
            compare(f"{shape}, {tool}", compressed(packed, tool), arguments.rounds)


if __name__ == "__main__":
    main()
