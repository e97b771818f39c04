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
        self.bend_in_place = IN_PLACE.get(self.bend, self.bend)

    def forward(self, x, note=None):  # (..., d) -> (..., d)
        """What the worker makes of each row."""
        hidden = say(note, "hidden", self.widen(x))
        bend = self.bend if note is not None or torch.is_grad_enabled() else self.bend_in_place  # neither a name nor a slope needs hidden again
        bent = say(note, "bent", bend(hidden))
        return say(note, "worker", self.narrow(bent))

    def arrays(self):
        """widen, narrow and their biases."""
        return grid_arrays(self.widen, "widen") | grid_arrays(self.narrow, "narrow")
