"""A run as data for the page that writes its lines anew: the program, and what no program says, labels and words."""

import json

from pencil.trace.program import folded


def export(worked):  # Worked -> dict
    """JSON-able, and no computed number in it: `pencil/web/render/worked.js` writes the same lines from it.

    `words` holds each row of words once. `axes` says for a named value which of them stand along
    its axes (None where there are none), `of` whose a value is of which one row was picked out.
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
        "labels": dict(worked.labels),
        "words": words,
        "axes": axes,
        "of": of,
        "program": folded(worked.trace.program()),
    }


def as_json(data):  # -> str
    """Short, and safe inside a script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _filed(labels, words):  # -> the place of these words among all, or None
    if not labels:
        return None
    if list(labels) not in words:
        words.append(list(labels))
    return words.index(list(labels))
