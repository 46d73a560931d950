"""Which side a failure is on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _native
from ._names import FailureClass

if TYPE_CHECKING:
    from ._names import FailureStage
    from ._native import ClassificationConfig

__all__ = ["Classification", "classify"]


@dataclass(frozen=True, slots=True)
class Classification:
    """The side of a failure, and the rule that decided it."""

    failure_class: FailureClass
    """The side, as a label for reports."""
    rule: str
    """The name of the rule, such as ``http_evidence``."""
    http_label: str | None
    """The label of the failure's own HTTP status, also if another rule decided."""
    server: bool
    """Whether it belongs to the server subcategory of evaluation failures."""
    via_legacy: bool
    """Whether the deciding entry was found under the successor of a renamed label."""


def classify(
    kind: str | None,
    *,
    http_status: object = None,
    call_status: object = None,
    stage: FailureStage | None = None,
    admit_stage: bool = False,
    config: ClassificationConfig | None = None,
) -> Classification:
    """Classify a failure by the given evidence alone.

    Args:
        kind: the kind as it was observed: a registered name, an extension or any other label.
        http_status: the status that a peer sent. What is not an integer in 100..=599 is not
            evidence.
        call_status: the status of the failed last model call, if the caller admits it.
        stage: where the failure originated, as observed. Alone it decides nothing.
        admit_stage: the caller admits the stage, so stage rules apply.
        config: the configuration; the default one if there is none.

    Raises:
        ValueError: there is no such stage.
    """
    failure_class, rule, http_label, server, via_legacy = _native.classify(
        kind, http_status, call_status, stage, admit_stage, config
    )
    return Classification(FailureClass(failure_class), rule, http_label, server, via_legacy)
