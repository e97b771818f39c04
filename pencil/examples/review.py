"""Chapter 06, attention (source 000): the review "nolan ended", one head and a classifier; and the words that its labs can add."""

import numpy as np

from pencil.examples.shared import ROWS, matrix
from pencil.reference.attending import QKVParams
from pencil.reference.classify import MLPParams

# The source prints the ranks, the query matrix and all six rows of query, key and value. The key and value matrices are ours,
# chosen so that they give these rows.
REVIEW = ("nolan", "ended")
REVIEW_RANKS = {"the": 1, "movie": 2, "was": 3, "boring": 4, "nolan": 73, "ended": 88}
REVIEW_PARAMS = QKVParams(
    query=matrix([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]),
    key=matrix([0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]),
    value=matrix([1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 1], [0, 1, 0, -1]),
)
REVIEW_HEAD = MLPParams(  # a head small enough for the pencil; ours
    weight1=matrix([1, 1, 0, 0], [0, 0, -1, 1]),
    bias1=np.array([-1.0, 0.0]),
    weight2=matrix([2, 1]),
    bias2=np.array([-1.0]),
)

# Words that the labs can add to the review; ours.
LAB_WORDS = (*REVIEW, "was", "boring", "the", "movie")
LAB_ROWS = np.vstack([ROWS, matrix([0, 0, 1, 0], [1, -1, 0, 2], [0, 0, 0, 1], [1, 0, 2, 0])])
