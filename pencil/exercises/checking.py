"""`check("06:score", 3)`: the questions of the chapters travel in the package, so it works wherever that is installed."""

import json
import re
from difflib import get_close_matches
from functools import cache

from pencil.errors import did_you_mean
from pencil.exercises.exercise import Choice, Exercise, Known, Mark, Numbers
from pencil.exercises.marker import mark
from pencil.paths import ROOT
from pencil.rounding import PLACES, settle

ASKED = ROOT / "pencil/exercises/asked"  # a file for each chapter; `python -m pencil notebooks` writes it
NEAREST = 5  # so many keys of a chapter are suggested
CHAPTER = re.compile(r"^(?=[0-9][a-z]?$)")  # where the 0 of 09 belongs, in front of a 9


def check(key, answer):  # str, numbers or text -> Mark
    """Mark an answer: `check("score-row", [2, 8])`. Where two chapters have the key, put the chapter in front: "06:score-row".

    The mark says so where no chapter has the key, or several.
    """
    known, name = keys(), _written_out(key)
    full = [other for other in known if name in (other, other.partition(":")[2])]
    if len(full) != 1:
        several = f"{key!r} is in several chapters: take one of {', '.join(full)}."
        return Mark("wrong", several if full else f"There is no exercise {key!r}.{_near(name, known)}", read=False)
    return mark(asked(full[0]), answer)


@cache
def keys():  # -> ("01:two-rules", ...)
    """The questions of all chapters that can be answered."""
    return tuple(f"{path.stem}:{key}" for path in sorted(ASKED.glob("*.json")) for key in _stored(path.stem)["questions"])


def asked(name):  # "06:score" -> Exercise or Choice
    """What a question of a chapter asks for."""
    chapter, _, key = name.partition(":")
    stored = _stored(chapter)
    return unpacked(stored["questions"][key], stored["mistakes"])


@cache
def _stored(chapter):
    return json.loads((ASKED / f"{chapter}.json").read_text(encoding="utf-8"))


def as_text(exercises):  # {key: Exercise or Choice} -> str
    """What the package keeps of a chapter: a line for each question."""
    mistakes = {}  # what is said of each, once -> its number
    lines = [f"{json.dumps(key)}: {_dumped(packed(one, mistakes))}" for key, one in exercises.items()]
    entries = [_dumped(list(entry)) for entry in mistakes]
    return "\n".join(['{"questions": {', ",\n".join(lines), '}, "mistakes": [', ",\n".join(entries), "]}", ""])


def packed(exercise, mistakes):  # Exercise or Choice, {(key, kind, message): number} -> JSON-able
    """An exercise in short: its mistakes by their numbers."""
    if isinstance(exercise, Choice):
        return exercise.as_data()

    def short(known):
        number = mistakes.setdefault((known.key, known.kind, known.message), len(mistakes))
        where = [known.step, known.distance, known.times] if known.distance else []
        return [number, *_tracks(known.numbers), *where]

    sides = {side: [short(known) for known in getattr(exercise, side) if known.numbers.is_finite] for side in ("mistakes", "far")}
    return {"right": _tracks(exercise.right)} | {
        name: told for name, told in (sides | exercise.options).items() if told and (name, told) != ("places", PLACES)
    }


def unpacked(stored, mistakes):  # JSON-able, [(key, kind, message)] -> Exercise or Choice
    """The exercise again."""
    if "choices" in stored:
        return Choice(tuple(stored["choices"]), stored["right"], stored["wrong"])

    def known(number, paper, exact, step="", distance=0, times=1):
        return Known(*mistakes[number], _numbers(paper, exact), step=step, distance=distance, times=times)

    sides = {side: tuple(known(*short) for short in stored.get(side, ())) for side in ("mistakes", "far")}
    options = {name: stored[name] for name in ("places", "percent", "shares") if name in stored}
    return Exercise(_numbers(*stored["right"]), **sides, rows=tuple(stored.get("rows", ())), **options)


def _tracks(numbers):  # the exact ones, unless they are those on paper, settled to the digits that machines agree on
    paper, exact = ([_settled(x) for x in track] for track in (numbers.paper, numbers.exact))
    return [paper, 0 if exact == paper else exact]


def _numbers(paper, exact):
    return Numbers(tuple(paper), tuple(exact or paper))


def _settled(x):
    settled = float(settle(x))
    return int(settled) if settled.is_integer() else settled


def _dumped(data):
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _written_out(key):  # "9: Prediction" -> "09:prediction"
    chapter, colon, name = "".join(str(key).lower().split()).rpartition(":")
    return f"{CHAPTER.sub(r'0', chapter)}{colon}{name}"


def _near(key, known):  # the key that may have been meant, and the nearest of the chapter that is named; all of them where nothing else is
    chapter, _, name = key.rpartition(":")
    there = [other.partition(":")[2] for other in known if other.startswith(f"{chapter}:")]
    if chapter and not there:
        return f" There is no chapter {chapter}; there are {', '.join(dict.fromkeys(other.partition(':')[0] for other in known))}."
    if there:
        meant = did_you_mean(key, [f"{chapter}:{own}" for own in there])
        if not name:
            return f" Chapter {chapter} has {', '.join(there)}."
        return f"{meant} The nearest in chapter {chapter}: {', '.join(get_close_matches(name, there, NEAREST, cutoff=0))}."
    meant = did_you_mean(name, [other.partition(":")[2] for other in known])
    return meant or ' Put the chapter in front, as in "06:score"; "06:" lists its keys.'
