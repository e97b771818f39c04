"""Chapter 17b, linear attention: four tokens with queries, keys and values of two numbers, what is written over in a state, and a model's sizes."""

from pencil.examples.shared import matrix

STATE_WORDS = ["a", "cat", "sat", "on"]
STATE_QUERIES = matrix([1, 0], [0, 1], [2, 1], [1, 1])
STATE_KEYS = matrix([1, 0], [0, 1], [1, 1], [1, 2])  # of length one and at right angles, the first two alone
STATE_VALUES = matrix([2, 0], [0, 3], [2, 1], [1, 0])

# Where the cat lies: one key, three values.
PLACE_WORDS = ["mat", "bed", "roof"]
PLACE_KEYS = matrix([1, 0], [1, 0], [1, 0])
PLACE_VALUES = matrix([2, 1], [5, 5], [0, 3])

# The gated delta rule: the third token has the key of the first.
GATED_QUERIES = matrix([1, 0], [1, 1], [1, 1])
GATED_KEYS = matrix([1, 0], [0, 1], [1, 0])
GATED_VALUES = matrix([4, 0], [0, 2], [0, 8])

# Layers of Qwen3-Next, those with attention, and the heads and widths of both kinds, as in its settings.
HYBRID_SIZES = {"layers": 48, "attention_layers": 12, "kv_heads": 2, "d_k": 256, "state_heads": 32, "state_width": 128}
