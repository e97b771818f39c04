"""Run plain NumPy code once and keep every step of it: one graph, two tracks, all names.

trace = Trace()
x = trace.given("stick", [[2, 1, 1, 0], [0, 1, 2, 1]], words=["nolan", "ended"])
attention(x, x, x, note=trace)
trace.find("nolan.weights[ended]").paper
"""

from pencil.trace.backward import backward
from pencil.trace.notes import exact, under
from pencil.trace.operations import TraceError
from pencil.trace.recorder import Trace
from pencil.trace.replay import still_true

__all__ = ["Trace", "TraceError", "backward", "exact", "still_true", "under"]
