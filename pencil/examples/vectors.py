"""Chapter 02, word vectors: six sentences to count contexts in, and one step of skip-gram."""

from pencil.examples.shared import matrix

CONTEXT_TEXT = (
    "A good film that has a bad plot.",
    "A good film that has a good plot.",
    "A bad film that has a bad plot.",
    "The king gave the crown to the queen.",
    "The queen showed the crown to the king.",
    "The king took the crown from the queen.",
)
CONTEXT_WORDS, CONTEXT_NEIGHBOURS, CONTEXT_WINDOW = ("good", "bad", "king", "queen"), ("film", "plot", "crown"), 3
SVD_DIRECTIONS = matrix([1, 1, 0], [0, 0, 1], [1, -1, 0])  # those of the SVD of its PPMI, before they are cut to length 1
SKIP_GRAM_WORD, SKIP_GRAM_NEIGHBOURS, SKIP_GRAM_TARGET = matrix([1, 0]), matrix([0, 1], [1, 0], [0, -1]), matrix([1, 0, 0])
