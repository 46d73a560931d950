"""Names and the functions on them."""

import json
import logging
import pickle
import subprocess
import sys
import threading
from http import HTTPStatus
from pathlib import Path
from typing import get_args

import failure_kinds as fk
import pytest
from conftest import REPOSITORY, Records

REGISTRY = json.loads((REPOSITORY / "registry.json").read_text())


def test_names_are_those_of_the_registry() -> None:
    kinds = REGISTRY["kinds"]
    names = [kind["name"] for kind in kinds]
    assert get_args(fk.FailureKind) == tuple(names)
    assert get_args(fk.FailureStage) == tuple(REGISTRY["stages"])
    assert [member.value for member in fk.FailureClass] == REGISTRY["classes"]
    for name in names:
        assert type(getattr(fk, name.upper())) is str
        assert getattr(fk, name.upper()) == name
    for key, members in REGISTRY["sets"].items():
        constant = getattr(fk, key.upper())
        assert type(constant) is frozenset
        assert constant == set(members)
    for kind in kinds:
        name = kind["name"]
        assert fk.is_registered(name)
        assert fk.has_evaluation_default(name) == (kind["default"] == "evaluation")
        assert fk.is_server_subcategory(fk.FailureClass.EVALUATION, name) == kind["server"]
        assert not fk.is_server_subcategory(fk.FailureClass.MODEL, name)
        assert not fk.is_server_subcategory("unknown", name)
        assert not fk.is_gate_derived(name)
    for entry in REGISTRY["gate_derived"]:
        assert fk.is_gate_derived(entry["name"])
        assert not fk.has_evaluation_default(entry["name"])
    # The predicates look at the given name only.
    assert not fk.is_server_subcategory("evaluation", "oom_killed")
    assert fk.is_server_subcategory("evaluation", "provider_oom_killed")


def test_classes_are_strings() -> None:
    assert fk.FailureClass.MODEL == "model"
    assert fk.FailureClass("evaluation") is fk.FailureClass.EVALUATION
    assert json.dumps(fk.FailureClass.UNKNOWN) == '"unknown"'


@pytest.mark.parametrize("status", [500, 503, 599, HTTPStatus.BAD_GATEWAY])
def test_server_error_status(status: object) -> None:
    assert fk.is_server_error_status(status)


@pytest.mark.parametrize("status", ["503", 503.0, True, None, 5030, -500, 499, 600, 10**30, b"503"])
def test_no_server_error_status(status: object) -> None:
    assert not fk.is_server_error_status(status)


def test_strict_validator() -> None:
    for name in ["judge_failed", "browser_env:tab_crashed", "judge:failed"]:
        assert fk.validate_event_kind(name) is name
    with pytest.raises(fk.FailureKindError) as caught:
        fk.validate_event_kind("judge_faild")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.name, error.suggestion) == ("judge_faild", "judge_failed")
    assert "`judge_faild` is not a registered failure kind" in str(error)
    for name in ["", "answer_empty", "timeout", "JUDGE_FAILED", "a:b:c", "x\n", "\ud800", "\0"]:
        with pytest.raises(fk.FailureKindError) as caught:
            fk.validate_event_kind(name)
        assert caught.value.name is name
        assert caught.value.reason
        str(caught.value).encode()  # No lone surrogate reaches a message.
    for value in [None, 5, b"judge_failed", []]:
        with pytest.raises(TypeError):
            fk.validate_event_kind(value)  # type: ignore[arg-type]


def test_errors_pickle() -> None:
    with pytest.raises(fk.FailureKindError) as caught:
        fk.validate_event_kind("timeout_exceeded")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is fk.FailureKindError
    assert str(copy) == str(caught.value)
    assert (copy.name, copy.suggestion) == ("timeout_exceeded", "agent_timeout")
    assert copy.reason == caught.value.reason


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("judge_faild", "judge_failed"),
        ("JudgeFailed", "judge_failed"),
        ("timeout_exceeded", "agent_timeout"),
        ("eval_missing", "gdpval:eval_missing"),
        ("judge:failed", "judge_failed"),
        ("judge_failed", None),
        ("policy_failed", None),
        ("timeout", None),
        ("my_server:anything", None),
        ("\ud800", None),
    ],
)
def test_suggest(name: str, suggestion: str | None) -> None:
    assert fk.suggest(name) == suggestion


def test_quota_resets() -> None:
    kind = fk.PROVIDER_QUOTA_EXHAUSTED
    reason = "\ud800 resets at 2026-02-30 09:30 UTC, resets at 2026-03-01 09:30 UTC"
    assert fk.quota_reset_text(kind, reason) == "2026-03-01 09:30"
    assert fk.quota_reset_unix(kind, reason) == 1772357400
    assert fk.quota_reset_text(fk.JUDGE_FAILED, reason) is None
    assert fk.quota_reset_unix(kind, "resets at 2026-03-01 09:30 UTC+8") is None


def test_warning_names_the_suggestion() -> None:
    with Records("failure_kinds") as records:
        fk.validate_failure_kind("judge_faild")
    assert [record.levelno for record in records] == [logging.WARNING]
    assert "judge_faild" in records[0].getMessage()
    assert "judge_failed" in records[0].getMessage()


def test_at_most_4096_names_are_remembered() -> None:
    with Records("failure_kinds") as records:
        for _ in range(2):
            for number in range(5000):
                fk.validate_failure_kind(f"built_{number}")
    assert len(records) == 4097
    assert "4096" in records[-1].getMessage()


def test_threads_warn_once_per_name() -> None:
    names = [f"name_{number}" for number in range(200)]
    start = threading.Barrier(8)

    def validate() -> None:
        start.wait()
        for name in names:
            fk.validate_failure_kind(name)

    with Records("failure_kinds") as records:
        threads = [threading.Thread(target=validate) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(records) == 200


def test_a_handler_may_call_the_validator() -> None:
    class Validating(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            fk.validate_failure_kind("from_a_handler")

    handler = Validating()
    logger = logging.getLogger("failure_kinds")
    logger.addHandler(handler)
    try:
        with Records("failure_kinds") as records:
            fk.validate_failure_kind("outer_name")
    finally:
        logger.removeHandler(handler)
    assert len(records) == 2


def test_type_checker_finds_a_misspelt_name(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from failure_kinds import JUDGE_FAILED, FailureKind\n"
        "good: FailureKind = JUDGE_FAILED\n"
        "also_good: FailureKind = 'judge_failed'\n"
        "bad: FailureKind = 'judge_faild'\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(program)]
    output = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=tmp_path
    ).stdout
    assert "program.py:4: error" in output
    assert "Found 1 error" in output
