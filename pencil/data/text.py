"""One long text to go through letter by letter."""

from functools import cache

from pencil.data import check_source, reviews


def load(source="embedded"):  # -> str
    """The embedded reviews, one a line, or tiny Shakespeare: 1,115,394 characters, 65 different ones."""
    return _embedded() if check_source(source) == "embedded" else _full()


@cache
def _embedded():
    return "\n".join(reviews.load().train.texts) + "\n"


@cache
def _full():
    from pencil.data.fetch import find

    return find("shakespeare").read_text(encoding="utf-8")
