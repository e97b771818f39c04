"""First names in lower case, one training example each."""

from pencil.data import check_source
from pencil.data.embedded import lexicon


def load(source="embedded"):  # -> tuple of names
    """Load the names of people and towns in the embedded reviews ("embedded"), or 32,033 first names ("full")."""
    if check_source(source) == "embedded":
        return tuple(f"{lexicon.NAME} {lexicon.CITY}".lower().split())
    from pencil.data.downloads import find

    return tuple(find("names").read_text(encoding="utf-8").split())
