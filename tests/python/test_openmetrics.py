"""`triage --format openmetrics`, read by the parser of Prometheus's own client.

    pip install -r tests/python/requirements.txt
    cargo build && python3 -m unittest discover tests/python
"""

import collections
import json
import subprocess
import unittest
from pathlib import Path

from prometheus_client.openmetrics.parser import text_string_to_metric_families

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "target" / "debug" / "failure-kinds"
# Four runs with an inventory; the shortened one ends in the middle of a line.
RUNS = ["examples/data/gateway", "examples/data/sat", "examples/data/enospc", "examples/data/judge"]


def triage(form):
    done = subprocess.run(
        [COMMAND, "triage", "--format", form, *RUNS], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    return done.stdout.decode()


class OpenMetrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = json.loads(triage("json"))
        families = text_string_to_metric_families(triage("openmetrics"))
        cls.families = {family.name: family for family in families}

    def samples(self, name, *labels):
        samples = self.families[name].samples
        return {tuple(sample.labels[label] for label in labels): sample.value for sample in samples}

    def test_every_family_is_a_gauge_with_help_and_without_times(self):
        self.assertEqual(
            sorted(self.families),
            ["failure_kinds_inputs", "failure_kinds_rollouts", "failure_kinds_rows"],
        )
        for family in self.families.values():
            self.assertEqual(family.type, "gauge")
            self.assertTrue(family.documentation)
            self.assertTrue(all(sample.timestamp is None for sample in family.samples))

    def test_rows_are_those_of_the_groups(self):
        # These runs hold registered names and extensions alone.
        rows = collections.Counter()
        for group in self.report["groups"]:
            kind = group["kind"] if group["registry"] == "registered" else group["registry"]
            rows[group["class"], kind, group["stage"] or "none"] += group["count"]
        self.assertGreater(len(rows), 5)
        self.assertEqual(self.samples("failure_kinds_rows", "class", "kind", "stage"), rows)

    def test_rollouts_are_those_of_the_report(self):
        rollouts = self.samples("failure_kinds_rollouts", "status")
        self.assertGreater(rollouts["missing",], 0)
        for (status,), count in rollouts.items():
            self.assertEqual(count, self.report["rollouts"][status], status)

    def test_inputs_are_those_of_the_report(self):
        truncated = sum(file["truncated_last_line"] for file in self.report["files"])
        self.assertEqual(truncated, 1)
        self.assertEqual(
            self.samples("failure_kinds_inputs", "state"),
            {
                ("malformed",): self.report["totals"]["malformed"],
                ("truncated",): truncated,
                ("skipped",): len(self.report["skipped_files"]),
            },
        )


if __name__ == "__main__":
    unittest.main()
