"""Texts, words and pictures to work on: a small default of this project's own for each, and the real sets from their own homes.

Every loader has two sources. `load("embedded")` needs no network; `load("full")` reads the real set, which
`python -m pencil data fetch NAME` brings. Nothing of another's data set is part of the book.
"""

from pencil.clone import TaskError

SOURCES = ("embedded", "full")


class DataError(TaskError):
    """Data that is not there or not right; the message is a plain sentence and what to do about it."""


def check_source(source):  # -> source
    """Raises ValueError for anything but the two sources that every loader has."""
    if source not in SOURCES:
        raise ValueError(f"source={source!r} is not known; take one of {', '.join(SOURCES)}")
    return source


def find(name):  # -> Path, or a tuple of them for a set of several files
    """Where the files of a real set lie on this machine. Raises DataError that says how to fetch them."""
    from pencil.data import fetch  # only where a real set is read

    return fetch.find(name)
