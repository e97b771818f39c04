"""How sure a diagnosis is: one short number may come out of a mistake by chance, and then the sentence says "perhaps"."""

import re
from dataclasses import replace

from pencil.exercises.bends import BENT
from pencil.exercises.nearby import HERE
from pencil.exercises.unrecognised import MIN_FIGURES, PARTS

STORY = re.compile(r"^(In numbers? [^:]*: )?(the slip|you)\b", re.I)  # it tells what a reader did, not what the numbers are


def hedged(given, exercise, typed):  # Mark, Exercise, [Typed] -> Mark
    """The mark as it is, or with "perhaps" where a mistake is told by one short number alone."""
    is_story = given.wrong not in ("", PARTS) and STORY.match(given.message)
    return replace(given, message=STORY.sub(_perhaps, given.message)) if is_story and _is_thin(given, exercise, typed) else given


def _perhaps(found):
    where, who = found.groups("")
    return f"{where}{'perhaps' if where else 'Perhaps'} {who.lower()}"


def _is_thin(given, exercise, typed):  # of the numbers that are not right: is there one alone, twice perhaps, with few digits?
    off = exercise.right.off(typed, exercise.places) if len(typed) == len(exercise.right.exact) else range(len(typed))
    figures = {abs(typed[k].value): typed[k].figures for k in off if typed[k].value}
    if len(figures) > 1:
        return False
    known = exercise.wrong.get(given.wrong) or exercise.upstream.get(given.wrong)
    exactly = known and all(typed[k].means(known[0].exact[k]) for k in off if k < len(known[0].exact))
    is_common = exactly and not given.wrong.startswith((BENT, HERE))  # of these there are many, and each has its number
    return sum(figures.values()) <= (MIN_FIGURES if is_common else MIN_FIGURES + 1)
