"""Chapter 17c, sparse attention: six tokens of which the last looks for one, an indexer's small queries and keys, and a model's sizes."""

from pencil.examples.shared import matrix

SPARSE_WORDS = ("the", "cat", "sat", "on", "my", "mat")
SPARSE_QUERY = matrix([1, 1])  # of the last token; its needle is the cat
SPARSE_KEYS = matrix([1, -1], [1, 3], [2, -1], [0, 1], [1, 0], [1, 0])
SPARSE_VALUES = matrix([0, 9], [9, 0], [0, 9], [0, 0], [0, 0], [0, 9])

# The indexer: two heads of one number each, with one key for both.
INDEX_QUERIES = matrix([1], [-1]).reshape(2, 1, 1)
INDEX_KEYS = matrix([0], [3], [-4], [1], [-1], [1])
INDEX_WEIGHTS = matrix([1, 0.5])

# Attention of DeepSeek-V3.2 and its indexer, as in its settings: heads, widths of a latent key and value, tokens kept.
INDEXER_SIZES = {"heads": 128, "latent": 512, "rotated": 64, "index_heads": 64, "index_width": 128, "k": 2048}

# Tokens of an entry in DeepSeek-V4's two kinds of layers, as in its settings; the second is also its window.
PRESSED_RATES = (4, 128)
