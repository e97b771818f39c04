"""The whole look-across machine: ids in, the chance that the review is liked out."""

from dataclasses import dataclass

from pencil.reference.embedding import embed
from pencil.reference.head import Head, classify
from pencil.reference.heads import multi_head_attention
from pencil.reference.pooling import average, padding_mask
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Classifier:
    """Every learned number of the machine."""

    table: object  # (rows, d_model)
    heads: list  # of Grids
    output: object  # (d_model, sum of d_v)
    head: Head


def classifier(ids, machine, note=exact, masked=True):  # (T,) -> (1,)
    """Embedding, attention, average, head. With `masked=False` the padding is looked at and averaged, as source 000 has it."""
    x = embed(ids, machine.table, note)
    real = padding_mask(ids) if masked else None
    mask = real[None, :] if masked and real.any() else None  # a review of padding alone is refused by average
    x = multi_head_attention(x, machine.heads, machine.output, note, mask)
    return classify(average(x, real, note), machine.head, note)
