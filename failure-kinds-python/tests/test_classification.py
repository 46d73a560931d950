"""Classification and its configuration."""

import dataclasses
import json
import pickle
from pathlib import Path

import failure_kinds as fk
import pytest
from conftest import REPOSITORY


def test_call_evidence() -> None:
    c = fk.classify(
        "agent_run_error",
        http_status=500,
        call_status=429,
        stage=None,
        admit_stage=False,
        config=None,
    )
    assert c.failure_class is fk.FailureClass.EVALUATION
    assert c.failure_class == "evaluation"
    assert (c.rule, c.http_label, c.server) == ("call_evidence", "http_server_error", False)
    assert dataclasses.is_dataclass(c)
    with pytest.raises(dataclasses.FrozenInstanceError):
        c.rule = "kind"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(c)) == c


def test_a_stage_decides_only_if_it_is_admitted() -> None:
    assert fk.classify("provider_oom_killed", stage="agent").rule == "fallback"
    admitted = fk.classify("provider_oom_killed", stage="agent", admit_stage=True)
    assert (admitted.failure_class, admitted.rule) == ("model", "stage_kind")
    with pytest.raises(ValueError, match="agent"):
        fk.classify("judge_failed", stage="agnet")  # type: ignore[arg-type]


@pytest.mark.parametrize("status", ["429", 429.0, True, None, 4290, -1, 10**30, b"429", []])
def test_what_is_not_a_status_is_not_evidence(status: object) -> None:
    c = fk.classify("agent_run_error", http_status=status, call_status=status)
    assert (c.failure_class, c.rule, c.http_label) == ("unknown", "fallback", None)


def test_any_text_is_a_kind() -> None:
    for kind in [None, "", "\ud800", "\0", "no such kind"]:
        assert fk.classify(kind).failure_class == "unknown"
    renamed = fk.classify("judge_invalid")
    assert (renamed.failure_class, renamed.via_legacy) == ("evaluation", True)


def test_configuration_from_files_and_dicts(tmp_path: Path) -> None:
    default = fk.ClassificationConfig()
    path = tmp_path / "classes.yaml"
    path.write_text("kinds: {agent_timeout: model}\nclass_by_http_status: {429: model}\n")
    config = fk.ClassificationConfig.from_path(path)
    assert config == fk.ClassificationConfig.from_path(str(path))
    assert config == fk.ClassificationConfig.from_dict(
        {"kinds": {"agent_timeout": "model"}, "class_by_http_status": {429: "model"}}
    )
    assert config == default.with_overrides(path) != default
    assert fk.classify("agent_timeout", config=config).failure_class == "model"
    assert fk.classify("agent_timeout").failure_class == "unknown"
    cleared = config.with_overrides({"kinds": {"agent_timeout": None}})
    assert fk.classify("agent_timeout", config=cleared).rule == "fallback"
    assert fk.ClassificationConfig.from_dict(config.to_dict()) == config
    assert pickle.loads(pickle.dumps(config)) == config
    assert config.to_dict()["class_by_http_status"] == {"429": "model"}
    with pytest.raises(TypeError):
        fk.ClassificationConfig.from_dict({"kinds": object()})


def test_all_faults_of_a_configuration_are_listed(tmp_path: Path) -> None:
    wrong = {"kinds": {"judge_faild": "evaluation", "agent_timeout": "modle"}, "stage": {}}
    with pytest.raises(fk.ConfigError) as caught:
        fk.ClassificationConfig.from_dict(wrong)
    error = caught.value
    assert isinstance(error, ValueError)
    paths = [fault.path for fault in error.faults]
    assert paths == ["kinds.judge_faild", "kinds.agent_timeout", "stage"]
    assert [fault.suggestion for fault in error.faults] == ["judge_failed", "model", "stages"]
    assert all(path in str(error) for path in paths)
    assert error.faults[0].line is None

    path = tmp_path / "classes.json"
    path.write_text(json.dumps(wrong, indent=1))
    with pytest.raises(fk.ConfigError) as caught:
        fk.ClassificationConfig.from_path(path)
    assert [fault.line for fault in caught.value.faults] == [3, 4, 6]
    assert f"{path}:3:" in str(caught.value)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.faults) == (str(caught.value), caught.value.faults)


def test_a_configuration_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        fk.ClassificationConfig.from_path(tmp_path / "missing.json")
    assert caught.value.errno == 2
    assert caught.value.filename == str(tmp_path / "missing.json")
    with pytest.raises(fk.ConfigError):
        fk.ClassificationConfig.from_path(REPOSITORY / "LICENSE-MIT")
