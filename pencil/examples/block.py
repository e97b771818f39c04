"""Chapter 10, the whole block (source 001): "cat sat"."""

import numpy as np

from pencil.examples.shared import matrix, permutation
from pencil.reference.attending import AttentionParams, QKVParams
from pencil.reference.blocks import BlockParams
from pencil.reference.networks import FeedForwardParams

PAIR = ("cat", "sat")
PAIR_EMBEDDINGS = matrix([1, 0, 1, 0], [0, 1, 1, 0])
PAIR_POSITIONS = matrix([1, 1, 0, 0], [0, 0, 1, 1])
PAIR_HEAD = QKVParams(query=permutation(2, 0, 3, 1), key=permutation(3, 2, 1, 0), value=permutation(1, 2, 3, 0))
PAIR_BLOCK = BlockParams(
    attention=AttentionParams((PAIR_HEAD,), output=np.eye(4)),
    feed_forward=FeedForwardParams(
        up=matrix([1, -1, 0, 0], [0, 0, 1, -1], [1, 1, 0, 0], [0, 1, 1, 0]),
        down=permutation(1, 2, 3, 0),
    ),
)
MIXING_MATRIX = matrix([0.5, 0.2, 0.1, 0.0], [-0.3, 0.4, 0.0, 0.6], [0.1, 0.1, 0.7, 0.2], [0.0, 0.5, 0.5, 0.5])
MIXING_ROW = np.array([1.414, 0.0, 0.0, -1.414])  # the row of cat after LayerNorm, as it stands on paper

# Four times as wide as the row, as in a real block. Hidden number 4k is number k of the row, the three behind it say by how much
# it is greater than each other one; output k adds its four.
WIDE_FEED_FORWARD = FeedForwardParams(
    up=np.array([row for k in range(4) for row in (np.eye(4)[k], *(np.eye(4)[k] - np.eye(4)[j] for j in range(4) if j != k))]),
    down=np.kron(np.eye(4), np.ones((1, 4))),
)
