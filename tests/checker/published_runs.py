"""The published values of a chapter with several runs, without a notebook."""

from pencil import examples
from pencil.checker.values import publish
from pencil.reference.attending import self_attention
from pencil.trace import Trace
from pencil.worked import Worked


def review_run():
    """Self-attention over the two words "nolan ended"."""
    trace = Trace()
    embedding = trace.given("embedding", examples.ROWS, words=examples.REVIEW)
    self_attention(embedding, trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    return trace


def mixing_run():
    """The four results of source 001's box: a weight matrix with real weights, applied to cat's normalized row."""
    trace = Trace()
    weight, row = trace.given("weight", examples.MIXING_MATRIX), trace.given("lncat", examples.MIXING_ROW)
    trace.note("mixing", weight @ row)
    return trace


def review():
    """A main run, a second run under a name, and five figures."""
    labels = {"query": "WANT", "key": "HAVE", "value": "GIVE"}
    figures = {"dials": 40_008, "spread": [1.999, 5.651, 8.004], "parameters": 175_000_000_000, "third": 1 / 3, "half": 0.5}
    return publish(Worked(review_run(), labels), figures=figures, mix=mixing_run())
