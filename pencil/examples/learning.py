"""Chapters 13 and 13b, backpropagation and descent: the two machines with their losses, and the sheets that show their gradients.

The review of chapter 06 has its truth; the block of chapter 10 has three words that may follow "cat sat", each with its row of the output matrix.
"""

import numpy as np

from pencil.examples.shared import matrix
from pencil.examples.words import BOOK_WORDS
from pencil.note import no_note, scoped
from pencil.reference import DecoderParams, binary_cross_entropy, block, mean_pool, mlp_head, self_attention, softmax, unembed
from pencil.worked import Worked

NEXT_WORDS, NEXT_ROWS = ("down", "up", "off"), matrix([1, 0, -1, 0], [1, 0, 0, 0], [0, 1, -1, 1])

REVIEW_WORDS = BOOK_WORDS | {
    "query": "WANT", "key": "HAVE", "value": "GIVE", "scores": "score", "weights": "share", "weighted_values": "part", "context": "new stick",
    "loss": "miss", "hidden": "unit", "activated": "after relu", "logit": "last", "prob": "tick", "weight1": "unit dials",
    "bias1": "unit nudges", "weight2": "last dials", "bias2": "last nudge", "updated": "new", "denom": "typical", "mean_hat": "fair mean",
    "square_hat": "fair square", "average_slope": "average slope", "short_way": "the short way",
}  # fmt: skip
BLOCK_WORDS = BOOK_WORDS | {
    "query": "ASK", "key": "OFFER", "value": "HANDOVER", "scores": "score", "weights": "share", "weighted_values": "part", "scaled": "shrunk",
    "updated": "new", "logits": "word score", "mean": "middle", "square_sum": "sum of squares", "std": "spread", "variance": "average square",
    "normalized": "tamed", "output": "W_O", "up": "first grid", "down": "second grid", "ends": "row", "loss": "miss",
}  # fmt: skip


def review_loss(vectors, params, head, truth, note=no_note):
    """How wrong the tick of the look-across machine is."""
    summary = mean_pool(self_attention(vectors, params, note=note), note=note)
    tick = mlp_head(summary, head, note=note)
    return binary_cross_entropy(tick, truth, note=note)


def third_word_loss(x, params, ends, truth, note=no_note):
    """How wrong the block is about the word behind "cat sat", asked by the row of "cat"."""
    row = block(x, params, note=note)[:1]
    logits = unembed(row, DecoderParams(embedding=ends, blocks=()), note=note)
    shares = softmax(logits, note=scoped(note, "guess"))
    return note("loss", -np.log(note("target_prob", (truth * shares).sum())))


def slopes_sheet(trace, run="", words=REVIEW_WORDS):  # Trace -> Worked
    """A run on the exact track, with its gradients in the page's words: `grad.params.query` is the `d.WANT grid`."""
    told = {name: _in_words(name, words) for name in trace.names}
    told = {name: word for name, word in told.items() if word != name}
    return Worked(trace, told, track="exact", run=run, words=BOOK_WORDS)


def _in_words(name, words):
    parts = name.split(".")
    front = [parts.pop(0)] if parts[0] in ("grad", "after") else []
    front = ["d" if part == "grad" else part for part in front]
    if parts[0] == "stepped":  # stepped.params.query.updated -> new.WANT grid
        front, parts = [words.get(parts[-1], parts[-1])], parts[1:-1]
    word = words.get(parts[-1], parts[-1])
    word += " grid" * ("params" in parts and parts[-1] in ("query", "key", "value"))
    word += "\N{NO-BREAK SPACE}again" * ("norm2" in parts)
    return ".".join([*front, *(part for part in parts if part == "guess"), word])
