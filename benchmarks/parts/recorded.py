"""What the benchmarks of the trace and of the page's engine both work on."""

from pencil import examples
from pencil.reference import block
from pencil.trace import Trace


def record_block():  # -> Trace
    """The block of the book on its two words."""
    trace = Trace()
    block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    return trace
