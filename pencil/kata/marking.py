"""Marking: right, or what the reader seems to have done, or how far it goes."""

from dataclasses import dataclass, field

import numpy as np

from pencil.kata import wrong_turns
from pencil.kata.answers import Unreadable, read
from pencil.trace.names import positions

NEAR = 0.02  # an answer that is off by less than this share of the largest number was rounded on the way


@dataclass(frozen=True)
class Numbers:
    """A number, row or grid on both tracks, laid flat: either is right."""

    paper: tuple
    exact: tuple

    def is_meant(self, typed):
        """Is each of the typed numbers this one, on paper or exactly?"""
        return len(typed) == len(self.paper) and all(t.means(p) or t.means(e) for t, p, e in zip(typed, self.paper, self.exact, strict=True))


@dataclass(frozen=True)
class Exercise:
    """A question's right answer, and the wrong ones that it knows: {key: (Numbers, what to say)}."""

    right: Numbers
    wrong: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Mark:
    """The verdict. `wrong` is the key of the wrong turn that was taken, "" where none is known."""

    right: bool
    says: str
    wrong: str = ""

    def __repr__(self):
        return self.says


@dataclass(frozen=True)
class Choice:
    """A choice among words: which is right, and what to say to who takes one of the others: {word: sentence}."""

    words: tuple
    right: str
    wrong: dict = field(default_factory=dict)


def exercise_of(found, own=()):  # pencil.prose.published.Found, ((Found, sentence), ...) -> Exercise
    """The exercise whose answer is a published value. Its wrong turns: the box's own, then those worked out in the value's run."""
    right = _numbers(found.paper, found.exact)
    wrong = {f"own-{k}": (_numbers(other.paper, other.exact), says) for k, (other, says) in enumerate(own, 1)}
    wrong |= {key: (_of(value), says) for key, (value, says) in wrong_values(found).items()}
    return Exercise(right, {key: told for key, told in wrong.items() if told[0] != right})


def wrong_values(found, harmless=False):  # Found -> {key: (Value, what to say)}
    """What the wrong turns of the catalogue give in the place of a value; of a row, the same row. None for a plain figure.

    The `harmless` are those that come out right with these numbers.
    """
    if not found.worked:
        return {}
    trace = found.worked["paper"].trace
    value, parts = trace.find(found.local), {}
    for key, says in wrong_turns.known(trace, value.array.name, harmless).items():
        part = _part(trace.names[f"{wrong_turns.SCOPE}.{key}.{value.array.name}"], value)
        if part is not None and (harmless or _of(part) != _of(value)):
            parts[key] = (part, says)
    return parts


def _of(value):
    at = positions(value)
    return Numbers(tuple(float(value.array.paper[p]) for p in at), tuple(float(value.array.exact[p]) for p in at))


def _part(spoilt, value):  # the same part of the wrong value, where it has one
    if spoilt.ndim != value.array.ndim:
        return None
    fixed = [(i, n, m) for i, n, m in zip(value.index, spoilt.shape, value.array.shape, strict=True) if not isinstance(i, slice)]
    if any(n != m for _, n, m in fixed):
        return None
    return type(value)(value.reference, spoilt, value.index)


def _numbers(paper, exact):
    return Numbers(*(tuple(float(x) for x in np.ravel(track)) for track in (paper, exact)))


def choose(choice, answer):  # Choice, str -> Mark
    """Mark a choice among words, as it is written or not quite."""
    word = " ".join(str(answer).split()).lower()
    taken = next((w for w in choice.words if w.lower() == word), None)
    if taken == choice.right:
        return Mark(True, "Right.")
    if taken is None:
        return Mark(False, f"Choose one of these: {', '.join(choice.words)}.")
    return Mark(False, choice.wrong.get(taken, "Not yet."), taken)


def mark(exercise, answer):  # Exercise or Choice, str or numbers -> Mark
    """Read an answer and say what it is. What cannot be read gets a sentence that says what to type."""
    if isinstance(exercise, Choice):
        return choose(exercise, answer)
    wanted = len(exercise.right.paper)
    try:
        typed = read(answer, wanted)
    except Unreadable as wrong:
        return Mark(False, str(wrong))
    if exercise.right.is_meant(typed):
        return Mark(True, "Right.")
    for key, (numbers, says) in exercise.wrong.items():
        if numbers.is_meant(typed):
            return Mark(False, says, key)
    if len(typed) != wanted:
        return Mark(False, f"You typed {_count(len(typed))}; {wanted} {'is' if wanted == 1 else 'are'} wanted.")
    return Mark(False, _how_far(exercise.right, typed))


def _count(n):
    return f"{n} number{'s' * (n != 1)}"


def _how_far(right, typed):
    pairs = list(zip(typed, right.paper, right.exact, strict=True))
    off = [k for k, (t, p, e) in enumerate(pairs) if not (t.means(p) or t.means(e))]
    if all(typed[k].goes_that_far(right.exact[k]) for k in off):
        return "Right as far as it goes. Write three decimals."
    scale = max(map(abs, right.exact))  # a whole number was not rounded: near it is no hint
    if scale and all(abs(typed[k].value - right.exact[k]) <= NEAR * scale and right.exact[k] % 1 for k in off):
        return "Close. A number was rounded on the way; carry three decimals to the end."
    if len(typed) == 1:
        return "Not yet."
    good = len(typed) - len(off)
    return f"Not yet: number {off[0] + 1} is the first that differs." + (f" {good} of {len(typed)} are right." if good else "")
