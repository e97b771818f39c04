"""A Transformer encoder with a classification head: embeddings, positions, blocks, mean pooling, MLP."""

from pencil.model.classify import MLPHead
from pencil.model.config import Config
from pencil.model.masks import padding_mask
from pencil.model.pooling import mean_pool
from pencil.model.transformers import Encoder


class TransformerClassifier(Encoder):
    """An encoder with a classification head.

    Args:
        config: a Config.
        dropout: the dropout probability of the embeddings and of the pooled vector. (Dropout of attention weights would disable
            the fast attention kernel on a CPU.)
        padding: whether id 0 is padding, which is masked.
    """

    def __init__(self, config: Config, dropout=0.0, padding=True):
        super().__init__(config, padding=padding)
        self.dropout = dropout
        self.head = MLPHead(config.classifier_params().head, dropout=dropout)

    def forward(self, ids, *, note=None):  # (..., T) -> (..., 1)
        """The probability that the review is positive."""
        return self.logit(ids, note=note).sigmoid()

    def logit(self, ids, *, note=None):  # (..., T) -> (..., 1)
        """The logit of that probability."""
        rows = super().forward(ids, note=note)
        return self.head(mean_pool(rows, mask=padding_mask(ids) if self.padding else None, note=note), note=note)

    def arrays(self):
        """embedding, positions, block1.…, norm.…, head.…"""
        return super().arrays() | {f"head.{name}": view for name, view in self.head.arrays().items()}
