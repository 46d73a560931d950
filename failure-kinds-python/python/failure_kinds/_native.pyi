"""The native half of the package. Import from ``failure_kinds`` instead."""

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, Self, TypeAlias, final

__all__ = [
    "ClassificationConfig",
    "Comparison",
    "Report",
    "Rows",
    "TriageState",
    "classify",
    "compare",
    "main",
    "quota_reset_text",
    "quota_reset_unix",
    "refusal",
    "rows",
    "select",
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
    def to_html(self) -> str: ...
    def _repr_html_(self) -> str: ...

def triage(
    paths: _Paths,
    *,
    config: ClassificationConfig | None = None,
    admit_stage: bool = True,
    calls: _Path = "auto",
    admit_calls: bool = True,
    latest: bool = False,
    strict: bool = False,
    one_run: bool = False,
    now: datetime | str | None = None,
) -> Report: ...

@final
class TriageState:
    @staticmethod
    def from_paths(
        paths: _Paths, *, calls: _Path = "auto", strict: bool = False
    ) -> TriageState: ...
    @staticmethod
    def from_bytes(state: bytes) -> TriageState: ...
    def to_bytes(self) -> bytes: ...
    def report(
        self,
        *,
        config: ClassificationConfig | None = None,
        admit_stage: bool = True,
        admit_calls: bool = True,
        latest: bool = False,
        now: datetime | str | None = None,
    ) -> Report: ...
    def __or__(self, other: TriageState, /) -> TriageState: ...
    def __ior__(self, other: TriageState, /) -> Self: ...

@final
class Rows:
    def __iter__(self) -> Self: ...
    def __next__(self) -> dict[str, Any]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

def rows(
    paths: _Paths,
    *,
    config: ClassificationConfig | None = None,
    admit_stage: bool = True,
    calls: _Path = "auto",
    admit_calls: bool = True,
) -> Rows: ...
def select(
    paths: _Paths,
    *,
    where: str | Sequence[str],
    emit: Literal["ids", "inputs", "rows"] = "ids",
    config: ClassificationConfig | None = None,
    admit_stage: bool = True,
    calls: _Path = "auto",
    admit_calls: bool = True,
    one_run: bool = False,
) -> list[dict[str, Any]]: ...

@final
class Comparison:
    def to_dict(self) -> dict[str, Any]: ...
    @property
    def rows(self) -> list[dict[str, Any]]: ...
    def to_markdown(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...

def compare(
    baseline: _Path,
    current: _Path,
    *,
    by: Literal["kind", "kind,stage", "class"] = "kind",
    config: ClassificationConfig | None = None,
    admit_stage: bool = True,
    calls: _Path = "auto",
    admit_calls: bool = True,
    one_run: bool = False,
    any_config: bool = False,
) -> Comparison: ...
