"""The YOUR TURNs of the chapters, found by their keys."""

import re
from difflib import get_close_matches
from pathlib import Path

from pencil.checker.library import CHAPTERS, Library
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

    Raises KeyError for a key that no chapter has, or several. Where there are no chapters the mark says so.
    """
    try:
        folder = _chapters(folder)
    except FileNotFoundError as nowhere:
        return Mark("wrong", f"{nowhere}.", read=False)
    known, name = all_questions(folder), _written_out(key)
    full = [other for other in known if name in (other, other.partition(":")[2])]
    if len(full) != 1:
        message = f"{key!r} is in several chapters: take one of {', '.join(full)}" if full else f"there is no exercise {key!r}; {_near(name, known)}"
        raise KeyError(message)
    return mark(asked_by(known[full[0]], Library(folder, full[0].partition(":")[0])), answer)


def _written_out(key):  # "9: Tick" -> "09:tick"
    chapter, colon, name = "".join(str(key).lower().split()).rpartition(":")
    return f"{CHAPTER.sub(r'0', chapter)}{colon}{name}"


def _near(key, known):  # of the chapter that is named, all of its keys, the nearest first; else the nearest of all
    chapter, _, name = key.rpartition(":")
    there = [other.partition(":")[2] for other in known if other.startswith(f"{chapter}:")]
    if chapter and not there:
        return f"there is no chapter {chapter}; there are {', '.join(dict.fromkeys(other.partition(':')[0] for other in known))}"
    if there:
        return f"chapter {chapter} has {', '.join(get_close_matches(name, there, len(there), cutoff=0))}"
    names = [other.partition(":")[2] for other in known]
    near = get_close_matches(name, names, n=3, cutoff=0.4)
    return f"there are {', '.join(near)}" if near else 'put the chapter in front, as in "06:match", and its keys are listed'


def _chapters(folder):
    folder = Path(folder) if folder is not None else Path.cwd()
    inside = folder / CHAPTERS
    folder = inside if inside.is_dir() else folder
    if not chapter_sources(folder):
        raise FileNotFoundError(
            f"There are no chapters in {folder}; start Python in a clone of the book, or say where: check(key, answer, folder=...)"
        )
    return folder
