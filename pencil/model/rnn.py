"""The walker: one memory, rewritten at every word by the same grids (Elman 1990)."""

import torch
from torch import nn

from pencil.model.config import GPT2, Config
from pencil.model.part import Part, say, spread
from pencil.model.pooling import at_row
from pencil.reference.checks import check_fit
from pencil.trace.notes import under


class Walk(Part):
    """What all walks share. `cell` is torch's own layer; rows are (..., T, d), and so are the memories that come back.

    `counts` (...,) says how many rows of each text count; they stand in front. What a walk says of the rows behind
    them means nothing.
    """

    cell: nn.RNNBase
    width: int  # of what comes back
    reads: int

    def check(self, x, start=None):
        """Refuse rows of another width, a single row, and a start of another shape."""
        if x.dim() < 2 or x.shape[-1] != self.reads or x.shape[-2] < 1:
            raise ValueError(f"x has the shape {tuple(x.shape)}; the grids read rows of {self.reads}: (..., words, {self.reads}), one word at least")
        wanted = (*x.shape[:-2], self.width)
        if start is not None and tuple(start.shape) != wanted:
            raise ValueError(f"start has the shape {tuple(start.shape)}; a memory here is {wanted}: give one for each text, or None")

    def last(self, memories, counts=None):  # (..., T, width) (...) -> (..., width)
        """What the walk has in hand at the end: the memory at the last row that counts."""
        return memories[..., -1, :] if counts is None else at_row(memories, counts - 1)


class RNN(Walk):
    """One memory, rewritten at every word: torch.nn.RNN with tanh, one bias.

    `sizes` is a Config or a Recurrent bundle; nothing of the recipe has a place in it. Raises ValueError for grids that do not fit.
    """

    def __init__(self, sizes, recipe=GPT2):
        super().__init__()
        grids = sizes.recurrent() if isinstance(sizes, Config) else sizes
        self.width, self.reads = grids.input.shape
        check_fit("the memory", self.width, "the memory's grid", grids.hidden, out=self.width)
        self.cell = fused(nn.RNN, self.reads, self.width, grids.bias is not None)

    def forward(self, x, note=None, counts=None, start=None):  # (..., T, d) -> (..., T, d_h)
        """Every memory. The walk starts from an empty one, or from `start` (..., d_h).

        Raises ValueError for rows of another width, and for a start of another shape.
        """
        self.check(x, start)
        if note is not None:
            return self._noted(x, note, counts, start)
        rows = x.reshape(-1, *x.shape[-2:])  # torch's layer knows one axis of batch
        begin = None if start is None else start.reshape(1, -1, self.width)
        return self.cell(rows, begin)[0].reshape(*x.shape[:-1], self.width)

    def _noted(self, x, note, counts, start):
        memory, memories = start, []
        for t in range(x.shape[-2]):
            step = rnn_step(x[..., t, :], memory, self.cell, under(note, f"step{t + 1}"))
            memory = step if counts is None or memory is None else torch.where((t < counts)[..., None], step, memory)
            memories.append(memory)
        return note("memories", torch.stack(memories, -2))

    def arrays(self):
        """input, hidden, bias."""
        return gate_arrays(self.cell)


def rnn_step(x, memory, cell, note=None):  # (..., d) (..., d_h) -> (..., d_h)
    """One rewrite, each value named; a memory of None is empty."""
    return say(note, "memory", preactivation(x, memory, gate_arrays(cell), note).tanh())


def preactivation(x, memory, grids, note=None):  # (..., d) (..., d_h) -> (..., d_h)
    """What the word and the memory say together; `grids` are the arrays of one gate by name."""
    read = say(note, "read", nn.functional.linear(x, grids["input"], grids.get("bias")))
    if memory is None:
        return say(note, "summed", read)
    return say(note, "summed", read + say(note, "recalled", nn.functional.linear(memory, grids["hidden"])))


def fused(kind, reads, width, bias, gates=1):  # nn.RNN or nn.LSTM -> the layer at its first numbers
    """torch's own layer with one bias: it has two that do the same work, and the second rests at 0.

    The word's grids start as every grid does (see `spread`). Each memory's grid starts orthogonal: it keeps a memory as long as
    it is, so that at first nothing vanishes and nothing explodes (Saxe et al. 2014; Keras' recurrent_initializer).
    """
    cell = kind(reads, width, bias=bias, batch_first=True)
    with torch.no_grad():
        cell.weight_ih_l0.normal_(std=spread(reads))
        for rows in cell.weight_hh_l0.chunk(gates):
            nn.init.orthogonal_(rows)
        if bias:
            cell.bias_ih_l0.zero_()
            cell.bias_hh_l0.zero_().requires_grad_(False)
    return cell


def gate_arrays(cell, gate=0, gates=1):  # -> {name: view}
    """The arrays of one gate of torch's layer, by the names of a Recurrent."""
    found = {"input": cell.weight_ih_l0.chunk(gates)[gate], "hidden": cell.weight_hh_l0.chunk(gates)[gate]}
    return found | ({"bias": cell.bias_ih_l0.chunk(gates)[gate]} if cell.bias else {})
