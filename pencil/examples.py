"""The book's fixed words, sticks and grids. Every other number of its pages is worked out from these.

The rows [2, 1, 1, 0] and [0, 1, 2, 1] run through the whole book: they are nolan and ended in the
film review, cat and sat in the block. Plain NumPy arrays; a grid is a stack of weight-rows.
"""

import numpy as np

from pencil.reference.block import Block
from pencil.reference.feed_forward import FeedForward
from pencil.reference.head import Head
from pencil.reference.heads import Attention
from pencil.reference.tags import Grids


def _grid(*rows):
    return np.array(rows, float)


def _reorder(*slots):  # a grid whose row k reads the one slot it names (from 0)
    return np.eye(4)[list(slots)]


ROWS = _grid([2, 1, 1, 0], [0, 1, 2, 1])

# "nolan ended" (source 000): the ranks, the WANT grid and all six tags are printed there;
# the HAVE and GIVE grids are ours, chosen to give the printed tags.
REVIEW = ("nolan", "ended")
REVIEW_RANKS = {"the": 1, "movie": 2, "was": 3, "boring": 4, "nolan": 73, "ended": 88}
REVIEW_GRIDS = Grids(
    query=_grid([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]),
    key=_grid([0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]),
    value=_grid([1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 1], [0, 1, 0, -1]),
)
REVIEW_HEAD = Head(  # a head small enough for the pencil; ours
    grid1=_grid([1, 1, 0, 0], [0, 0, -1, 1]),
    nudge1=np.array([-1.0, 0.0]),
    grid2=_grid([2, 1]),
    nudge2=np.array([-1.0]),
)

# "cat sat" (source 001)
PAIR = ("cat", "sat")
PAIR_EMBEDDINGS = _grid([1, 0, 1, 0], [0, 1, 1, 0])
PAIR_SEATS = _grid([1, 1, 0, 0], [0, 0, 1, 1])
PAIR_HEAD = Grids(query=_reorder(2, 0, 3, 1), key=_reorder(3, 2, 1, 0), value=_reorder(1, 2, 3, 0))
PAIR_BLOCK = Block(
    attention=Attention((PAIR_HEAD,), output=np.eye(4)),
    feed_forward=FeedForward(
        widen=_grid([1, -1, 0, 0], [0, 0, 1, -1], [1, 1, 0, 0], [0, 1, 1, 0]),
        narrow=_reorder(1, 2, 3, 0),
    ),
)
MIXING_GRID = _grid([0.5, 0.2, 0.1, 0.0], [-0.3, 0.4, 0.0, 0.6], [0.1, 0.1, 0.7, 0.2], [0.0, 0.5, 0.5, 0.5])
MIXING_ROW = np.array([1.414, 0.0, 0.0, -1.414])  # cat, tamed, as it stands on paper

# the soft lookup (source 002): three keys, their values, one query that points along the first key
LOOKUP_KEYS = _grid([1, 0], [0, 1], [1, 1])
LOOKUP_VALUES = _grid([10, 0], [0, 10], [5, 5])
LOOKUP_QUERY = _grid([1, 0])

# The whole block (chapter 10): a worker four times as wide as the row; ours. Hidden number 4k is slot k
# itself, the three behind it are by how much slot k stands above each other slot; slot k adds its four.
WIDE_WORKER = FeedForward(
    widen=np.array([row for k in range(4) for row in (np.eye(4)[k], *(np.eye(4)[k] - np.eye(4)[j] for j in range(4) if j != k))]),
    narrow=np.kron(np.eye(4), np.ones((1, 4))),
)

# Readers and writers (chapter 12): one small machine that fills a gap and goes on with a text, and one that asks
# another text; ours. Slots of a stick: a thing, a doing, to do with rest, to do with food. (Cat and sat as above.)
MASK_WORDS = ("gap", "cat", "sat", "ate", "fish")
MASK_STICKS = _grid([0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1])
MASK_TEXT = (1, 0, 4)  # cat gap fish
MASK_GRIDS = Grids(
    query=_grid([0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),  # a doing asks for things
    key=_grid([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),
    value=_grid([0, 0, 0, 0], [2, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 4]),  # a thing hands over a doing, and what it has to do with
)
CROSS_SOURCE, CROSS_TARGET = ("black", "cat"), ("begin", "tac")
CROSS_MEMORY = _grid([0, 1, 2, 1], [2, 1, 1, 0])
CROSS_ROWS = _grid([1, 0, 1, 0], [0, 1, 0, 1])
CROSS_GRIDS = Grids(
    query=_grid([2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0]),
    key=_grid([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]),
    value=_reorder(1, 2, 3, 0),
)
