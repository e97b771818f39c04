"""Run plain NumPy code once and keep every step of it.

Each value is held twice: `exact` in float64, and `paper`, worked from values that are rounded at every named step.

trace = Trace()
x = trace.given("embedding", [[2, 1, 1, 0], [0, 1, 2, 1]], words=["nolan", "ended"])
attention(x, x, x, note=trace)
trace.find("nolan.weights[ended]").paper

In reading order:

operations  what a recorded step may be, and how NumPy spells it
array       the traced array, which stands where a NumPy array would
recorder    the trace: it keeps every step and every name
row_words   the words of rows and columns, carried along by every step
substitution  a value as it would be, had another one stood in the place of a step
undefined   where a value has no number, and which operation is to blame
readings    the run in other numbers, and two runs held against each other
logarithm   one number without rounding: a fraction, or the logarithm of one
rationals   fractions, with no rounding at all
costs       the bill: what a run computes, reads and writes
names       the grammar of references, such as nolan.weights[ended]
program     the graph as JSON, to be run again here or in a page
replay      the proof that a program follows its givens
gradients   backpropagation on the same graph
"""

from pencil.note import no_note, scoped
from pencil.trace.costs import Bill
from pencil.trace.gradients import backward
from pencil.trace.operations import TraceError
from pencil.trace.rationals import ln
from pencil.trace.readings import Reading, same
from pencil.trace.recorder import Trace
from pencil.trace.replay import check_replay

__all__ = ["Bill", "Reading", "Trace", "TraceError", "backward", "check_replay", "ln", "no_note", "same", "scoped"]
