"""Two rows to trace, a plain array of their shape, and a mask."""

import numpy as np

ROWS = [[2.0, 1, 1, 0], [0, 1, 2, 1]]
plain = np.arange(8.0).reshape(2, 4)
mask = np.array([True, False])
