"""Attention and the transformer, worked by pencil: one NumPy reference, traced, shown and proven.

Read the package in this order: `pencil.rounding` (how a number is written), `pencil.reference`
(the machine in plain NumPy), `pencil.trace` (the same code, every step kept), `pencil.worked`
(the lines a student writes) and `pencil.prose` (the checker that proves the pages).
"""

__version__ = "0.1.0"
