"""One 32-bit generator, the same in Python and in the page: a seed deals the same sheet everywhere."""

from numbers import Integral

import numpy as np

MASK = 0xFFFFFFFF
AT_ONCE = 256  # so many throws are made together


class Dice:
    """Throws from a seed (mulberry32, by Tommy Ettinger). pencil/kata/dice.js is the same ten lines."""

    def __init__(self, seed):
        if not (isinstance(seed, Integral) and 0 <= seed <= MASK):
            raise ValueError(f"seed {seed!r} is none; take a whole number from 0 to {MASK}")
        self.throw = _throws(int(seed)).__next__  # -> the next of the numbers, from 0 to 2^32 − 1

    def whole(self, low, high):  # -> whole number from low to high, both among them
        """Each as likely as the others: throws beyond the last full round are thrown again."""
        count = high - low + 1
        while (thrown := self.throw()) >= (MASK + 1) // count * count:
            pass
        return low + thrown % count


def _throws(seed):  # whole numbers of 32 bits: what is beyond falls away
    state = np.arange(1, AT_ONCE + 1, dtype=np.uint32) * np.uint32(0x6D2B79F5) + np.uint32(seed)
    while True:
        mixed = (state ^ state >> 15) * (state | 1)
        mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61)
        yield from (mixed ^ mixed >> 14).tolist()
        state += np.uint32(AT_ONCE * 0x6D2B79F5 & MASK)
