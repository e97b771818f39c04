"""The whole look-across machine: ids in, the chance that the review is liked out."""

from dataclasses import dataclass

from pencil.reference.embedding import embed
from pencil.reference.head import Head, classify
from pencil.reference.heads import Attention, multi_head_attention
from pencil.reference.masks import key_mask, padding_mask
from pencil.reference.pooling import average
from pencil.reference.softmax import softmax as paper_softmax
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Classifier:
    """Every learned number of the machine."""

    table: object  # (rows, d_model)
    attention: Attention
    head: Head


def classifier(ids, machine, note=exact, masked=True, softmax=paper_softmax, pool=average):  # (T,) -> (1,)
    """Embedding, attention, a summary (`pool`: average, greatest, first or last), head.

    Source: the Keras machine of Rahul Rai's post, which chapter 06 follows, with the padding masked. With
    `masked=False` the padding is looked at and averaged as well, as in the post. Raises ValueError for a
    review of padding alone, and as its parts do.
    """
    x = embed(ids, machine.table, note)
    x = multi_head_attention(x, machine.attention, note, key_mask(ids) if masked else None, softmax)
    return classify(pool(x, padding_mask(ids) if masked else None, note), machine.head, note)
