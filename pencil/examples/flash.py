"""Chapter 18, FlashAttention: one query, four keys whose scores are logarithms of whole numbers, and their values."""

from pencil.examples.shared import matrix

FLASH_WORDS = ["the", "old", "cat", "sat"]
FLASH_EXPS = matrix([1], [3], [6], [2])  # the exp of each score: the keys are ln of them, and the query is 1
FLASH_VALUES = matrix([4, 0], [0, 4], [2, 2], [6, 0])
