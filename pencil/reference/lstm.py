"""The LSTM: a walker with two memories. Three voters say what the belt keeps, what it admits, and what of it is shown."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_numbers
from pencil.reference.head import sigmoid
from pencil.reference.rnn import Recurrent, check_walk, preactivation
from pencil.trace.notes import exact, under


@dataclass(frozen=True)
class LSTM:
    """Four walkers' grids that read the same word and the same memory.

    The field calls keep the forget gate, admit the input gate, show the output gate, and the belt the cell state.
    """

    keep: Recurrent
    admit: Recurrent
    show: Recurrent
    candidate: Recurrent


def lstm_step(x, memory, belt, grids, note=exact):  # (..., d) (..., d_h) (..., d_h) -> (..., d_h) (..., d_h)
    """One word: the votes, the belt, and what of it is shown, which is the new memory (torch.nn.LSTMCell).

    Source: Hochreiter and Schmidhuber 1997; the keep vote: Gers and others 2000. A belt of None is empty. Raises ValueError
    for gates of different widths, for a belt that is not as wide as the memory, and as `preactivation` does.
    """
    _check_gates(grids)
    keep = _vote("keep", x, memory, grids.keep, note)
    admit = _vote("admit", x, memory, grids.admit, note)
    show = _vote("show", x, memory, grids.show, note)
    candidate = note("candidate", np.tanh(preactivation(x, memory, grids.candidate, under(note, "candidate"))))
    taken = admit * candidate
    if belt is not None:
        _check_belt(belt, candidate)
        taken = keep * belt + taken
    belt = note("belt", taken)  # no tanh on this line: from word to word the belt is scaled, and not crushed
    crushed = note("crushed", np.tanh(belt))
    return note("memory", show * crushed), belt


def lstm(x, grids, note=exact, start=None):  # (T, d) -> (T, d_h)
    """Walk along the words; all memories come back, the last one last (torch.nn.LSTM).

    Steps are filed as step1.…, step2.…, and the memories together as memories. The walk starts with both memories
    empty, or from `start`, a pair (memory, belt). Raises ValueError for more than one text, and as `lstm_step` does.
    """
    check_walk(x)
    check_start(start)
    (memory, belt), memories = start or (None, None), []
    for t in range(x.shape[0]):  # every vote reads the memory that the word before leaves behind
        memory, belt = lstm_step(x[t], memory, belt, grids, under(note, f"step{t + 1}"))
        memories.append(memory)
    return note("memories", np.stack(memories))


def _vote(name, x, memory, voter, note):  # -> (..., d_h), each between 0 and 1
    inside = under(note, name)
    summed = preactivation(x, memory, voter, inside)
    return sigmoid(summed, lambda part, value: note(name, value) if part == "answer" else inside(part, value))


def check_start(start):
    """Refuse a start that is not a pair: a walker with two memories starts from both."""
    if start is not None and not (isinstance(start, tuple | list) and len(start) == 2):
        raise ValueError(f"start is a {type(start).__name__}; give both memories, as a pair: (memory, belt)")


def _check_gates(grids):
    widths = {name: np.shape(voter.input)[0] for name, voter in vars(grids).items()}
    if len(set(widths.values())) > 1:
        raise ValueError(f"the gates write {widths} numbers; all four work on one belt: give their grids the same number of rows")


def _check_belt(belt, candidate):
    check_numbers(belt=belt)
    if belt.shape != candidate.shape:
        raise ValueError(f"the belt has the shape {belt.shape} and the memory {candidate.shape}; both have one number for each row of the grids")
