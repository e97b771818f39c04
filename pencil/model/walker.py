"""The whole walking machine: ids in, a walk along the words, the last memory judged."""

import torch.nn.functional as F

from pencil.model.bidirectional import WALKERS, Bidirectional
from pencil.model.config import GPT2, Config
from pencil.model.head import Head
from pencil.model.masks import may_peep, padding_mask
from pencil.model.part import Part, say, table
from pencil.reference.bidirectional import Bidirectional as BidirectionalGrids

WALKS = WALKERS | {BidirectionalGrids: Bidirectional}


class WalkerClassifier(Part):
    """Embedding, a walk, its last memory, head (the Keras walkers of Rahul Rai's post, with the padding passed over).

    `sizes` is a Config, and `walk` then rnn, lstm or bidirectional; or a WalkerClassifier bundle. Empty slots are passed over,
    in front as well as behind; with `padding=False` the walk goes on through them. Nothing of the recipe has a place in the machine.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, padding=True, walk="rnn"):
        super().__init__()
        grids = sizes.walker(walk) if isinstance(sizes, Config) else sizes
        self.padding = padding
        self.table = table(grids.table)
        self.walk = walk_of(grids.walk)
        self.head = Head(grids.head, dropout=dropout)

    def forward(self, ids, note=None):  # (..., T) -> (..., 1)
        """The chance. Raises ValueError for a text of padding alone, where it `may_peep`."""
        return say(note, "sigmoid.answer", self.logit(ids, note).sigmoid())

    def logit(self, ids, note=None):  # (..., T) -> (..., 1)
        """What the chance is made of; training is steadier on it (torch's binary_cross_entropy_with_logits)."""
        x, counts = say(note, "stick", F.embedding(ids, self.table)), None
        if self.padding:
            x, counts = to_front(x, padding_mask(ids), look=note is not None)
        summary = self.walk.last(self.walk(x, note, counts), counts)
        return self.head(say(note, "summary", summary), note)

    def arrays(self):
        """table, walk.…, head.…"""
        return {"table": self.table} | super().arrays()


def walk_of(bundle):  # -> the module that walks by it
    """The walk of a bundle. Raises ValueError for what is no walk."""
    if type(bundle) not in WALKS:
        raise ValueError(f"a {type(bundle).__name__} is no walk; give the machine a {' or a '.join(kind.__name__ for kind in WALKS)}")
    return WALKS[type(bundle)](bundle)


def to_front(x, real, look=False):  # (..., T, d) (..., T) bool -> (..., S, d), counts (...) or None where all rows count
    """The rows that count, moved to the front in their order, and how many they are.

    What no text needs is cut off where it `may_peep`; elsewhere a text of padding alone is not refused but judged by what walks
    over its first empty slot. `look` looks in any case.
    """
    counts, look = real.sum(-1), look or may_peep(real)
    if look:
        if not counts.all():
            raise ValueError(f"all {real.shape[-1]} slots of a text are padding: there is no word to walk along; leave such a text out")
        if real.all():
            return x, None
    if not (look and (real[..., :-1] >= real[..., 1:]).all()):  # an empty slot stands before a word
        order = (~real).int().argsort(stable=True)
        x = x.gather(-2, order[..., None].expand(x.shape))
    return (x[..., : counts.max(), :] if look else x), counts.clamp(min=1)
