"""Selecting rollouts and comparing runs."""

import json
import subprocess
import sys
from pathlib import Path

import failure_kinds as fk
import pytest
from conftest import REPOSITORY

DATA = REPOSITORY / "examples/data"


def command(*arguments: str | Path) -> str:
    line = [sys.executable, "-m", "failure_kinds", *arguments]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("emit", ["ids", "inputs", "rows"])
@pytest.mark.parametrize("where", [["failed,class=evaluation"], ["missing", "kind=judge_failed"]])
def test_selection_is_that_of_the_command(emit: str, where: list[str]) -> None:
    options = [option for conditions in where for option in ["--where", conditions]]
    lines = command("select", DATA, "--emit", emit, *options).splitlines()
    selected = fk.select([DATA], where=where, emit=emit)  # type: ignore[arg-type]
    assert selected == [json.loads(line) for line in lines]
    assert selected


def test_classes_add_up() -> None:
    failed = fk.triage(DATA).to_dict()["rollouts"]["failed"]
    classes = ["model", "evaluation", "unknown"]
    by_class = [fk.select(DATA, where=f"failed,class={name}") for name in classes]
    assert sum(map(len, by_class)) == failed
    config = fk.ClassificationConfig.from_dict({"unknown": "model"})
    assert fk.select(DATA, where="class=unknown", config=config) == []


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="evaluation"):
        fk.select(DATA, where="class=evaluaton")
    with pytest.raises(ValueError, match="at least one condition"):
        fk.select(DATA, where=[])
    with pytest.raises(ValueError, match="inputs"):
        fk.select(DATA, where="failed", emit="lines")  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="judge_failed"):
        assert fk.select(DATA, where="kind=judge_faild") == []
    with pytest.raises(ValueError, match="stage"):
        fk.compare(DATA, DATA, by="stage")  # type: ignore[arg-type]


def test_comparison_is_that_of_the_command() -> None:
    base, new = DATA / "judge", DATA / "sat"
    for by in ["kind", "kind,stage", "class"]:
        comparison = fk.compare(base, new, by=by)  # type: ignore[arg-type]
        printed = command("compare", base, new, "--by", by, "--format", "json")
        assert comparison.to_dict() == json.loads(printed)
        assert comparison.rows == comparison.to_dict()["rows"]
        assert comparison.notes
        assert str(comparison) == command("compare", base, new, "--by", by)
        markdown = command("compare", base, new, "--by", by, "--format", "markdown")
        assert comparison.to_markdown() == markdown


def test_comparison_with_a_saved_report(tmp_path: Path) -> None:
    saved = tmp_path / "base.json"
    saved.write_text(json.dumps(fk.triage(DATA / "judge").to_dict()))
    rows = fk.compare(saved, DATA / "judge").rows
    assert {row["word"] for row in rows} == {"~"}
    config = fk.ClassificationConfig.from_dict({"unknown": "model"})
    with pytest.raises(fk.InputError, match="configurations"):
        fk.compare(saved, DATA / "judge", config=config)
    fk.compare(saved, DATA / "judge", config=config, any_config=True)
