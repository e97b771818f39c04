"""Chapter 15, the vision transformer: two letters made of the same four patches, and a ViT that tells them apart."""

from pencil.examples.block import PAIR_BLOCK
from pencil.examples.shared import ROWS, matrix
from pencil.reference.vision import ViTParams

# A patch becomes four numbers: how much ink, top minus bottom, left minus right, one diagonal minus the other.
# A position is four numbers too: top or bottom in the second, left or right in the fourth. The block is that of "cat sat".
LETTER_L = matrix([1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1])
LETTER_J = LETTER_L[:, [2, 3, 0, 1]]  # its left half and its right half, swapped
LETTER_PATCHES = ("stroke", "empty", "corner", "foot")  # what the patches of L show, in their order
LETTERS = ViTParams(
    patch=matrix([1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]),
    blocks=(PAIR_BLOCK,),
    head=matrix([-1, 1, 0, 0], [1, -1, 0, 0]),  # L, J
    class_token=ROWS[1:],
    positions=matrix([0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, -1], [0, -1, 0, 1], [0, -1, 0, -1]),
)
