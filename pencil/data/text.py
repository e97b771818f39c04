"""A long text for character-level language models."""

from functools import cache

from pencil.data import check_source, reviews


def load(source="embedded"):  # -> str
    """Load the embedded reviews, one per line ("embedded"), or tiny Shakespeare, 1,115,394 characters, 65 distinct ones ("full")."""
    return _embedded() if check_source(source) == "embedded" else _full()


@cache
def _embedded():
    return "\n".join(reviews.load().train.texts) + "\n"


@cache
def _full():
    from pencil.data.downloads import find

    return find("shakespeare").read_text(encoding="utf-8")
