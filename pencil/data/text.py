"""A long text for character-level language models."""

from functools import cache

from pencil.data import check_source, reviews
from pencil.paths import user_path

SHORTEST = 2000  # characters of a text that a writer can be trained and tested on


def load(source="embedded"):  # -> str
    """Load the embedded reviews, one per line ("embedded"), or tiny Shakespeare, 1,115,394 characters, 65 distinct ones ("full")."""
    return _embedded() if check_source(source) == "embedded" else _full()


def read_text(file):  # -> str
    """A text of the reader's own: UTF-8, with or without a byte order mark, line ends of any system. Raises ValueError with the file's name."""
    path = user_path(file)
    try:
        text = path.read_text(encoding="utf-8-sig")  # universal newlines
    except UnicodeDecodeError as wrong:
        raise ValueError(
            f"{path} is no UTF-8 ({wrong.reason} at byte {wrong.start}); save it as UTF-8, or convert it: iconv -f latin1 -t utf-8"
        ) from None
    except OSError as wrong:
        raise ValueError(f"{path} cannot be read: {wrong.strerror}") from None
    if len(text) < SHORTEST:
        raise ValueError(f"{path} has {len(text)} characters; a writer needs {SHORTEST:,} at least, and some 100,000 to learn words")
    return text


@cache
def _embedded():
    return "\n".join(reviews.load().train.texts) + "\n"


@cache
def _full():
    from pencil.data.downloads import find

    return find("shakespeare").read_text(encoding="utf-8")
