"""The benchmark of training under CPU load: its command line, its output, and that it leaves no busy loop behind."""

import json
import os
import sys
from itertools import product
from types import SimpleNamespace

import pytest

from pencil.experiments import records
from pencil.paths import ROOT


@pytest.fixture
def bench(monkeypatch):
    """The benchmark as a module, as if it were run from its own folder."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import bench_threads

    yield bench_threads
    del sys.modules["bench_threads"]


def stand_in(bench, monkeypatch, of_several):
    """Stand-ins for the processes: 60 steps a second on one thread, and so many on three beside the busy loops."""
    asked, loops = [], []

    class Loop:
        def __init__(self, command):
            loops.append(self)
            self.ended = []

        def kill(self):
            self.ended.append("killed")

        def wait(self):
            self.ended.append("waited for")

    def run(command, env, **_):
        threads, busy = int(command[command.index("--only") + 1]), any(not loop.ended for loop in loops)
        asked.append((env["OMP_WAIT_POLICY"], threads, busy))
        return SimpleNamespace(stdout=json.dumps(of_several if busy and threads == 3 else 60.0))

    monkeypatch.setattr(bench, "subprocess", SimpleNamespace(run=run, Popen=Loop))
    return asked, loops


@pytest.mark.parametrize("of_several, status", [(30.0, 0), (29.0, 1)])
def test_several_threads_keep_half_of_one_thread_s_speed_or_it_fails(bench, monkeypatch, capsys, of_several, status):
    asked, loops = stand_in(bench, monkeypatch, of_several)
    assert bench.main(["--threads", "3"]) == status
    assert asked == [(waiting, threads, busy) for waiting in ("PASSIVE", "ACTIVE") for threads in (1, 3) for busy in (False, True)]
    assert len(loops) == 4 * 2 * os.cpu_count() and all(loop.ended == ["killed", "waited for"] for loop in loops)
    assert f"3 threads have {of_several / 60:.2f} of the speed of one; at least 0.5 is wanted" in capsys.readouterr().out


@pytest.mark.parametrize("of_several, status", [(45.0, 0), (15.0, 1)])
def test_what_was_measured_is_recorded_with_where_and_when_also_where_it_is_too_slow(bench, monkeypatch, tmp_path, of_several, status):
    stand_in(bench, monkeypatch, of_several)
    file = tmp_path / "new" / "threads.json"
    asked = ["--threads", "3", "--seconds", "2", "--record", str(file)]
    assert bench.main(asked) == status
    record = records.read("threads", file.parent)
    share = of_several / 60
    assert [(row["waiting"], row["threads"], row["alone"], row["beside"], row["share"]) for row in record["rows"]] == [
        (waiting, threads, 60.0, beside, beside / 60) for waiting in ("PASSIVE", "ACTIVE") for threads, beside in ((1, 60.0), (3, 60 * share))
    ]
    assert (record["threads"], record["seconds"], record["cores"], record["loops"]) == (3, 2.0, os.cpu_count(), 2 * os.cpu_count())
    assert {"date", "commit", "changed_since", "seed"} <= set(record.provenance) and "3 thread(s)" in record.provenance["device"]
    assert record.provenance["command"] == f"python benchmarks/bench_threads.py {' '.join(asked)}" and set(record.provenance["versions"]) >= {"torch"}


def test_what_was_recorded_is_whole_and_several_threads_keep_half_of_one_threads_speed(bench):
    """The way of waiting that the commands take; torch's own loses more, which is why they do not take it."""
    record = records.read("bench_threads_cpu")
    rows = {(row["waiting"], row["threads"]): row for row in record["rows"]}
    assert set(rows) == set(product(bench.WAITS, (1, record["threads"]))) and record["threads"] > 1 and len(rows) == len(record["rows"])
    assert (record["loops"], record["demanded"]) == (bench.LOOPS * record["cores"], bench.LEAST) and record["seconds"] >= 30
    assert all(row["share"] == row["beside"] / rows[waiting, 1]["beside"] for (waiting, _), row in rows.items())
    kept, spun = (rows[waiting, record["threads"]]["share"] for waiting in ("PASSIVE", "ACTIVE"))
    assert spun < bench.LEAST <= kept
    assert rows["PASSIVE", 1]["alone"] > rows["PASSIVE", record["threads"]]["alone"]  # so one thread is what `experiment` takes by itself
    assert record.provenance["changed_since"] is False and "benchmarks/bench_threads.py" in record.provenance["command"]


def test_nothing_is_recorded_unless_asked(bench, monkeypatch, tmp_path):
    stand_in(bench, monkeypatch, 45.0)
    monkeypatch.setattr(records, "write", lambda *args: pytest.fail("nobody asked for a record"))
    assert bench.main(["--threads", "3"]) == 0
