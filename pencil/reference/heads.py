"""Several heads at once: each with its own grids, glued side by side, projected back."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_fit, check_numbers
from pencil.reference.linear import linear
from pencil.reference.softmax import softmax as paper_softmax
from pencil.reference.tags import cross_attention, self_attention
from pencil.trace.notes import exact, under


@dataclass(frozen=True)
class Attention:
    """The learned grids of an attention layer: its heads, and the output grid that mixes their glue."""

    heads: tuple  # of Grids
    output: object  # (d_model, sum of d_v)
    output_bias: object = None  # (d_model,)


def multi_head_attention(x, grids, note=exact, mask=None, softmax=paper_softmax, memory=None, positions=None):  # (T, d_model) -> (T, d_model)
    """Run every head on the same words, glue their rows, and push the glue through the output grid (Vaswani et al. 2017, 3.2.2).

    Heads may have any width (the divisor is the root of each head's own). Names are filed as head1.…,
    head2.…; one head alone needs no number and no glue. With a `memory` the heads ask its rows, and
    `positions` (see `self_attention`) have no say: another text has seats of its own. Raises ValueError
    when there is no head, when the output grid does not read the glue's width or does not write the
    stick's, and as `self_attention` does.
    """
    if not grids.heads:
        raise ValueError("no heads: give at least one Grids(query, key, value)")
    check_numbers(output=grids.output)
    count = len(grids.heads)
    mixed = []
    for i, head in enumerate(grids.heads, start=1):
        filed = note if count == 1 else under(note, f"head{i}")
        if memory is not None:
            mixed.append(cross_attention(x, memory, head, filed, mask, softmax))
        else:
            mixed.append(self_attention(x, head, filed, mask, softmax, positions and positions.for_head(i, count)))
    glued = mixed[0] if count == 1 else note("glued", np.concatenate(mixed, axis=-1))
    check_fit("the mixed row" if count == 1 else "the glue of the heads", glued.shape[-1], "the output grid", grids.output, out=x.shape[-1])
    return note("projected", linear(glued, grids.output, grids.output_bias))
