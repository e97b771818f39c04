"""Several heads at once: each with its own grids, glued side by side, projected back."""

import numpy as np

from pencil.reference.checks import check_fit, check_numbers
from pencil.reference.softmax import softmax as paper_softmax
from pencil.reference.tags import self_attention
from pencil.trace.notes import exact, under


def multi_head_attention(x, heads, output, note=exact, mask=None, softmax=paper_softmax):  # (T, d_model) -> (T, d_model)
    """Run every head on the same words, glue their rows, and push the glue through the output grid (Vaswani et al. 2017, 3.2.2).

    `heads` is a list of `Grids`, of any width (the divisor is the root of each head's own width);
    `output` is (d_model, sum of the heads' value widths). Names are filed as head1.…, head2.… .
    Raises ValueError when there is no head, when the output grid does not read the glue's width or does
    not write the stick's, and as `self_attention` does.
    """
    if not heads:
        raise ValueError("no heads: give at least one Grids(query, key, value)")
    check_numbers(output=output)
    mixed = [self_attention(x, grids, under(note, f"head{i}"), mask, softmax) for i, grids in enumerate(heads, start=1)]
    glued = note("glued", np.concatenate(mixed, axis=-1))
    check_fit("the glue of the heads", glued.shape[-1], "the output grid", output, out=x.shape[-1])
    return note("projected", glued @ output.T)
