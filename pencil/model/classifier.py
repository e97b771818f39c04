"""The whole look-across machine: ids in, the chance that the review is liked out."""

import torch.nn.functional as F

from pencil.model.averaged import AveragedAttention
from pencil.model.config import GPT2, Config
from pencil.model.head import Head
from pencil.model.masks import key_mask, may_peep, padding_mask
from pencil.model.part import Part, say, table
from pencil.model.pooling import average, pool_of


class Classifier(Part):
    """Embedding, attention, a summary, head (the Keras machine of Rahul Rai's post, with the padding masked).

    `sizes` is a Config or a Classifier bundle; `pool` is average, greatest, first or last. With `padding=False` the
    empty slots are looked at and summed up as well. The machine has no norm, no worker and no positions: nothing of the recipe
    has a place in it.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, padding=True, pool="average"):
        super().__init__()
        grids = sizes.classifier() if isinstance(sizes, Config) else sizes
        self.padding, self.pool = padding, pool_of(pool)
        self.table = table(grids.table)
        self.attention = AveragedAttention(grids.attention)  # no positions, and nothing struck out before the head
        self.head = Head(grids.head, dropout=dropout)

    def forward(self, ids, note=None):  # (..., T) -> (..., 1)
        """The chance. For a text of padding alone see `key_mask`."""
        return say(note, "sigmoid.answer", self.logit(ids, note).sigmoid())

    def logit(self, ids, note=None):  # (..., T) -> (..., 1)
        """What the chance is made of; training is steadier on it (torch's binary_cross_entropy_with_logits)."""
        real = padding_mask(ids) if self.padding else None
        x = say(note, "stick", F.embedding(ids, self.table))
        mask = None if real is None else key_mask(real, note)
        if note is None and self.pool is average and may_peep(x) and self.attention.can_average(x):  # on a CPU
            return self.head(self.attention.average(x, None if mask is None else real))
        x = self.attention(x, mask, note)
        return self.head(self.pool(x, real, note), note)

    def arrays(self):
        """table, attention.…, head.…"""
        return {"table": self.table} | super().arrays()
