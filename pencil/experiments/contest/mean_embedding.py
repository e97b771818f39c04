"""The Transformer of the contest without its attention: embeddings, their mean, the head. What is attention worth?"""

import torch.nn.functional as F

from pencil.model.classify import MLPHead
from pencil.model.config import Config
from pencil.model.masks import padding_mask
from pencil.model.module import Module, new_embedding
from pencil.model.pooling import mean_pool


class MeanEmbeddingClassifier(Module):
    """A bag of words, for no word's vector depends on another word (a deep averaging network: Iyyer et al. 2015).

    Args:
        sizes: a Config.
        dropout: the share dropped in training, in the head.
        padding: whether id 0 is padding, which is left out of the mean.
    """

    def __init__(self, sizes: Config, dropout=0.0, padding=True):
        super().__init__()
        params = sizes.classifier()
        self.padding = padding
        self.embedding, self.head = new_embedding(params.embedding), MLPHead(params.head, dropout=dropout)

    def forward(self, ids):  # (..., T) -> (..., 1)
        """The probability that the review is positive."""
        return self.logit(ids).sigmoid()

    def logit(self, ids):  # (..., T) -> (..., 1)
        """Before the sigmoid."""
        return self.head(mean_pool(F.embedding(ids, self.embedding), mask=padding_mask(ids) if self.padding else None))

    def arrays(self):
        """embedding, head.…"""
        return {"embedding": self.embedding} | super().arrays()
