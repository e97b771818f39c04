"""A reader with all the parts of the book: sticks, seats, whole blocks with residual, norm and worker, an average, the head."""

import torch

from pencil.model.config import GPT2, Config
from pencil.model.encoder import Encoder
from pencil.model.head import Head
from pencil.model.masks import padding_mask
from pencil.model.pooling import average


class Reader(Encoder):
    """An encoder that gives a verdict. `sizes` is a Config; how a word's seat is told stands there or in the recipe.

    With `cover` it practises on reviews in which that share of the words is covered, other ones each time: it cannot
    hang on a few words (word dropout: Iyyer et al. 2015).
    """

    def __init__(self, sizes: Config, recipe=GPT2, dropout=0.0, padding=True, cover=0.0):
        super().__init__(sizes, recipe, 0.0, padding)
        self.dropout = dropout  # of sticks and summary; dropping shares would cost attention its fast way on a CPU
        if not 0 <= cover < 1:
            raise ValueError(f"cover={cover}; a share of the words is at least 0 and below 1")
        self.cover = cover
        self.head = Head(sizes.classifier().head, dropout=dropout)

    def forward(self, ids, note=None):  # (..., T) -> (..., 1)
        """The chance that the review is liked."""
        return self.logit(ids, note).sigmoid()

    def logit(self, ids, note=None):  # (..., T) -> (..., 1)
        """What the chance is made of."""
        if self.training and self.cover:
            covered = torch.rand(ids.shape, device=ids.device) < self.cover
            covered[..., 0] = False  # one word stays, or there would be nothing to look at
            ids = ids.masked_fill(covered, 0)
        rows = super().forward(ids, note)
        return self.head(average(rows, padding_mask(ids) if self.padding else None, note), note)

    def arrays(self):
        """table, seats, block1.…, norm.…, head.…"""
        return super().arrays() | {f"head.{name}": view for name, view in self.head.arrays().items()}
