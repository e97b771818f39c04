"""The look-across machine with its attention taken out: sticks, their average, the head. What is attention worth?"""

import torch.nn.functional as F

from pencil.model.config import Config
from pencil.model.head import Head
from pencil.model.masks import padding_mask
from pencil.model.part import Part, table
from pencil.model.pooling import average


class Averages(Part):
    """A bag of words: no word hears another (Iyyer et al. 2015 call it a deep averaging network)."""

    def __init__(self, sizes: Config, dropout=0.0, padding=True):
        super().__init__()
        grids = sizes.classifier()
        self.padding = padding
        self.table, self.head = table(grids.table), Head(grids.head, dropout=dropout)

    def forward(self, ids):  # (..., T) -> (..., 1)
        """The chance that the review is liked."""
        return self.logit(ids).sigmoid()

    def logit(self, ids):  # (..., T) -> (..., 1)
        """What the chance is made of."""
        return self.head(average(F.embedding(ids, self.table), padding_mask(ids) if self.padding else None))

    def arrays(self):
        """table, head.…"""
        return {"table": self.table} | super().arrays()
