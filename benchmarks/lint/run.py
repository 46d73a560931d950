"""Compares `failure-kinds lint` with `ruff check --select E9` on the Python part of a tree of sources.

The tree has 2,000 Python and 500 Rust files, and 500 each of JSON and YAML; it is the same in every run. Each command
runs several times, in turn, and the shortest time counts. Needs ruff on the path (`pip install ruff`).

    cargo build --profile dist
    python3 benchmarks/lint/run.py target/dist/failure-kinds
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 7
KINDS = ["judge_failed", "session_lost", "agent_timeout", "transport_timeout", "provider_oom_killed"]
WORDS = "agent batch cache client config context episode event handler index judge loader model queue record".split()


def python(rng: random.Random) -> str:
    lines = ['"""A module."""', "", "import json", "from dataclasses import dataclass", "", ""]
    while len(lines) < 220:
        name, other = rng.sample(WORDS, 2)
        number = rng.randrange(10_000)
        lines += [
            f"def {name}_{other}_{number}({name}, {other}=None, *, limit: int = {number % 97}):",
            f'    """Handles a {name}."""',
            f"    values = {{key: value for key, value in {name}.items() if value is not {other}}}",
            f"    if limit > {number % 50} and not values:",
            f'        raise ValueError(f"no {name} of {{limit}} for {{{other}!r}}")',
            f"    for position, value in enumerate(sorted(values)):",
            f'        {name}["{other}"] = json.dumps([position, value, "{name}:{other}"])',
        ]
        if number % 5 == 0:
            lines.append(f'    return {{"failure_kind": "{rng.choice(KINDS)}", "reward": 0.0, **values}}')
        else:
            lines.append(f"    return [{name}, {other}, limit, values]")
        lines += ["", ""]
    return "\n".join(lines) + "\n"


def rust(rng: random.Random) -> str:
    lines = ["//! A module.", "", "use std::collections::BTreeMap;", ""]
    while len(lines) < 260:
        name, other = rng.sample(WORDS, 2)
        number = rng.randrange(10_000)
        lines += [
            f"/// Handles a {name}.",
            f"pub fn {name}_{other}_{number}({name}: &BTreeMap<String, u64>, limit: u64) -> Option<Vec<u64>> {{",
            f"    let mut values: Vec<u64> = {name}.values().copied().filter(|value| *value > limit).collect();",
            f"    if values.is_empty() && limit > {number} {{",
            f'        println!("no {name} of {{limit}} for {{}}", {name}.len());',
            "        return None;",
            "    }",
            f"    values.sort_by_key(|value| value.wrapping_mul({number}));",
            "    Some(values)",
            "}",
            "",
        ]
    return "\n".join(lines) + "\n"


def data(rng: random.Random) -> list:
    return [
        {"name": rng.choice(WORDS), "failure_kind": rng.choice(KINDS), "values": [rng.random() for _ in range(8)]}
        for _ in range(60)
    ]


def yaml(rows: list) -> str:
    return "".join(
        f"- name: {row['name']}\n  failure_kind: {row['failure_kind']}\n  values: {row['values']}\n" for row in rows
    )


def write(root: Path) -> None:
    rng = random.Random(7)
    for index in range(2_000):
        folder = root / "python" / f"package_{index % 40:02}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"module_{index:04}.py").write_text(python(rng))
    for index in range(500):
        folder = root / "rust" / f"crate_{index % 20:02}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"module_{index:03}.rs").write_text(rust(rng))
    folder = root / "data"
    folder.mkdir()
    for index in range(500):
        rows = data(rng)
        (folder / f"data_{index:03}.json").write_text(json.dumps(rows, indent=2))
        (folder / f"data_{index:03}.yaml").write_text(yaml(rows))


def seconds(command: list, root: Path) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode > 1:
        sys.exit(f"{command} ended with {done.returncode}")
    return time.perf_counter() - start


def main() -> None:
    lint = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root)
        commands = {
            "ruff, python": (["ruff", "check", "--isolated", "--no-cache", "--select", "E9", "python"], 2_000),
            "lint, python": ([lint, "lint", "--fail-on", "none", "python"], 2_000),
            "lint, rust": ([lint, "lint", "--fail-on", "none", "rust"], 500),
            "lint, all": ([lint, "lint", "--fail-on", "none", "."], 3_500),
        }
        best = dict.fromkeys(commands, float("inf"))
        for _ in range(RUNS):
            for name, (command, _) in commands.items():
                best[name] = min(best[name], seconds(command, root))
        for name, (_, files) in commands.items():
            ratio = best[name] / best["ruff, python"]
            print(f"{name:14} {files / best[name]:9.0f} files/s, {ratio:.2f} times the time of ruff")


if __name__ == "__main__":
    main()
