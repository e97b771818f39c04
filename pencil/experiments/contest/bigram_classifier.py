"""A classifier on embeddings of words and bigrams, with self-attention, cross-attention or mean pooling alone."""

import numpy as np
import torch
import torch.nn.functional as F

from pencil.model.blocks import Stack
from pencil.model.classify import MLPHead
from pencil.model.config import Config
from pencil.model.masks import key_mask, padding_mask
from pencil.model.module import Module, dropout, new_embedding
from pencil.model.pooling import mean_pool

ATTENTION = ("none", "words", "summary")


class BigramEmbedding(Module):
    """An embedding of each known bigram, at the position of its second word; zeros for an unknown bigram.

    Args:
        known: (bigrams,) keys in ascending order (pencil.experiments.contest.bigrams.frequent_bigrams).
        vocab_size: the number of word ids, from which the keys were computed.
        width: of the vectors, which are initialized with zeros.

    Raises ValueError if `known` is empty.
    """

    def __init__(self, known, vocab_size, width):
        super().__init__()
        if not len(known):
            raise ValueError("no bigram is known; ask for rarer ones too, frequent_bigrams(..., min_count=1)")
        self.vocab_size = vocab_size
        self.register_buffer("known", torch.from_numpy(known))
        self.embedding = new_embedding(np.broadcast_to(0.0, (len(known), width)))

    def forward(self, ids):  # (..., T) -> (..., T, d)
        """The vector of the bigram that ends at each position."""
        keys = ids[..., :-1].long() * self.vocab_size + ids[..., 1:]
        index = torch.searchsorted(self.known, keys).clamp(max=len(self.known) - 1)
        vectors = F.embedding(index, self.embedding) * (self.known[index] == keys).unsqueeze(-1)
        return F.pad(vectors, (0, 0, 1, 0))  # no bigram ends at the first word

    def arrays(self):
        """embedding."""
        return {"embedding": self.embedding}


class BigramClassifier(Module):
    """Embeddings of words plus those of bigrams, optional attention, mean pooling, an MLP head.

    Args:
        config: a Config.
        bigrams: keys of the known bigrams; None for words alone.
        attention: "none" for mean pooling alone (Iyyer et al. 2015); "words" for blocks of self-attention before it; "summary" for blocks of
            cross-attention from the pooled vector to all words.
        dropout: the dropout probability of the embeddings and in the head.
        zero_init: initialize the matrices that write into the residual stream with zeros, so that blocks are the identity at first.

    Raises ValueError for any other `attention`.
    """

    def __init__(self, config: Config, bigrams=None, attention="none", dropout=0.0, zero_init=False):
        super().__init__()
        if attention not in ATTENTION:
            raise ValueError(f"attention={attention!r} is not known; take {', '.join(ATTENTION)}")
        self.attention, self.dropout = attention, dropout
        params = config.classifier_params()
        self.embedding = new_embedding(params.embedding)
        self.bigrams = None if bigrams is None else BigramEmbedding(bigrams, config.vocab_size, config.d_model)
        blocks = [config.block_params(attention == "summary")] * config.n_layers
        self.stack = None if attention == "none" else Stack(blocks, config, cross=attention == "summary")
        self.head = MLPHead(params.head, dropout=dropout)
        if zero_init and self.stack is not None:
            self._zero_outputs()

    @torch.no_grad()
    def _zero_outputs(self):
        for block in self.stack.blocks:
            for attention in (block.attention, block.cross):
                if attention is not None:
                    attention.output.weight.zero_()
            block.feed_forward.down.weight.zero_()

    def forward(self, ids):  # (..., T) -> (..., 1)
        """The probability that the review is positive."""
        return self.logit(ids).sigmoid()

    def logit(self, ids):  # (..., T) -> (..., 1)
        """The logit of that probability."""
        x, mask = F.embedding(ids, self.embedding), padding_mask(ids)
        x = dropout(x if self.bigrams is None else x + self.bigrams(ids), self.dropout, self.training)
        if self.attention == "words":
            x = self.stack(x, mask=key_mask(mask))
        pooled = mean_pool(x, mask=mask)
        if self.attention == "summary":
            pooled = self.stack(pooled.unsqueeze(-2), memory=x, memory_mask=key_mask(mask)).squeeze(-2)
        return self.head(pooled)

    def arrays(self):
        """embedding, bigrams.embedding, block1.…, head.…"""
        bigrams = {} if self.bigrams is None else {f"bigrams.{name}": view for name, view in self.bigrams.arrays().items()}
        blocks = {} if self.stack is None else self.stack.arrays()
        return {"embedding": self.embedding} | bigrams | blocks | {f"head.{name}": view for name, view in self.head.arrays().items()}
