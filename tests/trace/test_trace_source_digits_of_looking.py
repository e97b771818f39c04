"""Every digit of the attention text, "The Look-Across Machine", comes out of the trace, on the track that it is printed on.

They are copied by hand. What is printed wrongly is listed in book/errata.md.
"""

import numpy as np
import pytest
from printed import digits, rows

from pencil import examples
from pencil.reference import self_attention
from pencil.trace import Trace

LOOK = """
query             nolan  2 0 1 0
key               nolan  1 0 0 0
key               ended  3 0 2 0
value             nolan  2 0 0 1
value             ended  0 3 1 0
scores            nolan  2 8
scaled            nolan  1 4
exp               nolan  2.718 54.60
exp_sum           nolan  57.32
weights           nolan  0.047 0.953
weighted_values[nolan] nolan  0.094 0 0 0.047
weighted_values[ended] nolan  0 2.859 0.953 0
context           nolan  0.094 2.859 0.953 0.047
"""


# not printed there: ended's row, from the grids that this book fixes
LOOK_ENDED = """
query             ended  0 0 2 0
scores            ended  0 4
scaled            ended  0 2
exp               ended  1.000 7.389
exp_sum           ended  8.389
weights           ended  0.119 0.881
weighted_values[nolan] ended  0.238 0 0 0.119
weighted_values[ended] ended  0 2.643 0.881 0
context           ended  0.238 2.643 0.881 0.119
"""


LOOK_EXACT = """
weighted_values[nolan] nolan  0.095 0 0 0.047
weighted_values[ended] nolan  0 2.858 0.953 0
context           nolan  0.095 2.858 0.953 0.047
weighted_values[ended] ended  0 2.642 0.881 0
context           ended  0.238 2.642 0.881 0.119
"""


@pytest.fixture(scope="module")
def review():
    trace = Trace()
    self_attention(trace.given("embedding", examples.ROWS, words=examples.REVIEW), trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    return trace


@pytest.mark.parametrize("reference, expected", rows(LOOK + LOOK_ENDED))
def test_the_look_across_machine_prints_these_digits_on_paper(review, reference, expected):
    assert np.ravel(review.find(reference).paper).tolist() == expected


@pytest.mark.parametrize("reference, expected", rows(LOOK_EXACT))
def test_the_look_across_machine_has_these_digits_on_the_exact_track(review, reference, expected):
    assert digits(review.find(reference), "exact") == expected


def test_the_two_tracks_of_the_look_across_machine_part_only_in_the_mixing(review):
    references = [r for r, _ in rows(LOOK + LOOK_ENDED)]
    apart = {r for r in references if digits(review.find(r), "exact") != digits(review.find(r), "paper")}
    assert apart == {r for r, _ in rows(LOOK_EXACT)}
