"""Every benchmark runs to its end in a process of its own, with one round where it has rounds; no speed is asserted."""

import os
import re
import subprocess
import sys

import pytest

from pencil.paths import ROOT

SMALL = ["--batch", "2", "--length", "4", "--width", "8", "--heads", "2", "--blocks", "1", "--rows", "9", "--rounds", "1"]
QUICK = {
    "bench_core": ["--rounds", "1"],
    "bench_engine": ["--edits", "10"],
    "bench_labs": ["--edits", "10"],
    "bench_model": [*SMALL, "--only", "block", "mixture", "training", "prefill", "generation"],  # the checkpoints have GPT-2's size always
    "bench_pages": ["--loads", "1"],
    "bench_threads": ["--threads", "1", "--seconds", "0"],
    "bench_writer": ["--characters", "3000", "--steps", "2"],
}
OF_ITS_OWN = {"bench_training"}  # tests/peers/test_peer_bench_training.py runs it and reads its record
NAMES = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
AS_IT_IS = {"TORCHDYNAMO_DISABLE": "1"}  # nothing is compiled here: tests/peers/test_peer_bench.py compiles, which takes long


@pytest.mark.parametrize("name", sorted(NAMES - OF_ITS_OWN))
def test_it_runs_to_its_end(name, built):
    """A benchmark that is added runs in its usual size until it has an entry in QUICK."""
    command = [sys.executable, f"benchmarks/{name}.py", *QUICK.get(name, [])]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | AS_IT_IS, capture_output=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr[-2000:]
    assert len(re.findall(r"\d", done.stdout)) > 5, done.stdout
