"""A question's right answer and its known wrong ones, and the verdict on what a reader wrote."""

from dataclasses import dataclass, field

from pencil.exercises.answers import PLACES


@dataclass(frozen=True)
class Numbers:
    """A number, row or matrix on both tracks, laid flat: either is right."""

    paper: tuple
    exact: tuple

    def is_meant(self, typed, places=PLACES):
        """Is each of the typed numbers this one, on paper or exactly?"""
        return len(typed) == len(self.paper) and not self.off(typed, places)

    def off(self, typed, places=PLACES):  # -> the places in the answer at which another number was typed
        """Where the typed numbers, as many as these, are others."""
        pairs = zip(typed, self.paper, self.exact, strict=True)
        return [k for k, (t, p, e) in enumerate(pairs) if not (t.means(p, places) or t.means(e, places))]


@dataclass(frozen=True)
class Exercise:
    """A question's right answer, and the wrong ones that it knows: {key: (Numbers, what to say)}.

    Args:
        right: the answer
        wrong: the known mistakes in its own step, and the values nearby
        upstream: what comes out where a mistake is made in a step before it
        rows: the names of the answer's rows, where it has several
        places: as many decimals are enough, because the worked answer has no more
        percent: the answer counts per cent, so that the sign behind it changes nothing
        shares: how wide its rows are, where they are shares; then what a mask covers at their ends may be left out, and one number
            may stand for all that are equal. Else 0
    """

    right: Numbers
    wrong: dict = field(default_factory=dict)
    rows: tuple = ()
    places: int = PLACES
    upstream: dict = field(default_factory=dict)
    percent: bool = False
    shares: int = 0


@dataclass(frozen=True)
class Mark:
    """The verdict: `right`, `short` (the numbers, but cut too short to tell) or `wrong`.

    `wrong` is the key of the mistake that was made, "" where none is known; `read` is whether the answer could be read, as so many numbers.
    """

    verdict: str
    message: str
    wrong: str = ""
    read: bool = True

    right = property(lambda self: self.verdict == "right")

    def __repr__(self):
        return self.message


@dataclass(frozen=True)
class Choice:
    """A choice among words: which is right, and what to say to who takes one of the others: {word: sentence}."""

    words: tuple
    right: str
    wrong: dict = field(default_factory=dict)
