"""Two walkers stapled: one reads from the first word on, one from the last word back (Schuster and Paliwal 1997)."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.lstm import LSTM, lstm
from pencil.reference.pooling import last
from pencil.reference.rnn import Recurrent, rnn
from pencil.trace.notes import exact, under

WALKERS = {Recurrent: rnn, LSTM: lstm}


@dataclass(frozen=True)
class Bidirectional:
    """Two walkers, each a Recurrent or an LSTM with grids of its own."""

    forward: object
    backward: object


def bidirectional(x, forward, backward, note=exact):  # (T, d) -> (T, d_forward + d_backward)
    """Walk both ways and staple, word by word, what the two walkers remember there (torch.nn.LSTM, bidirectional=True).

    Filed as forward.… and backward.…, whose step1 reads the last word; the stapled rows are `glued`. Raises ValueError
    for what is no walker, and as the walks do.
    """
    there = walk(x, walker(forward), under(note, "forward"))
    back = walk(np.flip(x, 0), walker(backward), under(note, "backward"))
    return note("glued", np.concatenate([there, np.flip(back, 0)], axis=-1))


def walk(x, grids, note=exact):  # (T, d) -> (T, width)
    """A walk of any kind, by the kind of its grids; all memories come back (torch.nn.RNN, torch.nn.LSTM). Raises ValueError for what is no walk."""
    if isinstance(grids, Bidirectional):
        return bidirectional(x, grids.forward, grids.backward, note)
    return WALKERS[type(walker(grids))](x, grids, note)


def arrival(memories, grids, note=exact):  # (T, width) -> (width,)
    """What is in hand when a walk is over: its last row, or where each of two walkers ended (h_n of torch.nn.LSTM).

    Named summary, as every row that a head reads. The walker that goes back ends at the first word: in the last row it has
    read one word alone. Raises ValueError for what is no walk.
    """
    if not isinstance(grids, Bidirectional):
        walker(grids)
        return last(memories, note=note)
    width = np.shape(getattr(walker(grids.forward), "show", grids.forward).hidden)[0]
    return note("summary", np.concatenate([memories[-1, :width], memories[0, width:]]))


def walker(grids):  # -> the same grids
    """Refuse grids that no one walker walks by."""
    if type(grids) not in WALKERS:
        raise ValueError(f"a {type(grids).__name__} is no walker; give a Recurrent or an LSTM")
    return grids
