"""Texts, word vectors and images.

Every loader has two sources: `load("embedded")` gives a small data set of this project's own, without network; `load("full")`
reads a public data set, which `python -m pencil data fetch NAME` downloads. No third-party data is part of the repository.

    registry   the public data sets: URLs, sizes, hashes, licences
    downloads  fetch, find and verify them
    archive    read compressed archives safely
    reviews    film reviews (IMDB)
    text       one long text (tiny Shakespeare)
    names      first names
    vectors    word vectors (GloVe)
    images     handwritten digits (MNIST)
    embedded/  the generator of the embedded reviews
"""

from pencil.errors import TaskError

SOURCES = ("embedded", "full")


class DataError(TaskError):
    """Missing or corrupt data; the message says what to do."""


def check_source(source):  # -> source
    """Raises ValueError unless `source` is "embedded" or "full"."""
    if source not in SOURCES:
        raise ValueError(f"source={source!r} is not known; take one of {', '.join(SOURCES)}")
    return source
