"""The vision transformer that the page carries: chapter 15's reader of digits in bytes, and what NumPy makes of it."""

import numpy as np

from pencil.labs import records
from pencil.labs.carried import RECIPE, filled
from pencil.labs.int8 import pack, unpack
from pencil.reference import Norm, ViT, stable_softmax, vit
from pencil.trace.notes import exact

LEARNED = "learned seats"  # which of the chapter's machines it is


def shares(picture, machine, note=exact):  # (8, 8) -> (10,)
    """How sure the machine is of each digit."""
    return note("shares", stable_softmax(vit(picture, machine, note, RECIPE)))


def right(pile, machine):  # -> the share of the pile's pictures that it names right
    """Picture by picture, in NumPy, as the page works it out."""
    return float(np.mean([vit(picture, machine, recipe=RECIPE).argmax() == label for picture, label in zip(pile.pixels, pile.labels, strict=True)]))


def read(record=None):  # -> ViT
    """The machine of the record."""
    kept = record or records.read("page_digits")
    return _machine(unpack(kept))


def _machine(arrays):
    return filled(lambda blocks: ViT(0, blocks, 0, 0, 0, Norm(0, 0), 0, 0), arrays)


def measure(seed=0, threads=1, setting=None):  # -> JSON-able, for `python -m pencil record page_digits`
    """The chapter's machine with learned seats, trained once more; how many sealed digits it names right, before and in bytes."""
    import torch  # here alone

    from pencil.data import pictures
    from pencil.labs import seeing_record
    from pencil.model.weights import flat

    torch.set_num_threads(threads)
    piles = pictures.load()
    model, found = seeing_record.one_run(seeing_record.machines(8, 2)[LEARNED], piles.train, piles.test, seed, setting or seeing_record.DIGITS)
    packed = pack(flat(model))
    in_bytes = records.as_recorded(right(piles.test, _machine(unpack(packed))))
    return found | {"accuracy_in_bytes": in_bytes, "sealed": len(piles.test)} | packed
