"""The YOUR TURNs of the chapters, found by their keys."""

from pathlib import Path

from pencil.kata.marking import Choice, exercise_of, mark
from pencil.prose.library import CHAPTERS, Library
from pencil.prose.turns import turns_in


def turns(folder=None):  # -> {"05:two-queries": Turn}
    """Every question of a folder of chapters that can be answered: of this one, or the `notebooks` in it, unless given."""
    pages = sorted(_chapters(folder).glob("[0-9][0-9]_*.md"))
    return {
        f"{page.name[:2]}:{turn.key}": turn for page in pages for turn in turns_in(page.read_text(encoding="utf-8")) if turn.answer or turn.choices
    }


def exercises(folder=None):  # -> {"05:two-queries": reference of its answer}
    """Those among them that are answered with numbers."""
    return {name: turn.answer for name, turn in turns(folder).items() if turn.answer}


def asked_by(turn, library):  # Turn, Library -> Exercise or Choice
    """What a box asks for. Raises KeyError for a reference that names nothing."""
    if turn.choices:
        return Choice(turn.choices, turn.right, dict(turn.wrong))
    return exercise_of(library.find(turn.answer), [(library.find(reference), says) for reference, says in turn.wrong])


def check(key, answer, folder=None):  # str, numbers or text -> Mark
    """Mark an answer: `check("match-row", [2, 8])`. Where two chapters have the key, put the chapter in front: "06:match-row".

    Raises KeyError for a key that no chapter has, or several.
    """
    folder = _chapters(folder)
    known = turns(folder)
    full = [name for name in known if key in (name, name.partition(":")[2])]
    if len(full) != 1:
        says = f"{key!r} is in several chapters: take one of {', '.join(full)}" if full else f"there is no exercise {key!r}; {_near(key, known)}"
        raise KeyError(says)
    return mark(asked_by(known[full[0]], Library(folder, full[0].partition(":")[0])), answer)


def _near(key, known):
    from difflib import get_close_matches

    names = [name.partition(":")[2] for name in known]
    return f"there are {', '.join(get_close_matches(key, names, n=3, cutoff=0.4) or sorted(names))}"


def _chapters(folder):
    folder = Path(folder) if folder is not None else Path.cwd()
    inside = folder / CHAPTERS
    folder = inside if inside.is_dir() else folder
    if not any(folder.glob("[0-9][0-9]_*.md")):
        raise FileNotFoundError(
            f"there are no chapters in {folder}; start Python in a clone of the book, or say where: check(key, answer, folder=...)"
        )
    return folder
