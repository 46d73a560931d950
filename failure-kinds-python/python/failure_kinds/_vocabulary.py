"""Functions on names. Pure Python: a call costs what the reference's costs."""

from __future__ import annotations

import re
import threading
from typing import Final, TypeVar

from ._errors import FailureKindError
from ._names import (
    _EVALUATION_DEFAULT_KINDS,
    _SERVER_KINDS,
    FAILURE_KINDS,
    GATE_DERIVED_KINDS,
    FailureClass,
)

__all__ = [
    "has_evaluation_default",
    "is_gate_derived",
    "is_namespaced",
    "is_registered",
    "is_server_error_status",
    "is_server_subcategory",
    "quota_reset_text",
    "quota_reset_unix",
    "suggest",
    "validate_event_kind",
    "validate_failure_kind",
]

# `fullmatch`, because `$` also matches before a final newline.
_match_extension = re.compile(r"[a-z][a-z0-9_]*:[a-z][a-z0-9_]*").fullmatch

# The hashes of the names that were reported. Python seeds the hashes of strings per process.
_reported: set[int] = set()
_reporting = threading.Lock()
_MOST_REPORTED: Final = 4096

_Name = TypeVar("_Name", bound=str | None)


def is_registered(name: str) -> bool:
    """Whether ``name`` is part of the shared vocabulary, and nothing more."""
    return name in FAILURE_KINDS


def is_namespaced(name: str) -> bool:
    """Whether ``name`` is well-formed as a server's own ``<server>:<kind>`` extension."""
    return _match_extension(name) is not None


def is_gate_derived(name: str) -> bool:
    """Whether ``name`` is a class that an acceptance gate derives from saved rows."""
    return name in GATE_DERIVED_KINDS


def has_evaluation_default(name: str) -> bool:
    """Whether the registered kind ``name`` is on the evaluation's side without any context."""
    return name in _EVALUATION_DEFAULT_KINDS


def is_server_subcategory(failure_class: FailureClass | str, name: str) -> bool:
    """Whether a failure on the evaluation's side belongs to the server subcategory.

    It never decides a class: for any class but ``evaluation`` the answer is ``False``.
    """
    return failure_class == FailureClass.EVALUATION and name in _SERVER_KINDS


def is_server_error_status(status: object) -> bool:
    """Whether a recorded HTTP status is an integer from 500 to 599.

    A text, a float and a boolean are not.
    """
    return isinstance(status, int) and not isinstance(status, bool) and 500 <= status <= 599


def validate_failure_kind(name: _Name) -> _Name:
    """Return ``name`` unchanged, and warn once when it is neither registered nor an extension.

    For producers, at the boundary where a kind leaves them. It warns instead of raising, so that
    a component with an old label stays visible while it is migrated. ``None`` passes silently.

    The warning goes to the logger ``failure_kinds``, once per name and process. At most 4,096
    names are remembered; then one last warning says that further names are not reported.
    """
    if name is None or name in FAILURE_KINDS or _match_extension(name):
        return name
    fingerprint = hash(name)
    if fingerprint not in _reported:
        _report(name, fingerprint)
    return name


def _report(name: str, fingerprint: int) -> None:
    """Warn about ``name``, unless another thread did or too many names were reported."""
    with _reporting:
        # The entry after the last one marks that the last warning was given.
        if fingerprint in _reported or len(_reported) > _MOST_REPORTED:
            return
        _reported.add(fingerprint)
        full = len(_reported) > _MOST_REPORTED
    # Here, so that it is not loaded for the names alone.
    import logging

    logger = logging.getLogger("failure_kinds")
    # No lock is held: a handler may call the validator.
    if full:
        logger.warning(
            "%d unregistered failure kinds were reported; further names are not", _MOST_REPORTED
        )
    else:
        logger.warning("%s; reported once", _refusal(name))


def validate_event_kind(name: str) -> str:
    """Return ``name`` if it is the kind of a canonical event: registered or an extension.

    Raises:
        FailureKindError: it is anything else, such as a gate-derived class or a legacy label.
    """
    if name in FAILURE_KINDS or _match_extension(name):
        return name
    raise _refusal(name)


def _refusal(name: str) -> FailureKindError:
    from . import _native

    message, reason, suggestion = _native.refusal(name)
    return FailureKindError(message, name, reason, suggestion)


def suggest(name: str) -> str | None:
    """The registered name that was most likely meant, or the successor of a legacy label.

    ``None`` without a clear answer: a wrong suggestion files a failure under a wrong name.
    """
    from . import _native

    return _native.suggest(name)


def quota_reset_text(kind: str, reason: str) -> str | None:
    """The UTC time that the reason of a ``provider_quota_exhausted`` names, if there is one.

    It is the ``YYYY-MM-DD HH:MM`` of the first ``resets at YYYY-MM-DD HH:MM UTC`` whose time
    exists. For any other kind the answer is ``None``.
    """
    from . import _native

    return _native.quota_reset_text(kind, reason)


def quota_reset_unix(kind: str, reason: str) -> int | None:
    """The time of :func:`quota_reset_text` as unix time, in seconds."""
    from . import _native

    return _native.quota_reset_unix(kind, reason)
