"""The native half of the package. Import from ``failure_kinds`` instead."""

import os
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Self, TypeAlias, final

__all__ = [
    "ClassificationConfig",
    "Report",
    "classify",
    "main",
    "quota_reset_text",
    "quota_reset_unix",
    "refusal",
    "suggest",
    "triage",
]

_Path: TypeAlias = str | os.PathLike[str]
_Paths: TypeAlias = _Path | Iterable[_Path]

def refusal(name: str) -> tuple[str, str, str | None]: ...
def suggest(name: str) -> str | None: ...
def quota_reset_text(kind: str, reason: str) -> str | None: ...
def quota_reset_unix(kind: str, reason: str) -> int | None: ...
def classify(
    kind: str | None,
    http_status: object,
    call_status: object,
    stage: str | None,
    admit_stage: bool,
    config: ClassificationConfig | None,
) -> tuple[str, str, str | None, bool, bool]: ...
def main(arguments: list[bytes]) -> int: ...

@final
class ClassificationConfig:
    def __new__(cls) -> Self: ...
    @staticmethod
    def from_path(path: _Path) -> ClassificationConfig: ...
    @staticmethod
    def from_dict(config: dict[str, Any]) -> ClassificationConfig: ...
    def with_overrides(self, overrides: dict[str, Any] | _Path) -> ClassificationConfig: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Report:
    def to_dict(self) -> dict[str, Any]: ...
    @property
    def groups(self) -> list[dict[str, Any]]: ...
    @property
    def runs(self) -> list[dict[str, Any]]: ...
    def to_markdown(self) -> str: ...

def triage(
    paths: _Paths,
    *,
    config: ClassificationConfig | None = None,
    admit_stage: bool = True,
    admit_calls: bool = True,
    latest: bool = False,
    strict: bool = False,
    now: datetime | str | None = None,
) -> Report: ...
