"""Chapter 07, many heads: "cat sat table" with two heads, each half as wide as the model."""

from pencil.examples.shared import matrix, permutation
from pencil.reference.attending import AttentionParams, QKVParams

# Head 1 asks who did it, head 2 on what; the output matrix writes the sum and the difference of the two heads.
HEADS_WORDS = ("cat", "sat", "table")
HEADS_VECTORS = matrix([2, 1, 1, 0], [0, 1, 2, 1], [1, 0, 0, 1])
TWO_HEADS = AttentionParams(
    heads=(
        QKVParams(query=permutation(2, 3), key=permutation(0, 1), value=permutation(0, 1)),
        QKVParams(query=matrix([0, 0, 1, 0], [0, 1, 0, 1]), key=matrix([0, 0, 0, 1], [1, 0, -1, 0]), value=permutation(2, 3)),
    ),
    output=matrix([1, 0, 1, 0], [0, 1, 0, 1], [1, 0, -1, 0], [0, 1, 0, -1]),
)
