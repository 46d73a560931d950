"""Failure rows as Arrow. Needs pyarrow: the extra ``arrow``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from ._native import Rows

_SCHEMA = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("line", pa.uint64(), nullable=False),
        ("_ng_task_index", pa.int64()),
        ("_ng_rollout_index", pa.int64()),
        ("_ng_attempt_index", pa.int64()),
        ("kind", pa.string()),
        ("stage", pa.string()),
        ("status", pa.uint16()),
        pa.field("class", pa.string(), nullable=False),
        pa.field("rule", pa.string(), nullable=False),
        ("reason", pa.string()),
    ]
)
_BATCH = 10_000


def stream(rows: Rows, requested_schema: object = None) -> object:
    """Return the rows that are left as the capsule of an Arrow stream."""

    def batches() -> Iterator[Any]:
        while batch := list(islice(rows, _BATCH)):
            yield pa.RecordBatch.from_pylist(batch, schema=_SCHEMA)

    reader = pa.RecordBatchReader.from_batches(_SCHEMA, batches())
    return reader.__arrow_c_stream__(requested_schema)
