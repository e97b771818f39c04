"""A run as data for the page that writes its lines anew: the program, and what no program says, labels and words."""


def export(worked):  # Worked -> dict
    """JSON-able, and no computed number in it: `pencil/widgets/worked.js` writes the same lines from it.

    `words` holds each row of words once. `axes` says for a named value which of them stand along
    its axes (None where there are none), `of` whose a value is of which one row was picked out.
    """
    words, axes, of = [], {}, {}
    for name, array in worked.trace.names.items():
        if any(array.axes):
            axes[name] = [_filed(labels, words) for labels in array.axes]
        if array.of:
            of[name] = list(array.of)
    return {
        "run": worked.run,
        "track": worked.track,
        "whole": worked.whole,
        "labels": dict(worked.labels),
        "words": words,
        "axes": axes,
        "of": of,
        "program": worked.trace.program(),
    }


def _filed(labels, words):  # -> the place of these words among all, or None
    if not labels:
        return None
    if list(labels) not in words:
        words.append(list(labels))
    return words.index(list(labels))
