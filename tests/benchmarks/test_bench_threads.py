"""The benchmark of training beside busy neighbours: how it asks, what it says, and that it leaves no loop behind."""

import json
import os
import sys
from types import SimpleNamespace

import pytest

from pencil.paths import ROOT


@pytest.fixture
def bench(monkeypatch):
    """The benchmark as a module, as if it were run from its own folder."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import bench_threads

    yield bench_threads
    del sys.modules["bench_threads"]


@pytest.mark.parametrize("of_several, status", [(30.0, 0), (29.0, 1)])
def test_several_threads_keep_half_of_one_thread_s_speed_or_it_fails(bench, monkeypatch, capsys, of_several, status):
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
    assert bench.main(["--threads", "3"]) == status
    assert asked == [(waiting, threads, busy) for waiting in ("PASSIVE", "ACTIVE") for threads in (1, 3) for busy in (False, True)]
    assert len(loops) == 4 * 2 * os.cpu_count() and all(loop.ended == ["killed", "waited for"] for loop in loops)
    assert f"3 threads have {of_several / 60:.2f} of the speed of one; at least 0.5 is wanted" in capsys.readouterr().out
