"""Reviews as rows of ids: what every machine of the contest reads."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.embedding import dictionary, pad_or_chop
from pencil.reference.tokens import tokens


@dataclass(frozen=True)
class Slots:
    """How a review becomes a row: the words that keep an id, the slots of a row, and which end of a long review is kept."""

    words: int = 10_000
    slots: int = 100
    keep: str = "first"  # or "last"

    def __post_init__(self):
        if self.keep not in ("first", "last"):
            raise ValueError(f"keep={self.keep!r}; say first or last")


@dataclass(frozen=True)
class Sheets:
    """A pile of reviews, laid out: a row of ids each, with padding at the end."""

    ids: np.ndarray  # (reviews, slots)
    labels: np.ndarray  # (reviews,) 0 or 1

    lengths = property(lambda self: (self.ids != 0).sum(1))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):  # Sheets of some of the reviews
        return Sheets(self.ids[index], self.labels[index])


def lay_out(texts, labels, words, slots):  # lists of tokens, (n,), Dictionary, Slots -> Sheets
    """Look each word up; pad at the end, and chop where the slots say."""
    chop = "end" if slots.keep == "first" else "front"
    rows = [pad_or_chop(words.ids(text), slots.slots, chop=chop) for text in texts]
    return Sheets(np.array(rows, dtype=np.int32), np.asarray(labels, dtype=np.int8))


def encode(reviews, slots=Slots()):  # Reviews -> Dictionary, Sheets to learn from, Sheets of the sealed pile
    """The dictionary counts the words of the study pile alone: what stands in the sealed pile is nobody's to know."""
    piles = [[tokens(text) for text in pile.texts] for pile in (reviews.train, reviews.test)]
    words = dictionary(piles[0], slots.words)
    study, sealed = (lay_out(texts, pile.labels, words, slots) for texts, pile in zip(piles, (reviews.train, reviews.test), strict=True))
    return words, study, sealed


def split(sheets, share=0.2, seed=0):  # Sheets -> Sheets to learn from, Sheets to choose by
    """Draw the validation pile out of the study pile."""
    order = np.random.default_rng(seed).permutation(len(sheets))
    count = int(share * len(sheets) + 0.5)
    return sheets[np.sort(order[count:])], sheets[np.sort(order[:count])]
