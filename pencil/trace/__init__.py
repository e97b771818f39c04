"""Record a run of plain NumPy code as a graph of steps.

Each value is held on two tracks: `exact` in float64, and `paper`, where every named value is rounded and computed on with the
rounded number.

    trace = Trace()
    x = trace.given("embedding", [[2, 1, 1, 0], [0, 1, 2, 1]], words=["nolan", "ended"])
    attention(x, x, x, note=trace)
    trace.find("nolan.weights[ended]").paper

In reading order:

operations    the operations that a trace can record, and the NumPy functions that map to them
lowering      further NumPy functions, written in those operations
array         TracedArray, which takes the place of a NumPy array and records what is done with it
recorder      Trace, which keeps all steps and names
limits        the bounds of an input, such as a count, which is whole
row_words     labels of rows and columns, propagated through every step
names         the grammar of references, such as nolan.weights[ended]
undefined     errors for values that are NaN or lost to rounding, with the operation to blame
program       the graph as JSON, and its replay here; pencil/web/engine replays it in a page
replay        the check that a recorded program depends on its inputs alone
gradients     backpropagation on the same graph
readings      the same run in another number system, and the comparison of two runs
logarithm     one exact number: a fraction, or the logarithm of a fraction
rationals     exact runs in fractions
costs         operations, reads and writes of a run
substitution  a value recomputed with other arrays in place of earlier steps
"""

from pencil.note import no_note, scoped
from pencil.trace.costs import Bill
from pencil.trace.gradients import backward
from pencil.trace.limits import COUNT
from pencil.trace.operations import TraceError
from pencil.trace.rationals import ln
from pencil.trace.readings import Reading, same
from pencil.trace.recorder import Trace
from pencil.trace.replay import check_replay

__all__ = ["COUNT", "Bill", "Reading", "Trace", "TraceError", "backward", "check_replay", "ln", "no_note", "same", "scoped"]
