"""Reports on saved rows."""

import errno
import json
import os
import pickle
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import failure_kinds as fk
import pytest
from conftest import REPOSITORY

DATA = REPOSITORY / "examples/data"
RUNS = sorted(path for path in DATA.iterdir() if path.is_dir())
NOW = "2026-03-01T00:00:00Z"


def command(*arguments: str | Path) -> str:
    """What the command prints."""
    line = [sys.executable, "-m", "failure_kinds", *arguments]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("run", [DATA, *RUNS], ids=lambda path: path.name)
@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ([], {}),
        (["--latest", "--no-admit-stage"], {"latest": True, "admit_stage": False}),
        (["--strict"], {"strict": True}),
    ],
    ids=["default", "latest", "strict"],
)
def test_the_dict_is_the_json_of_the_command(
    run: Path, options: list[str], keywords: dict[str, Any]
) -> None:
    printed = command("triage", run, "--format", "json", *options)
    report = fk.triage([run], **keywords)
    assert json.dumps(report.to_dict()) == json.dumps(json.loads(printed))
    assert report.groups == report.to_dict()["groups"]
    assert report.runs == report.to_dict()["runs"]


def test_texts_are_those_of_the_command() -> None:
    report = fk.triage(DATA, now=NOW)
    assert str(report) == command("triage", DATA, "--now", NOW)
    markdown = command("triage", DATA, "--now", NOW, "--format", "markdown")
    assert report.to_markdown() == markdown
    assert "failures" in repr(report)


def test_html_is_that_of_the_command() -> None:
    report = fk.triage(DATA, now=NOW)
    assert report.to_html() == command("triage", DATA, "--format", "html")


def test_a_notebook_shows_a_table_without_script(tmp_path: Path) -> None:
    path = tmp_path / "x_failures.jsonl"
    kind = "<script>alert(1)</script>"
    path.write_text(json.dumps({"failure_kind": kind, "failure_reason": kind}) + "\n")
    shown = fk.triage([path, DATA])._repr_html_()
    assert "<script" not in shown
    assert "<table>" in shown
    assert "judge_" in shown
    assert "&#60;script" in shown or "&lt;script" in shown


def test_paths() -> None:
    expected = fk.triage([DATA]).to_dict()
    assert fk.triage(DATA).to_dict() == expected
    assert fk.triage(str(DATA)).to_dict() == expected
    assert fk.triage(path for path in [DATA]).to_dict() == expected
    with pytest.raises(ValueError, match="at least one path"):
        fk.triage([])
    with pytest.raises(TypeError):
        fk.triage(5)  # type: ignore[arg-type]


def test_configuration_decides() -> None:
    config = fk.ClassificationConfig.from_dict({"kinds": {"agent_run_error": "model"}})
    classes = {
        group["class"]
        for group in fk.triage(DATA, config=config).groups
        if group["kind"] == "agent_run_error" and group["rule"] == "kind"
    }
    assert classes == {"model"}


@pytest.mark.parametrize(
    "now",
    [
        datetime(2026, 3, 1, tzinfo=UTC),
        datetime(2026, 3, 1, 5, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
        "2026-03-01T00:00:00Z",
        "2026-03-01T01:00:00+01:00",
    ],
)
def test_now(now: datetime | str) -> None:
    assert str(fk.triage(DATA, now=now)) == str(fk.triage(DATA, now=NOW))


@pytest.mark.parametrize("now", [datetime(2026, 3, 1), "2026-03-01", "soon", 0])
def test_wrong_now(now: Any) -> None:
    with pytest.raises(ValueError, match="now"):
        fk.triage(DATA, now=now)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        fk.triage(tmp_path / "missing")
    assert caught.value.errno == errno.ENOENT
    assert caught.value.filename == str(tmp_path / "missing")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), copy.errno) == (FileNotFoundError, errno.ENOENT)


def test_what_is_not_rows(tmp_path: Path) -> None:
    path = tmp_path / "numbers.jsonl"
    path.write_text("1\n2\n")
    with pytest.raises(fk.InputError) as caught:
        fk.triage(path)
    assert isinstance(caught.value, ValueError)
    assert "numbers.jsonl" in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_strict_raises_on_a_malformed_line(tmp_path: Path) -> None:
    path = tmp_path / "x_failures.jsonl"
    path.write_text('{"failure_kind": "judge_failed"}\n{"a": nope}\n{"b"\n')
    assert fk.triage(path).to_dict()["totals"]["malformed"] == 1
    with pytest.raises(fk.InputError, match="x_failures.jsonl:2"):
        fk.triage(path, strict=True)


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    """A reader waits for a pipe while another thread writes to it."""
    pipe = tmp_path / "rows"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("w") as stream:
            stream.write('{"failure_kind": "judge_failed"}\n')

    writer = threading.Thread(target=write)
    writer.start()
    assert fk.triage(pipe).to_dict()["totals"]["failures"] == 1
    writer.join()


def test_ctrl_c_ends_a_triage() -> None:
    """It waits for a pipe that nobody writes to."""
    program = (
        "import signal, threading\n"
        "import failure_kinds as fk\n"
        "threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()\n"
        "try:\n"
        "    fk.triage('-')\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    line = [sys.executable, "-c", program]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b"stopped\n"
        assert process.wait() == 0
