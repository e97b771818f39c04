"""The contest's Transformer without attention, as an ablation: embeddings, their mean, an MLP head."""

import torch.nn.functional as F

from pencil.model.classify import MLPHead
from pencil.model.config import Config
from pencil.model.masks import padding_mask
from pencil.model.module import Module, new_embedding
from pencil.model.pooling import mean_pool


class MeanEmbeddingClassifier(Module):
    """A deep averaging network (Iyyer et al. 2015), which is a bag-of-words model.

    Args:
        sizes: a Config.
        dropout: the dropout probability in the head.
        padding: whether id 0 is padding, which is left out of the mean.
    """

    def __init__(self, sizes: Config, dropout=0.0, padding=True):
        super().__init__()
        params = sizes.classifier_params()
        self.padding = padding
        self.embedding, self.head = new_embedding(params.embedding), MLPHead(params.head, dropout=dropout)

    def forward(self, ids):  # (..., T) -> (..., 1)
        """The probability that the review is positive."""
        return self.logit(ids).sigmoid()

    def logit(self, ids):  # (..., T) -> (..., 1)
        """The logit of that probability."""
        return self.head(mean_pool(F.embedding(ids, self.embedding), mask=padding_mask(ids) if self.padding else None))

    def arrays(self):
        """embedding, head.…"""
        return {"embedding": self.embedding} | super().arrays()
