"""A run as data for a live page: the program, and what is not part of it, such as labels."""

import json

from pencil.trace.program import folded

MISTAKE = "wrong."  # how the name of a mistake's value begins, which no page shows


def export(worked):  # Worked -> dict
    """JSON-able data without computed numbers, from which `pencil/web/render/worked.js` writes the same lines.

    `words` is a list of label rows, each once; `axes` has for a named value the index into it of each axis, or None; `of` has the
    `row_word` of values from which a row was picked.
    """
    words, axes, of = [], {}, {}
    for name, array in worked.trace.names.items():
        if any(array.axes):
            axes[name] = [_filed(labels, words) for labels in array.axes]
        if array.row_word:
            of[name] = list(array.row_word)
    return {
        "run": worked.run,
        "track": worked.track,
        "whole": worked.whole,
        "labels": {name: label for name, label in worked.labels.items() if not name.startswith(MISTAKE)},
        "words": words,
        "axes": axes,
        "of": of,
        "program": folded(worked.trace.program()),
    }


def as_json(data):  # -> str
    """Compact JSON that is safe inside an HTML script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _filed(labels, words):  # -> the index of these labels in `words`, where they are added if new; or None
    if not labels:
        return None
    if list(labels) not in words:
        words.append(list(labels))
    return words.index(list(labels))
