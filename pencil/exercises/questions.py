"""The YOUR TURNs of the chapters, found by their keys."""

from pathlib import Path

from pencil.checker.library import CHAPTERS
from pencil.exercises.exercise import Choice
from pencil.exercises.known import exercise_of
from pencil.paths import chapter_number, chapter_sources
from pencil.publish.exercises import exercises_in
from pencil.rounding import PLACES


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
    return exercise_in(question, library)


def exercise_in(question, library, carried=None):  # ExerciseSource, Library -> Exercise
    """The exercise of a box that is answered with numbers; with the places of its mistakes on the page of the chapter `carried`."""
    own = [(library.find(reference), message) for reference, message in question.wrong]
    given = [library.find(reference) for reference in question.given]
    found, runs, places = library.find(question.answer), runs_beside(question, library), question.places or PLACES
    return exercise_of(found, own, places=places, percent=question.percent, given=given, runs=runs, carried=carried)


def runs_beside(question, library):  # ExerciseSource, Library -> [Worked]
    """The runs of the chapter that a box stands in; none where its answer is another chapter's."""
    if not library.own or library.find(question.answer).reference.chapter not in ("", library.own):
        return []
    return [tracks["paper"] for tracks in library.chapter(library.own).replay().values()]


def _chapters(folder):
    folder = Path(folder) if folder is not None else Path.cwd()
    inside = folder / CHAPTERS
    folder = inside if inside.is_dir() else folder
    if not chapter_sources(folder):
        raise FileNotFoundError(f"There are no chapters in {folder}; start Python in a clone of the book, or say where its notebooks are")
    return folder
