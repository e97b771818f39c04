"""Chapter 14, a tiny GPT: a third word behind "cat sat", and the logits of three words to go on with."""

import numpy as np

from pencil.examples.shared import matrix

# The embedding and the position of the third word, added.
PAIR_NEXT, NEXT_SCORES = matrix([2, 0, 2, 0]), np.array([2.0, 1.0, 0.0])
