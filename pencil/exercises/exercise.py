"""A question's right answer and its known wrong ones, and the verdict on what a reader wrote."""

import math
from dataclasses import dataclass, field

from pencil.rounding import PLACES

OWN, CATALOGUE = "own", "catalogue"  # of the box itself; of the catalogue (mistakes.py)
VALUE, GIVEN, BESIDE = "value", "given", "beside"  # the step before the answer; what the question names; any other value of the run
SLIP, PRODUCT, LEFT_OUT, UNFINISHED = "slip", "product", "left_out", "unfinished"  # any step done wrong (bends.py)
ADDRESS = "You "  # a message that begins so tells what a reader did, which is a guess; any other says what the number is


@dataclass(frozen=True)
class Numbers:
    """A number, row or matrix on both tracks, laid flat: either is right."""

    paper: tuple
    exact: tuple

    def as_data(self):
        """JSON-able."""
        return {"paper": list(self.paper), "exact": list(self.exact)}

    @property
    def is_finite(self):
        """Are there numbers at all? 0 / 0 has none."""
        return all(map(math.isfinite, (*self.paper, *self.exact)))


@dataclass(frozen=True)
class Known:
    """A known wrong answer. What is decided of it is decided on these fields, never on its message (web/exercises/grading.js).

    Args:
        key: the name of the mistake
        kind: one of those above
        message: what to say to who made it
        numbers: what it comes to
        place: where a page finds these among its runs: {run, name, at}; None for numbers that none of them makes
        names: the values in which it is made, with a space between, where it is worked out from there
        step: what the page calls the first of them, "" for none
        distance: how many named steps before the answer it is made; 0 in the answer's own line
        times: in how many values
    """

    key: str
    kind: str
    message: str
    numbers: Numbers
    place: dict = None
    names: str = ""
    step: str = ""
    distance: int = 0
    times: int = 1

    @property
    def certainty(self):
        """Is the message a guess at what was done, or a fact?"""
        return "guess" if self.message.startswith(ADDRESS) else "fact"

    @property
    def entry(self):
        """What a page says once of all mistakes of this kind."""
        return {"key": self.key, "kind": self.kind, "certainty": self.certainty, "message": self.message}

    def as_data(self):
        """JSON-able."""
        return self.entry | self.numbers.as_data() | {"step": self.step, "distance": self.distance, "times": self.times}


@dataclass(frozen=True)
class Exercise:
    """A question's right answer, and the wrong ones that it knows.

    Args:
        right: the answer
        mistakes: those in its own step, and the values nearby
        far: those in a step before it, and the slips
        rows: the names of the answer's rows, where it has several
        places: as many decimals are enough, because the worked answer has no more
        percent: the answer counts per cent, so that the sign behind it changes nothing
        shares: how wide its rows are, where they are shares; then what a mask covers at their ends may be left out, and one number
            may stand for all that are equal. Else 0
    """

    right: Numbers
    mistakes: tuple = ()
    far: tuple = ()
    rows: tuple = ()
    places: int = PLACES
    percent: bool = False
    shares: int = 0

    def known(self, key):
        """The known wrong answer of this key."""
        return next(mistake for mistake in (*self.mistakes, *self.far) if mistake.key == key)

    @property
    def options(self):
        """What is not a number of it."""
        return {"rows": list(self.rows), "places": self.places, "percent": self.percent, "shares": self.shares}

    def as_data(self):
        """JSON-able, as the marker takes it."""
        sides = {"mistakes": self.mistakes, "far": self.far}
        known = {side: [mistake.as_data() for mistake in those if mistake.numbers.is_finite] for side, those in sides.items()}
        return {"right": self.right.as_data(), **known, **self.options}


@dataclass(frozen=True)
class Choice:
    """A choice among words: which is right, and what to say to who takes one of the others: {word: sentence}."""

    words: tuple
    right: str
    wrong: dict = field(default_factory=dict)

    def as_data(self):
        """JSON-able, as the marker takes it."""
        return {"choices": list(self.words), "right": self.right, "wrong": self.wrong}


@dataclass(frozen=True)
class Mark:
    """The verdict: `right`, `short` (the numbers, but cut too short to tell) or `wrong`.

    `kind` is that of the diagnosis, and `wrong` the key of the mistake that was made, "" where none is known; `read` is whether the answer
    could be read, as so many numbers, and `typed` are its numbers.
    """

    verdict: str
    message: str
    kind: str = ""
    wrong: str = ""
    read: bool = True
    typed: tuple = ()

    right = property(lambda self: self.verdict == "right")

    def __repr__(self):
        return self.message
