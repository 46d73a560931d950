"""The exceptions of the package. All of them pickle."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ConfigError", "ConfigFault", "FailureKindError", "InputError"]


class FailureKindError(ValueError):
    """A text is neither a registered kind nor an extension.

    Attributes:
        name: the text.
        reason: the rule that it breaks, such as ``white_space`` or ``unregistered``.
        suggestion: the name that was most likely meant, if there is one.
    """

    def __init__(self, message: str, name: str, reason: str, suggestion: str | None) -> None:
        super().__init__(message, name, reason, suggestion)
        self.name = name
        self.reason = reason
        self.suggestion = suggestion

    def __str__(self) -> str:
        return str(self.args[0])


class ConfigFault(NamedTuple):
    """One fault of a classification configuration."""

    path: str
    """The keys that lead to it, joined by dots. Empty for a fault of the whole file."""
    message: str
    """What is wrong."""
    help: str | None
    """What to write instead or to look at."""
    suggestion: str | None
    """The name that was most likely meant."""
    line: int | None
    """The line, if the configuration was read from a file."""
    column: int | None
    """The column, in characters."""


class ConfigError(ValueError):
    """A classification configuration has faults. The message lists all of them.

    Attributes:
        faults: the faults, in the order of the file.
    """

    def __init__(self, message: str, faults: list[ConfigFault]) -> None:
        super().__init__(message, faults)
        self.faults = [ConfigFault(*fault) for fault in faults]

    def __str__(self) -> str:
        return str(self.args[0])


class InputError(ValueError):
    """The input is not rows of evaluations. The message says where and what to do."""
