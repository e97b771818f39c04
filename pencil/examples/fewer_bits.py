"""Chapter 20, fewer bits and small adapters: rows to be written in few bits, and a matrix with an adapter of rank 1."""

import numpy as np

from pencil.examples.shared import matrix

EVEN_ROW, SHIFTED_ROW = np.array([0.5, -1.27, 0.8, 0.1]), np.array([-0.55, 0, 1, 2])
OUTLIER_ROW = np.array([0.04, 1.27, -0.8, 12.7])
APART_ROWS, APART_WEIGHT = matrix([0.5, -1.27, 30, 0.8], [1.27, 0.6, -24, 0.2]), matrix([1.27, 0, 0.5, 1], [0.4, -1.27, 1, 0.2])
FOUR_BIT_ROW = np.array([0.04, 0.5, -0.8, 0.27])
ADAPTER_A, WANTED_ROWS = matrix([1, 0, 1, 0]), matrix([1, 2, 1, 1], [2, 0, 2, 1])  # what cat and sat should give
