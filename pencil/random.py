"""A seeded generator that gives the same numbers in Python and in a page (pencil/web/engine/random.js)."""

from numbers import Integral

import numpy as np

MASK = 0xFFFFFFFF
AT_ONCE = 256  # numbers that are computed in one batch


class Mulberry32:
    """Uniform integers from a seed (mulberry32, by Tommy Ettinger). Raises ValueError for a seed that is no 32-bit unsigned integer."""

    def __init__(self, seed):
        if not (isinstance(seed, Integral) and 0 <= seed <= MASK):
            raise ValueError(f"seed {seed!r} is none; take a whole number from 0 to {MASK}")
        self.next_uint32 = _uint32s(int(seed)).__next__  # a function that returns the next int, from 0 to 2^32 − 1

    def randint(self, low, high):  # -> int
        """A uniform integer from low to high, both included, as Python's random.randint; rejection sampling avoids modulo bias.

        Raises ValueError for a high below low, and for more than 2^32 integers between them.
        """
        count = high - low + 1
        if not 1 <= count <= MASK + 1:
            raise ValueError(f"randint({low}, {high}) has {count} integers to choose from; it takes 1 to {MASK + 1}")
        while (drawn := self.next_uint32()) >= (MASK + 1) // count * count:
            pass
        return low + drawn % count


def _uint32s(seed):  # generates ints; NumPy's uint32 wraps as the algorithm needs
    state = np.arange(1, AT_ONCE + 1, dtype=np.uint32) * np.uint32(0x6D2B79F5) + np.uint32(seed)
    while True:
        mixed = (state ^ state >> 15) * (state | 1)
        mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61)
        yield from (mixed ^ mixed >> 14).tolist()
        state += np.uint32(AT_ONCE * 0x6D2B79F5 & MASK)
