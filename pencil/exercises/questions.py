"""The YOUR TURNs of the chapters, found by their keys."""

import re
from difflib import get_close_matches
from pathlib import Path

from pencil.checker.library import CHAPTERS, Library
from pencil.errors import did_you_mean
from pencil.exercises.answers import PLACES
from pencil.exercises.exercise import Choice, Mark
from pencil.exercises.marking import exercise_of, mark
from pencil.paths import chapter_number, chapter_sources
from pencil.publish.exercises import exercises_in

CHAPTER = re.compile(r"^(?=[0-9][a-z]?$)")  # where the 0 of 09 belongs, in front of a 9


def all_questions(folder=None):  # -> {"05:two-queries": ExerciseSource}
    """Every question of a folder of chapters that can be answered: of this one, or the `notebooks` in it, unless given."""
    return {
        f"{chapter_number(page)}:{question.key}": question
        for page in chapter_sources(_chapters(folder))
        for question in exercises_in(page.read_text(encoding="utf-8"))
        if question.answer or question.choices
    }


def exercises(folder=None):  # -> {"05:two-queries": reference of its answer}
    """Those among them that are answered with numbers."""
    return {name: question.answer for name, question in all_questions(folder).items() if question.answer}


def asked_by(question, library):  # ExerciseSource, Library -> Exercise or Choice
    """What a box asks for. Raises KeyError for a reference that names nothing."""
    if question.choices:
        return Choice(question.choices, question.right, dict(question.wrong))
    own = [(library.find(reference), message) for reference, message in question.wrong]
    given = [library.find(reference) for reference in question.given]
    runs = runs_beside(question, library)
    return exercise_of(library.find(question.answer), own, question.places or PLACES, percent=question.percent, given=given, runs=runs)


def runs_beside(question, library):  # ExerciseSource, Library -> [Worked]
    """The runs of the chapter that a box stands in; none where its answer is another chapter's."""
    if not library.own or library.find(question.answer).reference.chapter not in ("", library.own):
        return []
    return [tracks["paper"] for tracks in library.chapter(library.own).replay().values()]


def check(key, answer, folder=None):  # str, numbers or text -> Mark
    """Mark an answer: `check("match-row", [2, 8])`. Where two chapters have the key, put the chapter in front: "06:match-row".

    The mark says so where no chapter has the key, or several, and where there are no chapters.
    """
    try:
        folder = _chapters(folder)
    except FileNotFoundError as nowhere:
        return Mark("wrong", f"{nowhere}.", read=False)
    known, name = all_questions(folder), _written_out(key)
    full = [other for other in known if name in (other, other.partition(":")[2])]
    if len(full) != 1:
        several = f"{key!r} is in several chapters: take one of {', '.join(full)}."
        return Mark("wrong", several if full else f"There is no exercise {key!r}.{_near(name, known)}", read=False)
    return mark(asked_by(known[full[0]], Library(folder, full[0].partition(":")[0])), answer)


def _written_out(key):  # "9: Tick" -> "09:tick"
    chapter, colon, name = "".join(str(key).lower().split()).rpartition(":")
    return f"{CHAPTER.sub(r'0', chapter)}{colon}{name}"


def _near(key, known):  # the key that may have been meant, and all keys of the chapter that is named, the nearest first
    chapter, _, name = key.rpartition(":")
    there = [other.partition(":")[2] for other in known if other.startswith(f"{chapter}:")]
    if chapter and not there:
        return f" There is no chapter {chapter}; there are {', '.join(dict.fromkeys(other.partition(':')[0] for other in known))}."
    if there:
        meant = did_you_mean(key, [f"{chapter}:{own}" for own in there])
        return f"{meant} Chapter {chapter} has {', '.join(get_close_matches(name, there, len(there), cutoff=0))}."
    meant = did_you_mean(name, [other.partition(":")[2] for other in known])
    return meant or ' Put the chapter in front, as in "06:match", and its keys are listed.'


def _chapters(folder):
    folder = Path(folder) if folder is not None else Path.cwd()
    inside = folder / CHAPTERS
    folder = inside if inside.is_dir() else folder
    if not chapter_sources(folder):
        raise FileNotFoundError(
            f"There are no chapters in {folder}; start Python in a clone of the book, or say where: check(key, answer, folder=...)"
        )
    return folder
