"""The benchmark of training against Keras, in a separate process and on few reviews; no speed is asserted."""

import json
import subprocess
import sys

import pytest

from pencil.experiments.contest import entrants
from pencil.paths import ROOT

pytestmark = pytest.mark.slow


def test_the_machines_have_keras_sizes_and_every_row_is_measured(tmp_path):
    """Its own assertion holds the counts of learned numbers against Keras'."""
    file = tmp_path / "rows.json"
    command = [sys.executable, "benchmarks/bench_training.py", "--backend", "torch", "--reviews", "64", "--rounds", "1", "--record", str(file)]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=600).stdout
    rows = json.loads(file.read_text(encoding="utf-8"))["result"]["rows"]
    assert [(row["model"], row["masked"]) for row in rows] == [(name, masked) for masked in (True, False) for name in entrants.FOUR]
    assert all(row["ours"] > 0 and row["keras"] > 0 for row in rows) and all(name in said for name in entrants.FOUR)
