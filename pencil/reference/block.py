"""One transformer block in the Pre-LN order: tame, attend, add back; tame, think, add back."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_fit, check_numbers
from pencil.reference.layer_norm import layer_norm
from pencil.reference.softmax import softmax as paper_softmax
from pencil.reference.tags import Grids, self_attention
from pencil.trace.notes import exact, under


@dataclass(frozen=True)
class BlockGrids:
    """The grids of a block with one head; no gains, biases or dropout yet."""

    attention: Grids
    output: object  # (d_model, d_v)
    widen: object  # (d_ff, d_model)
    narrow: object  # (d_model, d_ff)


def feed_forward(x, widen, narrow, note=exact):  # (T, d) (d_ff, d) (d, d_ff) -> (T, d)
    """The small worker: widen, bend (ReLU), narrow; each word by itself (Vaswani et al. 2017, 3.3, without biases).

    Raises ValueError for grids that do not fit the row or one another.
    """
    check_numbers(x=x, widen=widen, narrow=narrow)
    check_fit("the row", x.shape[-1], "the widening grid", widen)
    check_fit("the bent row", widen.shape[0], "the narrowing grid", narrow, out=x.shape[-1])
    hidden = note("hidden", x @ widen.T)
    bent = note("bent", np.maximum(hidden, 0))
    return note("worker", bent @ narrow.T)


def block(x, grids, note=exact, mask=None, eps=0.0, softmax=paper_softmax):  # (T, d) -> (T, d)
    """Attention gathers from the other words, the worker thinks about one word; both are added to the stream.

    Source: the Pre-LN block of GPT-2 (Radford et al. 2019; Xiong et al. 2020). Raises ValueError for grids
    that do not lead back to the width of x, and as its parts do.
    """
    tamed = layer_norm(x, under(note, "norm1"), eps)
    mixed = self_attention(tamed, grids.attention, note, mask, softmax)
    check_fit("the mixed row", mixed.shape[-1], "the output grid", grids.output, out=x.shape[-1])
    stream = note("stream", note("projected", mixed @ grids.output.T) + x)
    tamed = layer_norm(stream, under(note, "norm2"), eps)
    return note("out", stream + feed_forward(tamed, grids.widen, grids.narrow, note))
