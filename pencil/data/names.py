"""Names, in small letters: short words to invent more of."""

from pencil.data import check_source
from pencil.data.embedded import lexicon


def load(source="embedded"):  # -> tuple of names
    """The names of people and of towns in the embedded reviews, or 32,033 first names."""
    if check_source(source) == "embedded":
        return tuple(f"{lexicon.NAME} {lexicon.CITY}".lower().split())
    from pencil.data.fetch import find

    return tuple(find("names").read_text(encoding="utf-8").split())
