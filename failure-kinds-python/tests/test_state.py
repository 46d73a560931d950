"""States merge to the report of a single call."""

import json
import pickle
import random
import subprocess
import sys
from functools import reduce
from operator import or_
from pathlib import Path

import failure_kinds as fk
import pytest
from conftest import REPOSITORY

DATA = REPOSITORY / "examples/data"
FILES = sorted(path for path in DATA.glob("*/*") if ".jsonl" in path.suffixes)
NOW = "2026-03-01T00:00:00Z"


def merge(parts: list[list[Path]]) -> fk.TriageState:
    return reduce(or_, [fk.TriageState.from_paths(part) for part in parts])


@pytest.mark.parametrize("seed", range(10))
def test_any_partition_and_order(seed: int) -> None:
    chance = random.Random(seed)
    files = FILES.copy()
    chance.shuffle(files)
    parts: list[list[Path]] = []
    while files:
        size = chance.randint(1, 4)
        parts.append(files[:size])
        del files[:size]
    single = fk.triage(FILES, now=NOW)
    report = merge(parts).report(now=NOW)
    assert json.dumps(report.to_dict()) == json.dumps(single.to_dict())
    assert str(report) == str(single)


@pytest.mark.parametrize("run", sorted({file.parent for file in FILES}), ids=lambda run: run.name)
def test_each_file_alone(run: Path) -> None:
    files = [file for file in FILES if file.parent == run]
    single = fk.triage(files).to_dict()
    for order in [files, files[::-1], files[1:] + files[:1]]:
        assert merge([[file] for file in order]).report().to_dict() == single


def test_folders() -> None:
    runs = sorted(path for path in DATA.iterdir() if path.is_dir())
    state = fk.TriageState.from_paths(runs[0])
    for run in runs[1:]:
        state |= fk.TriageState.from_paths(run)
    assert state.report().to_dict() == fk.triage(runs).to_dict()


@pytest.mark.parametrize("files", [FILES[:1], FILES[1:2], FILES[2:3], FILES], ids=len)
def test_one_state_is_one_call(files: list[Path]) -> None:
    state = fk.TriageState.from_paths(files)
    assert state.report().to_dict() == fk.triage(files).to_dict()
    config = fk.ClassificationConfig.from_dict({"unknown": "model"})
    latest = state.report(config=config, latest=True, admit_stage=False, admit_calls=False)
    single = fk.triage(files, config=config, latest=True, admit_stage=False, admit_calls=False)
    assert latest.to_dict() == single.to_dict()


def test_merging_leaves_the_parts_as_they_were() -> None:
    one, other = fk.TriageState.from_paths(FILES[:3]), fk.TriageState.from_paths(FILES[3:6])
    before = one.report().to_dict(), other.report().to_dict()
    merged = one | other
    assert (one.report().to_dict(), other.report().to_dict()) == before
    in_place = one
    in_place |= other
    assert in_place is one
    assert one.report().to_dict() == merged.report().to_dict()


def test_no_row_counts_twice() -> None:
    state = fk.TriageState.from_paths(FILES[0])
    with pytest.raises(ValueError, match=FILES[0].name):
        state | fk.TriageState.from_paths(FILES[:2])
    with pytest.raises(TypeError):
        state | 5  # type: ignore[operator]


def test_states_cross_processes() -> None:
    program = (
        "import pickle, sys\n"
        "import failure_kinds as fk\n"
        "pickle.dump(fk.TriageState.from_paths(sys.argv[1:]), sys.stdout.buffer)\n"
    )
    line = [sys.executable, "-c", program, *map(str, FILES[2:])]
    state = pickle.loads(subprocess.run(line, check=True, capture_output=True).stdout)
    state |= fk.TriageState.from_paths(FILES[:2])
    assert state.report().to_dict() == fk.triage(FILES).to_dict()


def test_bytes() -> None:
    state = fk.TriageState.from_paths(FILES)
    stored = state.to_bytes()
    assert fk.TriageState.from_bytes(stored).report().to_dict() == state.report().to_dict()
    with pytest.raises(fk.InputError, match="not a state"):
        fk.TriageState.from_bytes(b"something else")
    other = stored.replace(b"state 0.1.0", b"state 0.0.9", 1)
    with pytest.raises(fk.InputError, match=r"version 0\.0\.9"):
        fk.TriageState.from_bytes(other)
    chance = random.Random(7)
    for _ in range(200):
        damaged = bytearray(stored)
        damaged[chance.randrange(30, len(stored))] ^= 1 << chance.randrange(8)
        with pytest.raises(fk.InputError, match="damaged"):
            fk.TriageState.from_bytes(bytes(damaged))
    with pytest.raises(fk.InputError, match="damaged"):
        fk.TriageState.from_bytes(stored[:-1])
