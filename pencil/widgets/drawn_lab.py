"""The base class of labs with random numbers and a tally of outcomes."""

import numpy as np

from pencil.random import Mulberry32
from pencil.trace import Trace
from pencil.widgets.lab import Lab

SEED = 1
BELOW_ONE = 1 - 1e-10  # as close as a bound may come, see pencil/trace/limits.py
U_REFUSED = "A number drawn at random is 0 or more, and below 1: type one such as 0.7."
LEVELS = 1000  # a random number is one of 0, 0.001, …, 0.999; as in pencil/web/widgets/draws.js


class DrawnLab(Lab):
    """A lab in which each variant has one part with a `draw`; the method `draw` samples its numbers and counts the outcome, as the page does."""

    def __init__(self, variants, choices=(), begin=0):
        super().__init__(variants, choices, begin)
        self._random = Mulberry32(SEED)

    @property
    def _drawn(self):  # -> names of the random numbers, the one-hot outcome, and the tally
        (part,) = (part for step in self.variants[self.variant].steps for part in step.parts if part.draw)
        return part.show, *part.draw[:2]

    @property
    def givens(self):
        """As in Lab. The tally is reset if the probabilities change."""
        return super().givens

    @givens.setter
    def givens(self, numbers):
        (drawn, _, tally), before = self._drawn, self.givens
        Lab.givens.fset(self, numbers)
        if any(now != before[name] for name, now in self.givens.items() if name != drawn) and self.givens[tally] == before[tally]:
            self._clear_tally()

    @property
    def variant(self):
        """As in Lab. The tally is reset."""
        return super().variant

    @variant.setter
    def variant(self, number):
        Lab.variant.fset(self, number)
        self._clear_tally()

    def _clear_tally(self):
        now, tally = self.givens, self._drawn[2]
        Lab.givens.fset(self, now | {tally: [0] * len(now[tally])})

    def draw(self, times=1):
        """Sample `times` times, and count the outcomes."""
        (drawn, outcome, tally), program = self._drawn, self.program
        now = {name: np.array(numbers, float) for name, numbers in self.givens.items()}
        for _ in range(times):
            now[drawn] = np.reshape([self._random.randint(0, LEVELS - 1) / LEVELS for _ in range(now[drawn].size)], now[drawn].shape)
            now[tally] += Trace.load(program, now).find(outcome).paper
        self.givens = now
