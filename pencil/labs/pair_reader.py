"""A reader of words and pairs: the contest's machine with more to look at, and three ways to look, or not to look at all."""

import numpy as np
import torch
import torch.nn.functional as F

from pencil.model.config import GPT2, Config
from pencil.model.head import Head
from pencil.model.masks import key_mask, padding_mask
from pencil.model.part import Part, drop, table
from pencil.model.pooling import average
from pencil.model.stack import Stack

LOOKS = ("none", "words", "summary")


class PairSticks(Part):
    """A stick for each known pair of neighbours; the second word of the two wears it, and nothing where the pair is not known.

    `known` are the pairs' keys in order (pencil.labs.sparse.known_pairs), `rows` those of the words' own table.
    """

    def __init__(self, known, rows, width):
        super().__init__()
        if not len(known):
            raise ValueError("no pair is known; ask for pairs that stand there less often, known_pairs(..., least=1)")
        self.rows = rows
        self.register_buffer("known", torch.from_numpy(known))
        self.table = table(np.broadcast_to(0.0, (len(known), width)))

    def forward(self, ids):  # (..., T) -> (..., T, d)
        """The stick of each word with the word before it."""
        keys = ids[..., :-1].long() * self.rows + ids[..., 1:]
        place = torch.searchsorted(self.known, keys).clamp(max=len(self.known) - 1)
        sticks = F.embedding(place, self.table) * (self.known[place] == keys).unsqueeze(-1)
        return F.pad(sticks, (0, 0, 1, 0))  # the first word has none before it

    def arrays(self):
        """table."""
        return {"table": self.table}


class PairReader(Part):
    """Sticks of words, those of pairs added; an average; the head. `look` says who looks at whom:

    none      nobody: averages alone (Iyyer et al. 2015)
    words     each word at all words, in whole blocks, before they are averaged
    summary   the average at all words, in blocks that ask another text

    `sizes` is a Config; without `pairs` a word has its own stick alone. With `silent` the grids that write into the
    stream start at zero: at first the blocks add nothing, and the machine is its averages. Raises ValueError for another look.
    """

    def __init__(self, sizes: Config, pairs=None, look="none", recipe=GPT2, dropout=0.0, silent=False):
        super().__init__()
        if look not in LOOKS:
            raise ValueError(f"look={look!r} is not known; take {', '.join(LOOKS)}")
        self.look, self.dropout = look, dropout
        grids = sizes.classifier()
        self.table = table(grids.table)
        self.pairs = None if pairs is None else PairSticks(pairs, sizes.rows, sizes.d_model)
        blocks = [sizes.block(look == "summary")] * sizes.n_blocks
        self.stack = None if look == "none" else Stack(blocks, recipe, cross=look == "summary")
        self.head = Head(grids.head, dropout=dropout)
        if silent and self.stack is not None:
            self._hush()

    @torch.no_grad()
    def _hush(self):
        for block in self.stack.blocks:
            for part in (block.attention, block.cross):
                if part is not None:
                    part.output.weight.zero_()
            block.feed_forward.narrow.weight.zero_()

    def forward(self, ids):  # (..., T) -> (..., 1)
        """The chance that the review is liked."""
        return self.logit(ids).sigmoid()

    def logit(self, ids):  # (..., T) -> (..., 1)
        """What the chance is made of."""
        x, real = F.embedding(ids, self.table), padding_mask(ids)
        x = drop(x if self.pairs is None else x + self.pairs(ids), self.dropout, self.training)
        if self.look == "words":
            x = self.stack(x, key_mask(real))
        summary = average(x, real)
        if self.look == "summary":
            summary = self.stack(summary.unsqueeze(-2), memory=x, memory_mask=key_mask(real)).squeeze(-2)
        return self.head(summary)

    def arrays(self):
        """table, pairs.table, block1.…, head.…"""
        parts = {} if self.pairs is None else {f"pairs.{name}": view for name, view in self.pairs.arrays().items()}
        blocks = {} if self.stack is None else self.stack.arrays()
        return {"table": self.table} | parts | blocks | {f"head.{name}": view for name, view in self.head.arrays().items()}
