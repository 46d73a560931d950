"""Compares the build time of `#[derive(StageOverrides)]` with that of `#[derive(serde::Deserialize)]`.

Three libraries hold the same hundred structs of three stages each: one derives nothing, one `StageOverrides`, one
`Deserialize`. Each is rebuilt several times, in turn, with its dependencies built before; the shortest time counts,
and the time of the library without a derive is subtracted. From the root of the repository:

    python3 benchmarks/derive/run.py
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 7
STRUCTS = 100
ROOT = Path(__file__).resolve().parents[2]

MANIFEST = """\
[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[dependencies]
failure-kinds = {{ path = "{root}/failure-kinds", default-features = false, features = ["derive"] }}
serde = {{ version = "1", features = ["derive"] }}
"""

ATTRIBUTES = {
    "plain": ("", ["", "", ""]),
    "stage_overrides": (
        '#[derive(failure_kinds::StageOverrides)]\n'
        '#[stage_overrides(server = "browser_env", kinds("tab_crashed", "captcha_wall"))]\n',
        [
            '#[stage(default = "evaluation")]',
            '#[stage(default = "model", "browser_env:tab_crashed" = "evaluation", "cancelled" = "model")]',
            '#[stage(default = "evaluation", "judge_failed" = "unknown")]',
        ],
    ),
    "deserialize": ("#[derive(serde::Deserialize)]\n", ["", "", ""]),
}


def source(name: str) -> str:
    item, fields = ATTRIBUTES[name]
    structs = ["#![allow(dead_code)]"]
    for index in range(STRUCTS):
        body = "".join(
            f"    {attribute}\n    pub {stage}: failure_kinds::StageClassificationConfig,\n"
            for stage, attribute in zip(["seed", "agent", "verification"], fields)
        )
        structs.append(f"{item}pub struct Env{index} {{\n{body}}}")
    return "\n\n".join(structs) + "\n"


def build(folder: Path, name: str, command: str) -> float:
    (folder / name / "src/lib.rs").write_text(source(name))
    start = time.perf_counter()
    done = subprocess.run(
        ["cargo", command, "--quiet", "--package", name], cwd=folder, env={**os.environ, "CARGO_INCREMENTAL": "0"}
    )
    if done.returncode != 0:
        sys.exit(f"{name} does not build")
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        members = ", ".join(f'"{name}"' for name in ATTRIBUTES)
        (folder / "Cargo.toml").write_text(f'[workspace]\nresolver = "3"\nmembers = [{members}]\n')
        (folder / "Cargo.lock").write_text((ROOT / "Cargo.lock").read_text())
        for name in ATTRIBUTES:
            (folder / name / "src").mkdir(parents=True)
            (folder / name / "Cargo.toml").write_text(MANIFEST.format(name=name, root=ROOT))
            (folder / name / "src/lib.rs").write_text(source(name))
        for command in ["check", "build"]:
            best = dict.fromkeys(ATTRIBUTES, float("inf"))
            for run in range(RUNS + 1):
                for name in ATTRIBUTES:
                    seconds = build(folder, name, command)
                    # The first one builds the dependencies too.
                    if run > 0:
                        best[name] = min(best[name], seconds)
            each = {name: (best[name] - best["plain"]) / STRUCTS * 1000 for name in ["stage_overrides", "deserialize"]}
            ratio = each["stage_overrides"] / each["deserialize"]
            print(
                f"cargo {command}: StageOverrides {each['stage_overrides']:.1f} ms a struct, "
                f"Deserialize {each['deserialize']:.1f} ms, ratio {ratio:.2f}"
            )


if __name__ == "__main__":
    main()
