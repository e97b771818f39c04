"""One 32-bit generator, the same in Python and in the page: a seed gives the same numbers everywhere."""

from numbers import Integral

import numpy as np

MASK = 0xFFFFFFFF
AT_ONCE = 256  # so many numbers are made together


class Mulberry32:
    """Uniform integers from a seed (mulberry32, by Tommy Ettinger). pencil/web/engine/random.js is the same ten lines."""

    def __init__(self, seed):
        if not (isinstance(seed, Integral) and 0 <= seed <= MASK):
            raise ValueError(f"seed {seed!r} is none; take a whole number from 0 to {MASK}")
        self.next_uint32 = _uint32s(int(seed)).__next__  # -> the next of the numbers, from 0 to 2^32 − 1

    def randint(self, low, high):  # -> whole number from low to high, both included, as in Python's random.randint
        """Each as likely as the others: numbers beyond the last full round are drawn again."""
        count = high - low + 1
        while (drawn := self.next_uint32()) >= (MASK + 1) // count * count:
            pass
        return low + drawn % count


def _uint32s(seed):  # whole numbers of 32 bits: what is beyond falls away
    state = np.arange(1, AT_ONCE + 1, dtype=np.uint32) * np.uint32(0x6D2B79F5) + np.uint32(seed)
    while True:
        mixed = (state ^ state >> 15) * (state | 1)
        mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61)
        yield from (mixed ^ mixed >> 14).tolist()
        state += np.uint32(AT_ONCE * 0x6D2B79F5 & MASK)
