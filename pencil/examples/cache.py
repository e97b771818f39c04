"""Chapter 17, the cache: six words with one head that looks back, and a query matrix of logarithms, so that every share is a fraction."""

from pencil.examples.shared import matrix, permutation
from pencil.reference.attending import QKVParams
from pencil.trace import ln

CACHE_WORDS = ("a", "cat", "sat", "on", "my", "mat")  # cat and sat have the two rows of the whole book
CACHE_ROWS = matrix([1, 0, 0, 1], [2, 1, 1, 0], [0, 1, 2, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0])
CACHE_HEAD = QKVParams(
    query=ln([[4, 1, 1, 1], [1, 4, 1, 1], [1, 1, 4, 1], [1, 1, 1, 4]]),  # e to the scaled score is 2 to a whole number
    key=permutation(3, 2, 1, 0),
    value=matrix([3, 0, 0, 0], [0, 0, 3, 0]),
)
CACHE_SIZES = {  # as in the settings that come with each model: blocks, heads, heads that keep, width of a head, words
    "GPT": (12, 12, 12, 64, 1024),
    "OPT": (40, 40, 40, 128, 2048),
    "Llama": (32, 32, 8, 128, 131072),
}
LATENT_SIZES = {"DeepSeek": (61, 128, 128, 512, 64, 4096)}  # DeepSeek-V3: blocks, heads, width of a head, of the latent, of the rotated key, words
