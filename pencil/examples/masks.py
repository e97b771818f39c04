"""Chapter 12, masks: one small machine that fills a gap and goes on with a text, and one that attends to another text."""

from pencil.examples.shared import matrix, permutation
from pencil.reference.attending import QKVParams

# The four numbers of a word: it is a thing, it is an action, it has to do with rest, it has to do with food.
MASK_WORDS = ("gap", "cat", "sat", "ate", "fish")
MASK_VECTORS = matrix([0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1])
MASK_TEXT = (1, 0, 4)  # cat gap fish
MASK_PARAMS = QKVParams(
    query=matrix([0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),  # a doing asks for things
    key=matrix([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),
    value=matrix([0, 0, 0, 0], [2, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 4]),  # a thing hands over a doing, and what it has to do with
)
CROSS_SOURCE, CROSS_TARGET = ("black", "cat"), ("begin", "tac")
CROSS_MEMORY = matrix([0, 1, 2, 1], [2, 1, 1, 0])
CROSS_ROWS = matrix([1, 0, 1, 0], [0, 1, 0, 1])
CROSS_PARAMS = QKVParams(
    query=matrix([2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0]),
    key=matrix([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]),
    value=permutation(1, 2, 3, 0),
)
