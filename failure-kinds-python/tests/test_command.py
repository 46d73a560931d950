"""The command in the wheel."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY

SCRIPT = [str(Path(sys.executable).with_name("failure-kinds"))]
MODULE = [sys.executable, "-m", "failure_kinds"]


@pytest.mark.parametrize("line", [SCRIPT, MODULE], ids=["script", "module"])
def test_the_program(line: list[str]) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*line, *arguments], check=False, capture_output=True, text=True)

    listed = run("list", "--format", "json")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout == (REPOSITORY / "registry.json").read_text()
    assert run("explain", "no_such_kind_at_all").returncode == 1
    wrong = run("trage")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("error: ")
    assert "Usage: failure-kinds" in run("--help").stdout
    assert run("triage", b"\xff.jsonl".decode(errors="surrogateescape")).returncode == 2


@pytest.mark.parametrize("line", [SCRIPT, MODULE], ids=["script", "module"])
def test_a_closed_pipe_ends_it_quietly(line: list[str]) -> None:
    command = [*line, "list", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize("line", [SCRIPT, MODULE], ids=["script", "module"])
def test_ctrl_c_ends_it(line: list[str], tmp_path: Path) -> None:
    # It reads standard input, so it is inside the program once the row was taken.
    command = [*line, "triage", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        # More than a pipe holds: writing ends when the program reads.
        process.stdin.write(b'{"failure_kind": "judge_failed"}\n' * 10_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait() == -signal.SIGINT
        assert process.stderr.read() == b""
        process.stdin.close()
