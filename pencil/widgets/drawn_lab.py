"""What labs share in which something is drawn by lot: the draw, and a tally of where it fell."""

import numpy as np

from pencil.random import Mulberry32
from pencil.widgets.lab import Lab

SEED = 1
LOTS = 1000  # numbers of three places, from 0 to 0.999, each as likely as the others


class DrawnLab(Lab):
    """A lab of which each variant has a part with `draw`. `draw` draws its numbers anew, as the page does, and a tally is kept."""

    def __init__(self, variants, choices=(), begin=0):
        super().__init__(variants, choices, begin)
        self._lots = Mulberry32(SEED)

    @property
    def _drawn(self):  # -> what is drawn, where it fell, what counts it
        (part,) = (part for step in self.variants[self.variant].steps for part in step.parts if part.draw)
        return part.show, *part.draw[:2]

    @property
    def givens(self):
        """As in Lab; the tally begins anew where other shares are given, for it counts draws from the shares as they were."""
        return super().givens

    @givens.setter
    def givens(self, numbers):
        (drawn, _, tally), before = self._drawn, self.givens
        Lab.givens.fset(self, numbers)
        if any(now != before[name] for name, now in self.givens.items() if name != drawn) and self.givens[tally] == before[tally]:
            self._begin_tally()

    @property
    def variant(self):
        """As in Lab; the tally begins anew."""
        return super().variant

    @variant.setter
    def variant(self, number):
        Lab.variant.fset(self, number)
        self._begin_tally()

    def _begin_tally(self):
        now, tally = self.givens, self._drawn[2]
        Lab.givens.fset(self, now | {tally: [0] * len(now[tally])})

    def draw(self, times=1):
        """Draw so many times, and count where it falls each time."""
        drawn, outcome, tally = self._drawn
        for _ in range(times):
            lots = [self._lots.randint(0, LOTS - 1) / LOTS for _ in range(np.size(self.givens[drawn]))]
            self.givens = self.givens | {drawn: np.reshape(lots, np.shape(self.givens[drawn]))}
            self.givens = self.givens | {tally: self.givens[tally] + self.trace.find(outcome).paper}
