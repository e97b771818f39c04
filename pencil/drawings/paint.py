"""What a number paints besides its digits: how thick a line is, how long a bar, where an arrow leads."""

from dataclasses import dataclass, replace

from pencil.rounding import pixels


@dataclass(frozen=True)
class Paint:
    """What a number paints: an attribute of a mark that is offset + factor · number, the number held between low and high.

    With a `mate`, a Paint of the other coordinate, both numbers shrink alike until each is between its own low and high: a point
    that would leave the frame stays on its way from zero.
    """

    attribute: str
    reference: str
    offset: float = 0.0
    factor: float = 1.0
    low: float = 0.0
    high: float = 1.0
    mate: object = None

    def at(self, x, mate=0.0):  # number, the mate's number -> number
        """What stands in the attribute."""
        held = x * min(self.share(x), self.mate.share(mate)) if self.mate else min(max(x, self.low), self.high)
        return self.offset + self.factor * held

    def share(self, x):  # number -> number
        """How much of a number is left when it shrinks until it is between low and high, with zero between them."""
        return self.high / x if x > self.high else self.low / x if x < self.low else 1.0

    def of(self, run):  # str -> Paint
        """The same, its references with the name of a run before them."""
        mate = self.mate and self.mate.of(run)
        return replace(self, reference=".".join([*([run] if run else []), self.reference]), mate=mate)

    def __str__(self):
        def held(paint):
            return [pixels(paint.low, places=6), pixels(paint.high, places=6), paint.reference]  # a slot may hold hundredths only

        numbers = [pixels(number, places=6) for number in (self.offset, self.factor)]
        return " ".join([self.attribute, *numbers, *held(self), *(["&", *held(self.mate)] if self.mate else [])])
