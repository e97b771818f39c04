"""The runs of the book's examples that the tests of book/errata.md use."""

from pencil import examples as ex
from pencil.reference import BlockConfig, attention, block, self_attention, softmax
from pencil.trace import Trace


def review(softmax=softmax):
    trace = Trace()
    self_attention(trace.given("embedding", ex.ROWS, words=ex.REVIEW), trace.given_each("params", ex.REVIEW_PARAMS), note=trace, softmax=softmax)
    return trace


def pair(mask=None, eps=0.0):
    trace = Trace()
    block(
        trace.given("embedding", ex.ROWS, words=ex.PAIR),
        trace.given_each("params", ex.PAIR_BLOCK),
        note=trace,
        mask=mask,
        config=BlockConfig(eps=eps),
    )
    return trace


def lookup():
    trace = Trace()
    query, key, value = (trace.given(n, v) for n, v in (("query", ex.LOOKUP_QUERY), ("key", ex.LOOKUP_KEYS), ("value", ex.LOOKUP_VALUES)))
    attention(query, key, value, note=trace)
    return trace
