"""What several tests use."""

import importlib.metadata
import logging
from pathlib import Path

import pytest
from failure_kinds import _vocabulary
from nemo_gym import failure_kinds as reference

assert importlib.metadata.version("nemo-gym") == "0.7.0"

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def forget_reported_names() -> None:
    """Each test sees the warnings of its own names."""
    _vocabulary._reported.clear()
    reference._WARNED_UNKNOWN.clear()


class Records(logging.Handler):
    """The records of a logger, in a list."""

    def __init__(self, logger: str) -> None:
        super().__init__()
        self.logger = logging.getLogger(logger)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def __enter__(self) -> list[logging.LogRecord]:
        self.logger.addHandler(self)
        return self.records

    def __exit__(self, *_: object) -> None:
        self.logger.removeHandler(self)
