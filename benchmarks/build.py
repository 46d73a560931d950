"""Measures what the feature `macros` adds to a cold build, compared with the usual parsers of macros.

    python3 benchmarks/build.py [--rounds 5]

Builds empty libraries in turn, each from an empty target folder. They depend on nothing, on
failure-kinds without features, on failure-kinds with only the feature `macros`, or on syn, quote and
proc-macro2. Prints the medians of wall and CPU time, and what each adds to the one that it builds
on. Sources are fetched before.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = f'failure-kinds = {{ path = "{ROOT}/failure-kinds", default-features = false'
# Each with the one that it builds on.
LIBRARIES = {
    "nothing": ("", None),
    "failure-kinds": (RUNTIME + " }", "nothing"),
    "failure-kinds, macros": (RUNTIME + ', features = ["macros"] }', "failure-kinds"),
    "syn, quote, proc-macro2": ('syn = "3"\nquote = "1"\nproc-macro2 = "1"', "nothing"),
}


def build(folder, options=()):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "CARGO_TARGET_DIR": str(folder / "target")}
    command = ["cargo", "build", "--quiet", *options]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder / "target")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as scratch:
        folders = {}
        for number, (name, (dependencies, _)) in enumerate(LIBRARIES.items()):
            folder = folders[name] = Path(scratch) / str(number)
            (folder / "src").mkdir(parents=True)
            (folder / "src" / "lib.rs").touch()
            (folder / "Cargo.toml").write_text(
                '[package]\nname = "nothing"\nversion = "0.0.0"\nedition = "2024"\n'
                f"[dependencies]\n{dependencies}\n[workspace]\n"
            )
            shutil.copy(ROOT / "rust-toolchain.toml", folder)
            build(folder)
        times = {name: [] for name in folders}
        for _ in range(rounds):
            for name, folder in folders.items():
                times[name].append(build(folder, ["--offline"]))
    medians = {
        name: [statistics.median(column) for column in zip(*rows)] for name, rows in times.items()
    }
    print(f"{'':26}{'wall s':>9}{'more':>9}{'CPU s':>9}{'more':>9}")
    for name, (wall, cpu) in medians.items():
        base = medians.get(LIBRARIES[name][1], (0, 0))
        print(f"{name:26}{wall:9.2f}{wall - base[0]:9.2f}{cpu:9.2f}{cpu - base[1]:9.2f}")


if __name__ == "__main__":
    main()
