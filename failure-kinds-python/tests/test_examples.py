"""Every Python example of the documents runs."""

import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path

import failure_kinds
import pytest
from conftest import REPOSITORY

DOCUMENTS = [
    REPOSITORY / "README.md",
    REPOSITORY / "failure-kinds-python/README.md",
    REPOSITORY / "docs/python.md",
]
EXAMPLES = [
    pytest.param(example, id=f"{document.relative_to(REPOSITORY)}-{number}")
    for document in DOCUMENTS
    for number, example in enumerate(
        re.findall(r"^```python\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE)
    )
    # A whole engine for one example. It was run by hand.
    if "import ray" not in example
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: str, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for run in ["judge", "quota", "sat"]:
        shutil.copytree(REPOSITORY / "examples/data" / run, runs / run)
    for side, run in [("base", "judge"), ("new", "sat")]:
        shutil.copytree(REPOSITORY / "examples/data" / run, tmp_path / side)
    (tmp_path / "classes.yaml").write_text("kinds: {judge_failed: model}\n")
    state = failure_kinds.TriageState.from_paths(runs)
    (tmp_path / "part-9.state").write_bytes(state.to_bytes())
    program = tmp_path / "example.py"
    program.write_text(example)
    line = [sys.executable, "-W", "error", program.name]
    run = subprocess.run(line, check=False, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_documentation_of_the_module() -> None:
    results = doctest.testmod(failure_kinds)
    assert results.attempted > 0
    assert results.failed == 0
