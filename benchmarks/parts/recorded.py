"""The trace that the benchmarks of the trace and of the page's engine share."""

from pencil import examples
from pencil.reference import block
from pencil.trace import Trace


def record_block():  # -> Trace
    """The book's block on two words."""
    trace = Trace()
    block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    return trace
