"""Small lessons that the tests of the loop share."""

from dataclasses import replace

import numpy as np
import torch

from pencil.labs import contest
from pencil.labs.averages import Averages
from pencil.labs.reading import Reading
from pencil.labs.sheets import Sheets
from pencil.labs.training import Training
from pencil.model import Config

ROWS = 30
SMALL = Training(passes=3, batch=8, rate=1e-2)


def sheets(count=100, slots=12, seed=0):
    """Rows of random length; liked is where more ids lie in the upper half."""
    draw = np.random.default_rng(seed)
    ids = draw.integers(1, ROWS, (count, slots)).astype(np.int32)
    for row, length in zip(ids, draw.integers(3, slots + 1, count), strict=True):
        row[length:] = 0
    labels = (ids > ROWS // 2).sum(1) > ((ids > 0) & (ids <= ROWS // 2)).sum(1)
    return Sheets(ids, labels.astype(np.int8))


def lesson(padding=True):
    return Reading(sheets(), sheets(40, seed=1), padding)


def averages(seed=0, dropout=0.0):
    torch.manual_seed(seed)
    return Averages(Config(d_model=8, rows=ROWS, hidden=4), dropout=dropout)


def machine(name, dropout=0.1, padding=True):
    return contest.machine(
        name, ROWS, seed=0, padding=padding, sizes=replace(contest.SOURCE, d_model=8, d_k=4, d_v=4, d_h=8, hidden=4), dropout=dropout
    )


def same(model, other):
    """Are all dials of two machines the same to the last bit?"""
    ours, theirs = model.state_dict(), other.state_dict()
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)
