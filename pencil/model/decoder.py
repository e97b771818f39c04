"""A writer: each word sees itself and what came before, and each row says which token may come next (GPT: Radford et al. 2018)."""

import torch
import torch.nn.functional as F

from pencil.model.config import GPT2, Config
from pencil.model.encoder import Machine
from pencil.model.masks import key_mask, padding_mask
from pencil.model.part import say, table


class Decoder(Machine):
    """One score for each token of the table, after every word (GPT-2: Radford et al. 2019; with a memory: Vaswani et al. 2017).

    `sizes` is a Config or a Decoder bundle. Id 0 is padding, which nobody looks at, unless `padding=False`: then it is
    a token like any other, as in GPT-2, and no mask but the causal one is needed. Padding belongs at the end of a text:
    in front of it a slot would have nothing to look at.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, padding=True, cross=False):
        made = isinstance(sizes, Config)
        grids = sizes.decoder(recipe, cross) if made else sizes
        super().__init__(grids, recipe, dropout, padding, not (made and sizes.wave))
        self.output = None if grids.output is None else table(grids.output)  # None: the table, row for row (Press and Wolf 2017)

    def forward(self, ids, note=None, cache=None, memory=None, memory_mask=None):  # (..., T) -> (..., T, rows)
        """The scores. With a cache the ids are those that come next, and what came before is not worked again.

        Raises ValueError for more words than seats or room, and as `Stack` does.
        """
        start = 0 if cache is None else cache.length
        real = padding_mask(ids) if self.padding else None
        if start and self.padding:
            real = torch.cat([cache.real, real], -1)
        mask = key_mask(real, note) if self.padding else None
        x = self.stack(self.enter(ids, note, start), mask, note, memory, memory_mask, True, cache)
        if cache is not None:
            cache.real = real
        return say(note, "logits", F.linear(x, self.table if self.output is None else self.output))

    def arrays(self):
        """table, seats, block1.…, norm.…, output."""
        return super().arrays() | ({} if self.output is None else {"output": self.output})
