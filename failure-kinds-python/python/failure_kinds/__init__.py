"""Shared names for failures of agent evaluations, and reports on saved rows.

The names and the functions on them are pure Python and a drop-in replacement for
``nemo_gym.failure_kinds``:

>>> from failure_kinds import JUDGE_FAILED, is_registered, validate_failure_kind
>>> validate_failure_kind(JUDGE_FAILED)
'judge_failed'
>>> is_registered("judge_faild")
False

Classification and reports are native, and loaded when they are first used:

>>> import failure_kinds as fk
>>> fk.classify("agent_run_error", http_status=500, call_status=429).rule
'call_evidence'
"""

from typing import TYPE_CHECKING

from ._errors import *
from ._names import *
from ._vocabulary import *

if TYPE_CHECKING:
    from ._classification import Classification as Classification
    from ._classification import classify as classify
    from ._native import ClassificationConfig as ClassificationConfig
    from ._native import Comparison as Comparison
    from ._native import Report as Report
    from ._native import Rows as Rows
    from ._native import TriageState as TriageState
    from ._native import compare as compare
    from ._native import rows as rows
    from ._native import select as select
    from ._native import triage as triage

# The modules of what is loaded when it is first used.
_LAZY = {
    "Classification": "_classification",
    "ClassificationConfig": "_native",
    "Comparison": "_native",
    "Report": "_native",
    "Rows": "_native",
    "TriageState": "_native",
    "classify": "_classification",
    "compare": "_native",
    "rows": "_native",
    "select": "_native",
    "triage": "_native",
}


def __getattr__(name: str) -> object:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
