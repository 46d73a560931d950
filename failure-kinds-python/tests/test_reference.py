"""Side by side with the reference's module: the same answers, exceptions and log records."""

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import failure_kinds
import pytest
from conftest import REPOSITORY, Records
from hypothesis import given, settings
from hypothesis import strategies as st
from nemo_gym import failure_kinds as reference

VECTOR = json.loads((REPOSITORY / "tests/data/peer_grammar.json").read_text())

# Registered after the reference's release.
NEWER = {
    "environment_server_failed",
    "environment_protocol_violation",
    "harness_termination_unconfirmed",
    "provider_command_outcome_unknown",
}


class Text(str):
    """A string of another type."""


class Odd(str):
    """A string that equals nothing but itself."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def is_newer(value: object) -> bool:
    return isinstance(value, str) and value in NEWER


def answer(function: Callable[[Any], Any], value: object) -> object:
    """What a function returns, or the type of what it raises."""
    try:
        return function(value)
    except Exception as error:  # noqa: BLE001
        return type(error)


def answers(module: ModuleType, value: object) -> list[object]:
    """The answers of the three functions. The validator is asked twice.

    Of the validator: whether it returned the object that it was given, and the log records.
    """
    seen = [answer(module.is_registered, value), answer(module.is_namespaced, value)]
    for _ in range(2):
        with Records(module.__name__) as records:
            returned = answer(module.validate_failure_kind, value)
        seen += [returned if returned is TypeError else returned is value, len(records)]
    return seen


def case_value(case: dict[str, Any]) -> object:
    if "input" in case:
        return case["input"]
    if "codepoints" in case:
        return "".join(map(chr, case["codepoints"]))
    if "build" in case:
        build = case["build"]
        return build["prefix"] + build["unit"] * build["count"] + build["suffix"]
    return eval(case["python"], {"nan": float("nan")})


@pytest.mark.parametrize("case", VECTOR["cases"], ids=lambda case: case["note"])
def test_vector(case: dict[str, Any]) -> None:
    value = case_value(case)
    assert type(value).__name__ == case["type"]
    ours = answers(failure_kinds, value)
    if is_newer(value):
        assert ours == [True, False, True, 0, True, 0]
        return
    assert ours == answers(reference, value)
    raises = {"raises": "TypeError"}
    expected = [case["is_registered"], case["is_namespaced"], case.get("validate", True)]
    assert ours[:3] == [TypeError if answer == raises else answer for answer in expected]
    assert (ours[3], ours[5]) == (case["log_records_first"], case["log_records_second"])


@pytest.mark.parametrize("module", [failure_kinds, reference], ids=["ours", "reference"])
def test_call_sequences(module: ModuleType) -> None:
    def warnings(*names: str) -> int:
        with Records(module.__name__) as records:
            for name in names:
                assert module.validate_failure_kind(name) is name
        return len(records)

    sequences = VECTOR["sequences"]
    assert warnings(*["judge_faild"] * 1000) == sequences["1000_calls_one_unknown_name"]
    two = ["judge_faild", "tool_faild"] * 10
    assert warnings(*two) == sequences["20_calls_two_names_one_seen_before"]
    assert warnings(Text("judge_failed")) == 0


# All characters: also NUL, newlines and lone surrogates.
characters = st.characters(exclude_categories=())
near_names = st.builds(
    lambda name, at, insert: name[:at] + insert + name[at:],
    st.sampled_from(sorted(reference.FAILURE_KINDS)),
    st.integers(0, 30),
    st.sampled_from(["", "\n", "\0", " ", ":", "_", "\ud800", "é", "A", "\r\n"]),
)
texts = st.one_of(
    st.text(characters),
    near_names,
    st.text(st.sampled_from("ab_:0 \n\0\ud800Z")),
    st.from_regex(r"[a-z][a-z0-9_]*:[a-z][a-z0-9_]*\n?"),
)
hashable = st.one_of(
    texts,
    st.builds(Text, texts),
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.binary(),
    st.builds(object),
)
objects = st.one_of(
    hashable,
    st.tuples(hashable),
    st.frozensets(texts),
    st.lists(texts),
    st.dictionaries(texts, texts),
    st.builds(bytearray, st.binary()),
)


@settings(max_examples=2000, deadline=None)
@given(objects)
def test_any_object(value: object) -> None:
    if not is_newer(value):
        assert answers(failure_kinds, value) == answers(reference, value)


def test_strings_with_their_own_equality() -> None:
    for text in ["judge_failed", "judge_faild", "a:b"]:
        value = Odd(text)
        assert answers(failure_kinds, value) == answers(reference, value)


def test_names_of_the_reference_are_a_subset() -> None:
    assert len(reference.FAILURE_KINDS) == 22
    assert reference.FAILURE_KINDS == failure_kinds.FAILURE_KINDS - NEWER
    assert failure_kinds.FailureStage == reference.FailureStage
    for name in reference.FAILURE_KINDS:
        assert getattr(failure_kinds, name.upper()) == getattr(reference, name.upper()) == name
