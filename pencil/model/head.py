"""The classifier head: a summary stick in, one chance between 0 and 1 out."""

from pencil.model.config import GPT2
from pencil.model.part import Part, check_still, drop, grid, say
from pencil.reference.checks import check_fit


class Head(Part):
    """Workers, the ReLU bend, one last worker. Takes a Head bundle; nothing of the recipe has a place in it.

    Raises ValueError for grids that do not fit one another.
    """

    def __init__(self, grids, recipe=GPT2, dropout=0.0):
        super().__init__()
        check_fit("the bent row", grids.grid1.shape[0], "the last grid", grids.grid2, out=1)
        self.dropout = dropout
        self.layer1, self.layer2 = grid(*grids.grid1.shape, True), grid(*grids.grid2.shape, True)

    def forward(self, summary, note=None):  # (..., d) -> (..., 1)
        """The logit: what sigmoid makes a chance of."""
        check_still(self, note)
        hidden = say(note, "hidden", self.layer1(drop(summary, self.dropout, self.training)))
        bent = say(note, "bent", hidden.relu())
        return say(note, "logit", self.layer2(drop(bent, self.dropout, self.training)))

    def arrays(self):
        """grid1, nudge1, grid2, nudge2."""
        return {"grid1": self.layer1.weight, "nudge1": self.layer1.bias, "grid2": self.layer2.weight, "nudge2": self.layer2.bias}
