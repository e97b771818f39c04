"""How much of a word reaches the answer: the slope of the logit along the word's stick, by the word's place in the text."""

import numpy as np
import torch

from pencil.labs.sheets import Sheets


def reach(model, ids):  # machine, (texts, slots) full rows -> (slots,) mean length of the slope at each slot
    """Turn each stick of each text a little: how far does the answer move?

    Each stick gets a locker of its own for that, so that a word that stands twice is asked twice. Raises ValueError
    for rows with empty slots.
    """
    if not (ids != 0).all():
        raise ValueError("a row with empty slots has its words at other places than the rest; hand in full rows only")
    texts, slots = ids.shape
    shared = model.table
    own = torch.nn.Parameter(torch.cat([shared.detach()[:1], shared.detach()[torch.from_numpy(ids).long().flatten()]]))
    lockers = torch.arange(1, len(own), device=own.device).view(texts, slots)
    model.eval()
    try:
        model.table = own
        with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):  # cuDNN leads no slope back through a walker in eval mode
            slopes = torch.autograd.grad(model.logit(lockers).sum(), own)[0]
    finally:
        model.table = shared
    return slopes[1:].norm(dim=-1).view(texts, slots).mean(0).cpu().numpy()


def full_rows(sheets: Sheets, count=200):  # -> (at most count, slots)
    """The first rows of a pile that fill their slots."""
    return sheets.ids[np.flatnonzero(sheets.lengths == sheets.ids.shape[1])[:count]]
