"""The small worker: widen, bend, narrow; each word by itself."""

import torch

from pencil.model.bend import IN_PLACE, bend_of
from pencil.model.config import GPT2, Config
from pencil.model.part import Part, grid, grid_arrays, say
from pencil.reference.checks import check_fit


class FeedForward(Part):
    """Widen, bend, narrow (Vaswani et al. 2017, 3.3). Raises ValueError for grids that do not fit one another."""

    def __init__(self, sizes, recipe=GPT2):
        super().__init__()
        grids = sizes.feed_forward() if isinstance(sizes, Config) else sizes
        check_fit("the bent row", grids.widen.shape[0], "the narrowing grid", grids.narrow, out=grids.widen.shape[1])
        self.widen = grid(*grids.widen.shape, grids.widen_bias is not None)
        self.narrow = grid(*grids.narrow.shape, grids.narrow_bias is not None)
        self.bend = bend_of(recipe)

    def forward(self, x, note=None):  # (..., d) -> (..., d)
        """What the worker makes of each row."""
        hidden = say(note, "hidden", self.widen(x))
        bent = say(note, "bent", self._bend(hidden, hidden is x or note is not None))
        return say(note, "worker", self.narrow(bent))

    def _bend(self, hidden, needed):
        """In hidden's own memory, for fresh memory costs time: unless a name, a slope, a hook or the caller needs hidden again."""
        needed = needed or torch.is_grad_enabled() or torch.compiler.is_compiling() or self.widen._forward_hooks
        return (self.bend if needed else IN_PLACE.get(self.bend, self.bend))(hidden)

    def arrays(self):
        """widen, narrow and their biases."""
        return grid_arrays(self.widen, "widen") | grid_arrays(self.narrow, "narrow")
