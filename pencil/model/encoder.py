"""A reader: every word looks both ways, and each comes out as a row that knows its text (BERT: Devlin et al. 2019)."""

import torch
import torch.nn.functional as F

from pencil.model.config import GPT2, Config
from pencil.model.masks import key_mask, padding_mask
from pencil.model.part import Part, check_still, drop, say, table
from pencil.model.positions import seat
from pencil.model.stack import Stack


class Machine(Part):
    """What a reader and a writer share: a table, seats where it has any, and a stack of blocks.

    With `padding` id 0 marks an empty slot, which nobody looks at; without it every id is a word (GPT-2's id 0 is "!").
    """

    def __init__(self, grids, recipe, dropout, padding, learned=True):
        super().__init__()
        self.dropout, self.padding = dropout, padding
        self.table = table(grids.table)
        self.seats = None if grids.seats is None else seat_table(grids.seats, learned)
        self.stack = Stack(grids.blocks, recipe, dropout, grids.norm)

    def enter(self, ids, note=None, start=0):  # (..., T) -> (..., T, d_model)
        """Ids to sticks, and the seats added where the machine has any."""
        check_still(self, note)
        if not isinstance(ids, torch.Tensor) or ids.is_floating_point():
            raise ValueError("ids are no tensor of whole numbers; write torch.tensor([[1, 2]]), or ids.long()")
        x = say(note, "stick", F.embedding(ids, self.table))
        x = x if self.seats is None else seat(x, self.seats, note, start)
        return drop(x, self.dropout, self.training)

    def arrays(self):
        """table, seats, block1.…, norm.…"""
        tables = {"table": self.table} | ({} if self.seats is None else {"seats": self.seats})
        return tables | self.stack.arrays()


class Encoder(Machine):
    """Look up, seat, and run the blocks (Vaswani et al. 2017, 3.1). `sizes` is a Config or an Encoder bundle.

    Id 0 is padding, which nobody looks at, unless `padding=False`: then it is a word like any other.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, padding=True):
        made = isinstance(sizes, Config)
        super().__init__(sizes.encoder(recipe) if made else sizes, recipe, dropout, padding, not (made and sizes.wave))

    def forward(self, ids, note=None):  # (..., T) -> (..., T, d_model)
        """One row a word. Raises ValueError for more words than seats; for a text of padding alone see `key_mask`."""
        mask = key_mask(padding_mask(ids), note) if self.padding else None
        return self.stack(self.enter(ids, note), mask, note)


def seat_table(array, learned):  # (max_len, d) -> Parameter
    """A seat table at its first numbers, to be learned; or one that stays as it is, such as a wave."""
    if learned:
        return table(array)
    return torch.nn.Parameter(torch.tensor(array, dtype=torch.get_default_dtype()), requires_grad=False)
