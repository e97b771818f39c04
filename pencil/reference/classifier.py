"""The whole look-across machine: ids in, the chance that the review is liked out."""

from dataclasses import dataclass

from pencil.reference.embedding import embed
from pencil.reference.head import Head, classify
from pencil.reference.heads import multi_head_attention
from pencil.reference.pooling import average, padding_mask
from pencil.reference.softmax import softmax as paper_softmax
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Classifier:
    """Every learned number of the machine."""

    table: object  # (rows, d_model)
    heads: list  # of Grids
    output: object  # (d_model, sum of d_v)
    head: Head


def classifier(ids, machine, note=exact, masked=True, softmax=paper_softmax):  # (T,) -> (1,)
    """Embedding, attention, average, head.

    Source: the Keras machine of Rahul Rai's post, which chapter 06 follows, with the padding masked. With
    `masked=False` the padding is looked at and averaged as well, as in the post. Raises ValueError for a
    review of padding alone, and as its parts do.
    """
    x = embed(ids, machine.table, note)
    real = padding_mask(ids) if masked else None
    mask = real[None, :] if masked and real.any() else None  # a review of padding alone is refused by average
    x = multi_head_attention(x, machine.heads, machine.output, note, mask, softmax)
    return classify(average(x, real, note), machine.head, note)
