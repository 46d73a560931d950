"""Failure rows one by one."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import failure_kinds as fk
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import REPOSITORY

DATA = REPOSITORY / "examples/data"
KEYS = [
    "path",
    "line",
    "_ng_task_index",
    "_ng_rollout_index",
    "_ng_attempt_index",
    "kind",
    "stage",
    "status",
    "class",
    "rule",
    "reason",
]


@pytest.mark.parametrize(
    "options",
    [{}, {"admit_stage": False}, {"calls": "off"}, {"admit_calls": False}],
    ids=str,
)
def test_rows_add_up_to_the_groups(options: dict[str, Any]) -> None:
    rows = list(fk.rows(DATA, **options))
    assert all(list(row) == KEYS for row in rows)
    key = ("class", "kind", "stage", "rule")
    counted = Counter(tuple(row[part] for part in key) for row in rows)
    groups: Counter[tuple[str, ...]] = Counter()
    for group in fk.triage(DATA, **options).groups:
        groups[tuple(group[part] for part in key)] += group["count"]
    assert counted == groups


def test_a_row(tmp_path: Path) -> None:
    path = tmp_path / "x_failures.jsonl"
    path.write_text(
        "\n"
        '{"_ng_task_index": 3, "_ng_rollout_index": 1, "_ng_failure_class": "judge_failed",'
        ' "_ng_failure_stage": "verification", "_ng_failure_http_status": 503,'
        ' "failure_reason": "\\ud800 no"}\n'
        "{broken\n"
        '{"_ng_attempt_index": 2, "failure_kind": "judge_faild"}\n'
    )
    first, second = fk.rows([path])
    assert first == {
        "path": str(path),
        "line": 2,
        "_ng_task_index": 3,
        "_ng_rollout_index": 1,
        "_ng_attempt_index": 0,
        "kind": "judge_failed",
        "stage": "verification",
        "status": 503,
        "class": "evaluation",
        "rule": "stage_default",
        "reason": "\ufffd no",
    }
    assert (second["line"], second["kind"], second["class"]) == (4, "judge_faild", "unknown")
    assert [second[key] for key in KEYS[2:5]] == [None, None, None]
    config = fk.ClassificationConfig.from_dict({"unknown": "model"})
    assert [row["class"] for row in fk.rows(path, config=config)] == ["evaluation", "model"]


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        fk.rows(tmp_path / "missing")
    numbers = tmp_path / "numbers.jsonl"
    numbers.write_text("1\n2\n")
    with pytest.raises(fk.InputError, match=r"numbers\.jsonl"):
        list(fk.rows(numbers))


def test_many_rows_and_a_reader_that_stops(tmp_path: Path) -> None:
    path = tmp_path / "x_failures.jsonl"
    path.write_text('{"failure_kind": "judge_failed"}\n' * 20_000)
    assert sum(1 for _ in fk.rows(path)) == 20_000
    rows = fk.rows(path)
    assert next(rows)["line"] == 1
    del rows


def test_memory_is_bounded(tmp_path: Path) -> None:
    """Rows of 4 MB each, much more than what is held."""
    program = (
        "import resource, sys\n"
        "import failure_kinds as fk\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert sum(len(row['reason']) for row in fk.rows('-')) == 100 * 4_000_000\n"
        "assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 200_000\n"
    )
    line = [sys.executable, "-c", program]
    with subprocess.Popen(line, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        row = b'{"failure_kind": "judge_failed", "failure_reason": "%s"}\n' % (b"x" * 4_000_000)
        for _ in range(100):
            process.stdin.write(row)
        process.stdin.close()
        assert process.wait() == 0


def test_tables() -> None:
    expected = list(fk.rows(DATA))
    assert pl.DataFrame(fk.rows(DATA)).to_dicts() == expected
    assert pa.RecordBatchReader.from_stream(fk.rows(DATA)).read_all().to_pylist() == expected
    frame = pd.DataFrame.from_arrow(fk.rows(DATA))
    assert list(frame.columns) == KEYS
    assert frame["kind"].value_counts().to_dict() == Counter(row["kind"] for row in expected)
    failures = fk.rows(DATA)  # noqa: F841
    counted = duckdb.sql("SELECT kind, count(*) FROM failures GROUP BY kind").fetchall()
    assert dict(counted) == Counter(row["kind"] for row in expected)


def test_without_pyarrow() -> None:
    program = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "import failure_kinds as fk\n"
        f"rows = fk.rows({str(DATA)!r})\n"
        "assert not hasattr(rows, '__arrow_c_stream__')\n"
        "assert next(rows)['line'] >= 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
