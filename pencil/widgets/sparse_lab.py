"""SparseLab: which tokens sparse attention reads, with a needle to move and k to choose."""

import numpy as np

from pencil.reference import softmax
from pencil.trace import COUNT, Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

TOKENS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
COUNTED, PAIR = len(TOKENS), 2
PAIRS = COUNTED // PAIR
K, NEEDLE, RAISED = 3, 2, 5
SCORES, INDEX = (0, 0, 1, 0, 0, 1, 0, 0), (0, 0, 2, 1, 0, 1, 0, 0)  # of all tokens; where the needle is, its own counts instead
LABELS = {"k": "count k", "needle": "position of the needle", "raised": "score of the needle", "scores": "score of the others", "scored": "score"}
LABELS |= {"index_raised": "index score of the needle", "index": "index score of the others", "indexed": "index score"}
LABELS |= {"block_scores": "block score", "entry_scores": "score of the entry", "rows": "rows read", "of_needle": "share of the needle"}
GIVEN = (
    Part("given", "k", "k: how many tokens, blocks or entries the last token looks at", range=(1, COUNTED, 1)),
    Part("given", "needle", "The position of the needle", range=(1, COUNTED, 1)),
    Part("given", "raised", "The score of the needle"),
    Part("given", "scores", "The scores of the others"),
)
INDEXED = (Part("given", "index_raised", "The index score of the needle"), Part("given", "index", "The index scores of the others"))
SHOWN = (
    Part("bars", "read", "What the last token reads (of an entry of two tokens, a half of each)", row=True),
    Part("bars", "shares", "The share of each"),
    Part("lines", "rows of_needle", "How many rows are read, and how much of the needle arrives"),
)


class SparseLab(Lab):
    """Inputs: k, the position and the score of a needle, the scores of the others. Choice: who chooses. Shows what is read, and its share."""

    def __init__(self):
        super().__init__([_variant(way) for way in WAYS.values()], [Choice("Who chooses", tuple(WAYS))])


def _variant(way):
    trace = Trace()
    k, needle = (trace.given(name, number, **COUNT, most=COUNTED) for name, number in (("k", K), ("needle", NEEDLE)))
    sought = np.equal(needle, np.arange(1, COUNTED + 1))
    scored = _with_needle(trace, "scored", sought, "raised", "scores", SCORES)
    shares, *parts = way(trace, k, scored, sought)
    trace("shares", shares)
    trace("of_needle", np.where(sought, shares, 0).sum())
    given = GIVEN + (INDEXED if "index" in trace.names else ())
    labels = {name: said for name, said in LABELS.items() if name in trace.names}
    return Variant(Worked(trace, labels), one_step("Looking at few", *given, *parts, *SHOWN))


def _with_needle(trace, name, sought, own, others, scores):
    return trace(name, np.where(sought, trace.given(own, RAISED), trace.given(others, scores, words=TOKENS)))


def _best(scores, k):  # -> 1 for the k best, of equal ones the first
    return np.where(np.argsort(np.argsort(-scores, kind="stable"), kind="stable") < k, 1, 0)


def _by_token(trace, row):  # the same row, with the words of the tokens
    return trace.as_traced(np.ones(COUNTED), columns=TOKENS) * row


def _attend(trace, scored, read):
    trace("rows", trace("read", _by_token(trace, read)).sum())
    return softmax(np.where(read > 0, scored, -np.inf), note=trace)


def _of_pairs(trace, name, scored):  # the mean key of a pair has the mean of its scores
    return trace(name, np.stack([scored[start : start + PAIR].mean() for start in range(0, COUNTED, PAIR)]))


def _window(trace, k, scored, sought):
    return (_attend(trace, scored, np.where(COUNTED - k < np.arange(1, COUNTED + 1), 1, 0)),)


def _blocks(trace, k, scored, sought):
    means = _of_pairs(trace, "block_scores", scored)
    own = np.arange(PAIRS) == PAIRS - 1
    read = np.where(own, 1, _best(np.where(own, -np.inf, means), k - 1))
    return _attend(trace, scored, read[np.arange(COUNTED) // PAIR]), Part("lines", "block_scores", "The mean score of each block")


def _indexer(trace, k, scored, sought):
    return (_attend(trace, scored, _best(_with_needle(trace, "indexed", sought, "index_raised", "index", INDEX), k)),)


def _entries(trace, k, scored, sought):
    means = _of_pairs(trace, "entry_scores", scored)
    best = _best(means, k)
    pairs = np.arange(COUNTED) // PAIR
    trace("rows", trace("read", _by_token(trace, best[pairs] / PAIR)).sum())
    shares = softmax(np.where(best > 0, means, -np.inf), note=trace)
    return _by_token(trace, shares[pairs] / PAIR), Part("lines", "entry_scores", "The mean score of each entry; the best k are read")


WAYS = {"a window": _window, "blocks of two": _blocks, "an indexer": _indexer, "entries of two": _entries}
