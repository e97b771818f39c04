"""Two walkers stapled: one reads from the first word on, one from the last word back (Schuster and Paliwal 1997)."""

import torch

from pencil.model.config import GPT2, Config
from pencil.model.lstm import LSTM
from pencil.model.part import say, within
from pencil.model.rnn import RNN, Walk
from pencil.reference.lstm import LSTM as LSTMGrids
from pencil.reference.rnn import Recurrent

WALKERS = {Recurrent: RNN, LSTMGrids: LSTM}


class Bidirectional(Walk):
    """Two walkers, each with grids of its own: torch.nn.LSTM (or nn.RNN) with bidirectional=True.

    `sizes` is a Config (and the walkers are LSTMs) or a Bidirectional bundle; nothing of the recipe has a place in it.
    Raises ValueError for what is no walker, and for walkers that read rows of different widths.
    """

    def __init__(self, sizes, recipe=GPT2):
        super().__init__()
        grids = sizes.bidirectional() if isinstance(sizes, Config) else sizes
        self.there, self.back = one_walker(grids.forward), one_walker(grids.backward)
        if self.there.reads != self.back.reads:
            raise ValueError(f"one walker reads rows of {self.there.reads} and the other of {self.back.reads}; both read the same words")
        self.width, self.reads = self.there.width + self.back.width, self.there.reads

    def forward(self, x, note=None, counts=None):  # (..., T, d) -> (..., T, d_forward + d_backward)
        """What both remember at every word, stapled. Where rows do not count, the walk back starts at the last one that does.

        Raises ValueError for rows of another width.
        """
        self.check(x)
        there = self.there(x, within(note, "forward"), counts)
        back = self.back(turned_round(x, counts), within(note, "backward"), counts)
        return say(note, "glued", torch.cat([there, turned_round(back, counts)], -1))

    def last(self, memories, counts=None):  # (..., T, width) (...) -> (..., width)
        """Where each of the two ended: the last row that counts of one, the first row of the other."""
        there, back = memories.split([self.there.width, self.back.width], -1)
        return torch.cat([self.there.last(there, counts), back[..., 0, :]], -1)

    def arrays(self):
        """forward.…, backward.…"""
        parts = {"forward": self.there, "backward": self.back}
        return {f"{name}.{inner}": view for name, part in parts.items() for inner, view in part.arrays().items()}


def one_walker(bundle):  # -> the module that walks by it
    """The walker of a bundle. Raises ValueError for what is no walker."""
    if type(bundle) not in WALKERS:
        raise ValueError(f"a {type(bundle).__name__} is no walker; give a Recurrent or an LSTM")
    return WALKERS[type(bundle)](bundle)


def turned_round(x, counts=None):  # (..., T, d) (...) -> (..., T, d)
    """The rows that count in the order from last to first; the others stay where they are."""
    if counts is None:
        return x.flip(-2)
    place = torch.arange(x.shape[-2], device=x.device)
    order = torch.where(place < counts[..., None], counts[..., None] - 1 - place, place)
    return x.gather(-2, order[..., None].expand(x.shape))
