"""Compares the Python package with the command and with other tools.

    pip install ./failure-kinds-python orjson polars duckdb pandas
    python3 benchmarks/python/rows.py [--scale 0.1] [--rounds 5]

The same rows and method as benchmarks/triage.py: whole processes in turn, medians as ratios to the
first. What is not installed is left out.
"""

import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import triage

TRIAGE = "import sys, failure_kinds as fk; print(fk.triage(sys.argv[1]).to_dict())"
ROWS = """
import sys, collections, failure_kinds as fk
keys = ("kind", "stage", "status")
print(collections.Counter(tuple(row[key] for key in keys) for row in fk.rows(sys.argv[1])))
"""
POLARS = f"""
import sys, polars
schema = {{"_ng_failure_class": polars.String, "_ng_failure_stage": polars.String,
          "_ng_failure_http_status": polars.Int64}}
rows = polars.scan_ndjson(sys.argv[1], schema=schema, ignore_errors=True)
print(rows.group_by({triage.COLUMNS}).len().collect().to_dicts())
"""
PANDAS = f"""
import sys, collections, pandas
counts = collections.Counter()
with pandas.read_json(sys.argv[1], lines=True, chunksize=10_000) as chunks:
    for chunk in chunks:
        frame = chunk.reindex(columns={list(triage.COLUMNS)})
        counts.update(frame.value_counts(dropna=False).to_dict())
print(counts)
"""


def programs(path: Path) -> dict[str, list[object] | None]:
    """The commands for a file by name; None for one that is not installed."""

    def python(module: str, program: str) -> list[object] | None:
        installed = importlib.util.find_spec(module)
        return [sys.executable, "-c", program, path] if installed else None

    return {
        "failure_kinds.triage": python("failure_kinds", TRIAGE),
        "the command": [triage.BUILT / "failure-kinds", "triage", path, "--format", "json"],
        "failure_kinds.rows": python("failure_kinds", ROWS),
        "DuckDB, 2 threads": python("duckdb", triage.DUCKDB),
        "polars scan_ndjson": python("polars", POLARS),
        "orjson + Counter": python("orjson", triage.ORJSON),
        "pandas read_json": python("pandas", PANDAS),
    }


if __name__ == "__main__":
    triage.main(programs, packings=())
