"""Chapters 13 and 13b, backpropagation and descent: the two models with their losses, and the sheets that show their gradients.

The review of chapter 06 has its target; the block of chapter 10 has three words that may follow "cat sat", each with its row of the output matrix.
"""

import numpy as np

from pencil.examples.shared import matrix
from pencil.note import no_note, scoped
from pencil.reference import DecoderParams, binary_cross_entropy, block, layer_norm, mean_pool, mlp_head, self_attention, softmax, unembed
from pencil.worked import Worked
from pencil.worked.labels import label_of

NEXT_WORDS, NEXT_ROWS = ("down", "up", "off"), matrix([1, 0, -1, 0], [1, 0, 0, 0], [0, 1, -1, 1])

WORDS = {
    "target": "target y",
    "target_prob": "target probability",
    "updated": "new",
    "mean_hat": "corrected mean",
    "square_hat": "corrected square",
    "denom": "root",
    "std": "std",  # in full, the line of its gradient would break after its sign on a phone
}


def review_loss(vectors, params, head, truth, note=no_note):
    """The binary cross-entropy of the attention classifier on a review."""
    summary = mean_pool(self_attention(vectors, params, note=note), note=note)
    probability = mlp_head(summary, head, note=note)
    return binary_cross_entropy(probability, truth, note=note)


def third_word_loss(x, params, ends, truth, note=no_note):
    """The cross-entropy of the word after "cat sat": the last row of the block, normalized, and its dot product with each word's row of `ends`."""
    row = layer_norm(block(x, params, note=note)[1:], note=scoped(note, "final"))
    logits = unembed(row, DecoderParams(embedding=ends, blocks=()), note=note)
    probabilities = softmax(logits, note=scoped(note, "next"))
    return note("loss", -np.log(note("target_prob", (truth * probabilities).sum())))


def slopes_sheet(trace, run="", words=None):  # Trace -> Worked
    """A run on the exact track, with its gradients: `grad.params.query` is `grad.W_Q`, and `stepped.params.query.updated` is `new.W_Q`."""
    words = WORDS | (words or {})
    return Worked(trace, {name: told for name in trace.names if (told := _in_words(name, words))}, track="exact", run=run, words=words)


def _in_words(name, words):  # -> the label of a name that says too little by itself, or None
    front, *parts = name.split(".")
    if front == "stepped":
        return label_of(".".join([parts[-1], *parts[:-1]]), words)
    if name.endswith("next.weights"):  # shares of the next word are probabilities
        return label_of(name.replace("next.weights", "next.prob"), words)
    return None
