"""The whole walking machine: ids in, a walk along the words, the last memory judged."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.bidirectional import arrival, walk
from pencil.reference.embedding import embed
from pencil.reference.head import Head, classify
from pencil.reference.masks import padding_mask
from pencil.trace.notes import exact


@dataclass(frozen=True)
class WalkerClassifier:
    """Every learned number of the machine; `walk` is a Recurrent, an LSTM or a Bidirectional."""

    table: object  # (rows, d)
    walk: object
    head: Head


def walker_classifier(ids, machine, note=exact, masked=True):  # (T,) -> (1,)
    """Embedding, a walk, its last memory, head.

    Source: the walkers of Rahul Rai's post (Keras' SimpleRNN, LSTM and Bidirectional after an Embedding), the padding
    passed over wherever it stands (Keras' mask_zero=True). With `masked=False` the walk goes on through the empty
    slots, as in the post. Raises ValueError for a review of padding alone, and as its parts do.
    """
    x = embed(ids, machine.table, note)
    if masked:
        x = _real(x, padding_mask(ids))
    memories = walk(x, machine.walk, note)
    return classify(arrival(memories, machine.walk, note), machine.head, note)


def _real(x, real):  # -> the rows of words
    if not real.any():
        raise ValueError(f"all {len(real)} slots are padding: there is no word to walk along; leave such a review out")
    return x if real.all() else x[np.flatnonzero(real)]
