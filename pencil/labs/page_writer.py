"""The tiny GPT that the page carries: chapter 14's writer in bytes, and what NumPy makes of it."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from pencil.kata.dice import MASK, Dice
from pencil.labs import records
from pencil.labs.carried import RECIPE, filled
from pencil.labs.int8 import pack, unpack
from pencil.reference import Decoder, Norm, causal_mask, chances, draw, stack, unembed
from pencil.reference.encoder import enter
from pencil.trace.notes import exact


@dataclass(frozen=True)
class PageWriter:
    """Its letters, an id being a place among them, and its learned numbers, as the bytes have them."""

    letters: tuple
    machine: Decoder

    @property
    def seats(self):
        """How many letters it sees at once."""
        return len(self.machine.seats)

    def ids(self, text):  # str -> (n,) ids
        """Letters to ids. Raises ValueError for an empty text and for a letter that it does not know."""
        strange = sorted(set(text) - set(self.letters))
        if strange or not text:
            problem = f"{strange[0]!r} is none of its {len(self.letters)} letters: {''.join(self.letters)!r}" if text else "the text is empty"
            raise ValueError(f"{problem}; it goes on from a text of its own letters")
        return np.array([self.letters.index(letter) for letter in text])

    def kept(self, keep):  # whole number, or None for all -> whole number
        """How many of the likeliest letters it draws from. Raises ValueError for more than there are."""
        if keep is not None and keep > len(self.letters):
            raise ValueError(f"keep={keep}, and it has {len(self.letters)} letters to draw from; take 1 to {len(self.letters)}, or None for all")
        return len(self.letters) if keep is None else keep

    def follow(self, text, temperature=1.0, keep=None, u=0.0, note=exact):  # str -> id
        """The id that comes behind the last of the letters that it sees, where u falls among the shares."""
        ids = self.ids(text)[-self.seats :]
        return int(follow(ids, [len(ids) - 1], self.machine, temperature, self.kept(keep), u, note))

    def write(self, text, count=40, temperature=1.0, keep=None, seed=0):  # -> str, the text and all
        """Put so many letters behind the text. With keep=1 it takes the likeliest letter each time (greedy)."""
        for _ in range(count):
            text += self.letters[self.follow(text, temperature, keep, throw(seed, len(text)))]
        return text


def follow(ids, last, machine, temperature, keep, u, note=exact):  # (T,) (1,) … -> id
    """The decoder on these ids, its scores behind the place `last`, their shares, and the id at which u falls.

    Every id is a letter, id 0 too, so that no mask but the causal one is needed: what stands behind `last` is not looked at.
    """
    x = stack(enter(ids, machine, note), machine.blocks, note, causal_mask(len(ids)), RECIPE, machine.norm)
    scores = note("scores", unembed(x[last], machine)[0])
    shares = note("shares", chances(scores, temperature, keep))
    return note("drawn", draw(shares, u))


def throw(seed, number):  # -> 0 to below 1
    """The throw of that number, from 0, of the dice that the page throws as well: a text goes on alike whoever wrote it."""
    dice = Dice(seed)
    for _ in range(number):
        dice.throw()
    return dice.throw() / (MASK + 1)


def read(record=None):  # -> PageWriter
    """The writer of the record."""
    kept = record or records.read("writer")
    return PageWriter(tuple(kept["letters"]), filled(lambda blocks: Decoder(0, blocks, 0, Norm(0, 0)), unpack(kept)))


def measure(checkpoint):  # -> result
    """The writer that `python -m pencil lab tiny-gpt --passes 60` left, in bytes, and its miss a letter before and after.

    The miss is on the end of the text, which it has not learned from.
    """
    from pencil.data import text
    from pencil.labs.loop import examine  # torch is needed here alone
    from pencil.labs.tiny_gpt import opened, piles
    from pencil.labs.writing import Writing
    from pencil.model.weights import flat, load

    writer = opened(checkpoint)
    packed, (_, study, sealed) = pack(flat(writer.model)), piles(text.load())
    exam = Writing(study, sealed, len(writer.model.seats))
    before = examine(writer.model, exam)["exam_loss"]
    after = examine(load(writer.model, unpack(packed)), exam)["exam_loss"]
    loss = {"exam_loss": records.as_recorded(before), "exam_loss_in_bytes": records.as_recorded(after)}
    return {"letters": list(writer.pieces.pieces), "checkpoint": sha256(Path(checkpoint).read_bytes()).hexdigest(), **loss, **packed}
