"""Paint: an SVG attribute that follows a number, such as the width of a line, the length of a bar or the end of an arrow."""

from dataclasses import dataclass, replace

from pencil.rounding import pixels


@dataclass(frozen=True)
class Paint:
    """An attribute with the value offset + factor · number, where the number is clamped to [low, high].

    - `attribute`: of the SVG element, such as "stroke-width"
    - `reference`: of the number
    - `mate`: a Paint of the other coordinate of a point, or None. Both numbers are then scaled by the same factor until they are within
      their bounds, so that a clamped point keeps its direction from the origin
    """

    attribute: str
    reference: str
    offset: float = 0.0
    factor: float = 1.0
    low: float = 0.0
    high: float = 1.0
    mate: object = None

    def at(self, x, mate=0.0):  # number, the mate's number -> number
        """The value of the attribute."""
        held = x * min(self.share(x), self.mate.share(mate)) if self.mate else min(max(x, self.low), self.high)
        return self.offset + self.factor * held

    def share(self, x):  # number -> number
        """The factor that scales a number into [low, high], which contains zero; at most 1."""
        return self.high / x if x > self.high else self.low / x if x < self.low else 1.0

    def of(self, run):  # str -> Paint
        """The same Paint with the name of a run in its references."""
        mate = self.mate and self.mate.of(run)
        return replace(self, reference=".".join([*([run] if run else []), self.reference]), mate=mate)

    def __str__(self):
        def held(paint):
            return [pixels(paint.low, places=6), pixels(paint.high, places=6), paint.reference]  # bounds need more than two decimals

        numbers = [pixels(number, places=6) for number in (self.offset, self.factor)]
        return " ".join([self.attribute, *numbers, *held(self), *(["&", *held(self.mate)] if self.mate else [])])
