"""The words of a message are those of its page: {query} becomes what the page calls a query."""

from pencil.note import GRAD
from pencil.worked.labels import plural

# Name -> what is said where a page has no label
WORDS = {"query": "query", "key": "key", "value": "value", "scores": "score", "weights": "share", "context": "context"}


def worded(message, worked, name):  # str, Worked, name of the value that the message is about -> str
    """Fill a message of the catalogue with the labels of a run: {query}, {key}, {value}, {score}, {share}, {context} and the plural of each.

    {label[NAME|so]} is that of any value, or so where it has none.
    """
    scope = "" if name.startswith(f"{GRAD}.") else name.rpartition(".")[0]  # of a slope they are the words of the values themselves
    called = {word: _label(worked, f"{scope}.{part}" if scope else part) or word for part, word in WORDS.items()}
    return message.format_map(called | {f"{word}s": several(label) for word, label in called.items()} | {"label": _Labels(worked)})


class _Labels:
    def __init__(self, worked):
        self.worked = worked

    def __getitem__(self, named):  # without the word and the step that it belongs to
        name, _, unnamed = named.partition("|")
        label = _label(self.worked, name)
        return f"“{label}”" if label else unnamed


def several(word):
    """share -> shares, query -> queries, and shares as they are."""
    return word if word.endswith("s") and not word.endswith(("as", "is", "ss", "us")) else plural(word)


def _label(worked, name):  # "head1.query" -> query; "" where it has no word
    return worked.label(name).rpartition(".")[2] if name in worked.trace.names and worked.has_word(name) else ""
