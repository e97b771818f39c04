"""The walker: one memory, rewritten at every word by the same grids (Elman 1990)."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_fit, check_numbers, check_rows
from pencil.reference.linear import linear
from pencil.trace.notes import exact, under


@dataclass(frozen=True)
class Recurrent:
    """What a walker learns: a grid that reads the word, a grid that reads the memory, and a bias."""

    input: object  # (d_h, d)
    hidden: object  # (d_h, d_h)
    bias: object = None  # (d_h,)


def preactivation(x, memory, cell, note=exact):  # (..., d) (..., d_h) -> (..., d_h)
    """What the word and the memory say together, before it is crushed: W_ih·x + b + W_hh·h.

    A memory of None is empty: it adds nothing. Raises ValueError for grids, a word and a memory that do not fit one another.
    """
    width = np.shape(cell.input)[0]
    check_numbers(x=x)
    check_fit("the memory", width, "the memory's grid", cell.hidden, out=width)
    read = note("read", linear(x, cell.input, cell.bias))
    if memory is None:
        return note("summed", read)
    check_numbers(memory=memory)
    if memory.shape != read.shape:
        raise ValueError(f"the memory has the shape {memory.shape} and the grids write {read.shape}; start from None, or from np.zeros({read.shape})")
    recalled = note("recalled", linear(memory, cell.hidden))
    return note("summed", read + recalled)  # the word first: on a sheet the sum is the word's


def rnn_step(x, memory, cell, note=exact):  # (..., d) (..., d_h) -> (..., d_h)
    """One rewrite: the new memory is tanh of what the word and the old memory say together (torch.nn.RNNCell).

    Raises ValueError as `preactivation` does.
    """
    return note("memory", np.tanh(preactivation(x, memory, cell, note)))


def rnn(x, cell, note=exact, start=None):  # (T, d) -> (T, d_h)
    """Walk along the words; all memories come back, the last one last (torch.nn.RNN with tanh).

    Steps are filed as step1.…, step2.…, and the memories together as memories. The walk starts from an empty
    memory, or from `start` (d_h,). Raises ValueError for more than one text, and as `preactivation` does.
    """
    check_walk(x)
    memory, memories = start, []
    for t in range(x.shape[0]):  # word t has to wait: it needs the memory that word t-1 leaves behind
        memory = rnn_step(x[t], memory, cell, under(note, f"step{t + 1}"))
        memories.append(memory)
    return note("memories", np.stack(memories))


def check_walk(x):
    """Refuse what is not the rows of one text."""
    check_numbers(x=x)
    check_rows(x=x)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {x.shape}, a batch of texts; a walk is along one text's rows (words, width): take x[0], x[1], …")
