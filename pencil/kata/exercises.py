"""The YOUR TURNs of the chapters, found by their keys."""

import re
from pathlib import Path

from pencil.kata.marking import exercise_of, mark
from pencil.prose.library import CHAPTERS, Library

_TURN = re.compile(r"^:{3,}\{your-turn\} (?P<key>\S+)\n(?::answer: (?P<answer>.+)\n)?", re.M)


def exercises(folder=None):  # -> {"05:two-queries": reference of its answer}
    """Every exercise with an answer in a folder of chapters: this one, or the `notebooks` in it, unless given."""
    folder = _chapters(folder)
    found = {}
    for page in sorted(folder.glob("[0-9][0-9]_*.md")):
        for turn in _TURN.finditer(page.read_text(encoding="utf-8")):
            if turn["answer"]:
                found[f"{page.name[:2]}:{turn['key']}"] = turn["answer"].strip()
    return found


def check(key, answer, folder=None):  # str, numbers or text -> Mark
    """Mark an answer: `check("match-row", [2, 8])`. Where two chapters have the key, put the chapter in front: "06:match-row".

    Raises KeyError for a key that no chapter has, or several.
    """
    folder = _chapters(folder)
    known = exercises(folder)
    full = [name for name in known if key in (name, name.partition(":")[2])]
    if len(full) != 1:
        says = f"{key!r} is in several chapters: take one of {', '.join(full)}" if full else f"there is no exercise {key!r}; {_near(key, known)}"
        raise KeyError(says)
    chapter = full[0].partition(":")[0]
    return mark(exercise_of(Library(folder, chapter).find(known[full[0]])), answer)


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
