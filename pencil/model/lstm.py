"""The LSTM: a walker with two memories. Three voters say what the belt keeps, what it admits, and what of it is shown."""

import torch
from torch import nn

from pencil.model.config import GPT2, Config
from pencil.model.part import say, within
from pencil.model.rnn import Walk, fused, gate_arrays, preactivation
from pencil.reference.checks import check_fit
from pencil.reference.lstm import check_start
from pencil.trace.notes import under

GATES = ("admit", "keep", "candidate", "show")  # as torch stacks them: input, forget, cell, output
VOTERS = ("keep", "admit", "show")


class LSTM(Walk):
    """Two memories: the one that is shown, and the belt. torch.nn.LSTM, one bias.

    `sizes` is a Config or an LSTM bundle; nothing of the recipe has a place in it. A machine that is made new starts with
    keep biases of 1, so that it forgets little at first (Jozefowicz et al. 2015; Keras' unit_forget_bias). Raises ValueError
    for gates of different shapes and for biases on some gates only: all four are worked at once.
    """

    def __init__(self, sizes, recipe=GPT2):
        super().__init__()
        grids = sizes.lstm() if isinstance(sizes, Config) else sizes
        bias = _check_gates(grids)
        self.width, self.reads = grids.keep.input.shape
        self.cell = fused(nn.LSTM, self.reads, self.width, bias, gates=len(GATES))
        if bias:
            with torch.no_grad():
                self.gates()["keep"]["bias"].fill_(1)

    def forward(self, x, note=None, counts=None, start=None):  # (..., T, d) -> (..., T, d_h)
        """Every memory that is shown. The walk starts with both memories empty, or from `start`, a pair (memory, belt).

        Raises ValueError for rows of another width, and for a start of another shape.
        """
        check_start(start)
        for part in start or (None,):
            self.check(x, part)
        if note is not None:
            return self._noted(x, note, counts, start)
        rows = x.reshape(-1, *x.shape[-2:])  # torch's layer knows one axis of batch
        begin = None if start is None else tuple(part.reshape(1, -1, self.width) for part in start)
        return self.cell(rows, begin)[0].reshape(*x.shape[:-1], self.width)

    def _noted(self, x, note, counts, start):
        (memory, belt), memories = start or (None, None), []
        for t in range(x.shape[-2]):
            step = lstm_step(x[..., t, :], memory, belt, self.gates(), under(note, f"step{t + 1}"))
            if counts is not None and memory is not None:  # a walk that is over stands still
                step = tuple(torch.where((t < counts)[..., None], new, old) for new, old in zip(step, (memory, belt), strict=True))
            memory, belt = step
            memories.append(memory)
        return note("memories", torch.stack(memories, -2))

    def gates(self):  # -> {gate: {name: view}}
        """The arrays of each gate, as `lstm_step` takes them."""
        return {name: gate_arrays(self.cell, i, len(GATES)) for i, name in enumerate(GATES)}

    def arrays(self):
        """keep.input, … , candidate.bias: each a part of the one grid."""
        gates = self.gates()
        return {f"{gate}.{name}": view for gate in (*VOTERS, "candidate") for name, view in gates[gate].items()}


def lstm_step(x, memory, belt, gates, note=None):  # (..., d) (..., d_h) (..., d_h) -> (..., d_h) (..., d_h)
    """One word, each value named; a memory and a belt of None are empty."""
    keep, admit, show = (say(note, name, preactivation(x, memory, gates[name], within(note, name)).sigmoid()) for name in VOTERS)
    candidate = say(note, "candidate", preactivation(x, memory, gates["candidate"], within(note, "candidate")).tanh())
    taken = admit * candidate
    belt = say(note, "belt", taken if belt is None else keep * belt + taken)
    return say(note, "memory", show * say(note, "crushed", belt.tanh())), belt


def _check_gates(grids):  # -> whether the gates have biases
    first = grids.keep
    check_fit("the memory", first.input.shape[0], "the memory's grid", first.hidden, out=first.input.shape[0])
    for name in GATES:
        gate = getattr(grids, name)
        for part in ("input", "hidden"):
            ours, theirs = getattr(gate, part).shape, getattr(first, part).shape
            if ours != theirs:
                raise ValueError(
                    f"{name}.{part} is {tuple(ours)} and keep.{part} {tuple(theirs)}; torch works all gates at once: give them one shape"
                )
        if (gate.bias is None) != (first.bias is None):
            raise ValueError(f"{name}.bias and keep.bias: one is there and one is not; give the gates all a bias (of zeros) or none")
    return first.bias is not None
