"""The run of "nolan ended" and the mixing grid, published as a chapter would."""

import pytest

from pencil import examples
from pencil.prose import publish
from pencil.reference.tags import self_attention
from pencil.trace import Trace
from pencil.worked import Worked


def review_run():
    trace = Trace()
    stick = trace.given("stick", examples.ROWS, words=examples.REVIEW)
    self_attention(stick, trace.given_each("grid", examples.REVIEW_GRIDS), trace)
    return trace


def mixing_run():
    trace = Trace()
    grid, row = trace.given("grid", examples.MIXING_GRID), trace.given("lncat", examples.MIXING_ROW)
    trace.note("mixing", grid @ row)
    return trace


@pytest.fixture(scope="session")
def review():
    """What a chapter with one run, a second run under a name, and three figures publishes."""
    labels = {"query": "WANT", "key": "HAVE", "value": "GIVE"}
    figures = {"dials": 40_008, "spread": [1.999, 5.651, 8.004], "parameters": 175_000_000_000, "third": 1 / 3, "half": 0.5}
    return publish(Worked(review_run(), labels), figures=figures, mix=mixing_run())


@pytest.fixture(scope="session")
def mixing():
    """The four results of source 001's box: a grid with real weights, applied to cat's tamed row."""
    return publish(mixing_run())
