"""Shared names for failures of agent evaluations, and reports on saved rows.

The names and the functions on them are pure Python and a drop-in replacement for
``nemo_gym.failure_kinds``:

>>> from failure_kinds import JUDGE_FAILED, is_registered, validate_failure_kind
>>> validate_failure_kind(JUDGE_FAILED)
'judge_failed'
>>> is_registered("judge_faild")
False
"""

from . import _names, _vocabulary
from ._names import *
from ._vocabulary import *

__all__ = []
__all__ += _names.__all__
__all__ += _vocabulary.__all__
