"""One 32-bit generator, the same in Python and in the page: a seed deals the same sheet everywhere."""

from numbers import Integral

MASK = 0xFFFFFFFF


class Dice:
    """Throws from a seed (mulberry32, by Tommy Ettinger). pencil/kata/dice.js is the same ten lines."""

    def __init__(self, seed):
        if not (isinstance(seed, Integral) and 0 <= seed <= MASK):
            raise ValueError(f"seed {seed!r} is none; take a whole number from 0 to {MASK}")
        self.state = int(seed)  # NumPy's own whole numbers would overflow

    def throw(self):  # -> whole number from 0 to 2^32 − 1
        """The next of the numbers."""
        self.state = (self.state + 0x6D2B79F5) & MASK
        mixed = ((self.state ^ self.state >> 15) * (self.state | 1)) & MASK
        mixed ^= (mixed + ((mixed ^ mixed >> 7) * (mixed | 61))) & MASK
        return (mixed ^ mixed >> 14) & MASK

    def whole(self, low, high):  # -> whole number from low to high, both among them
        """Each as likely as the others: throws beyond the last full round are thrown again."""
        count = high - low + 1
        while (thrown := self.throw()) >= (MASK + 1) // count * count:
            pass
        return low + thrown % count
